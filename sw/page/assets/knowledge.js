'use strict';
// Who knows what: nodes and messages as a matrix, after each round.

const MOST_CELLS = 720;         // on a side; of more nodes every second is shown, or every third ...
const GAP = 44, HEAD = 22;      // pixels for the numbers of lines and columns

class Knowledge {
  constructor(parent, kase, clock) {
    Object.assign(this, { kase, clock });
    this.counted = el('p', { id: 'knowledge-count', 'aria-live': 'polite' });
    this.frame = el('div', { class: 'panel' });
    parent.append(this.counted);
    if (!kase.data.came) {
      this.counted.textContent = `${number(kase.tails.length)} nodes with ${number(kase.topology.nodes)} messages each are too many to show.`;
      return;
    }
    parent.append(this.frame);
    this.count();
    this.show();
  }

  show() {
    const { kase, clock } = this, some = (nodes) => nodes.filter((_, k) => k % Math.ceil(nodes.length / MOST_CELLS) === 0);
    this.lines = some(kase.tails);
    this.columns = some([...Array(kase.topology.nodes).keys()]);
    const height = 44 + Math.max(60, Math.min(this.lines.length * 22, 560)), label = kase.sums ? 'parts that are in the sums' : kase.personal ? 'messages under way and delivered' : 'messages that each node holds';
    this.canvas = new Cells(this.frame, height, label, 'knowledge', {
      columns: this.columns.length, lines: this.lines.length, left: GAP, top: HEAD, most: 40, text: (column, line) => this.cellText(column, line), paint: (context, w, h) => this.paint(context, w, h),
    });
    this.canvas.told.textContent = 'Arrow keys in the picture: from cell to cell.' + (this.columns.length < kase.topology.nodes ? ` Of ${number(kase.topology.nodes)} nodes ${number(this.columns.length)} are shown.` : '');
    this.legend = el('div', { class: 'legend' });
    this.frame.append(this.legend);
    clock.onChange(() => this.update());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.update());
    this.update();
  }

  /** How many pairs there are, and come in each round. */
  count() {
    const { kase } = this, { nodes } = kase.topology, last = kase.rounds.length;
    this.known = kase.knowledge();
    this.byRound = new Float64Array(last + 1);
    this.pairs = 0;
    for (const x of kase.tails) {
      for (let m = 0; m < nodes; ++m) {
        if (!this.known.meant(x, m)) continue;
        ++this.pairs;
        const came = this.known.came(x, m);
        if (came <= last) ++this.byRound[came];
      }
    }
  }

  update() {
    const { kase, clock } = this, last = this.lastRound();
    let there = 0;
    for (let r = 0; r <= last; ++r) there += this.byRound[r] || 0;
    const each = kase.whole ? 1 : kase.symmetry.order;
    const now = clock.round === 0 ? '' : `, ${number((this.byRound[clock.round] || 0) * each)} of them in round ${clock.round}`;
    this.counted.textContent = `${clock.round === 0 ? 'In the end' : 'After round ' + clock.round}: ${number(there * each)} of ${number(this.pairs * each)} ` +
      (kase.sums ? 'parts of sums there' : kase.personal ? 'messages delivered' : 'pairs of a node and a message') + now + '.';
    this.legend.replaceChildren(...this.keys().map(([colour, text]) => el('span', { class: 'key' }, el('span', { class: 'swatch', style: `background:${colour}` }), text)));
    this.canvas.draw();
  }
  /** The legend: colours, and what they mean. */
  keys() {
    const { kase, clock } = this, rounds = kase.rounds.length, some = [...new Set([1, Math.ceil(rounds / 2), rounds])];
    return [['var(--warn)', 'its own'], ...(clock.round === 0
      ? [...some.map((r) => [this.shade(r), (kase.personal ? 'delivered' : 'came') + ' in round ' + number(r)]), ['var(--faint)', 'never']]
      : [['var(--load4)', kase.personal ? 'delivered before' : 'held before'], ['var(--ink)', 'new in this round (with a dot)'],
        ...(kase.personal ? [['var(--load1)', 'under way (small)']] : []), ['var(--faint)', kase.personal ? 'not yet sent' : 'not yet there']])];
  }
  lastRound() { return this.clock.round === 0 ? this.kase.rounds.length : this.clock.round; }
  /** From light to dark, on a dark page from dark to light, as the rounds go on. */
  shade(round) {
    const part = round / Math.max(this.kase.rounds.length, 1);
    return `hsl(206 ${isDark() ? 45 : 50}% ${isDark() ? 24 + 56 * part : 84 - 58 * part}%)`;
  }

  cellText(column, line) {
    const { kase, known } = this, x = this.lines[line], m = this.columns[column], row = kase.topology.name(x), name = kase.topology.name(m);
    const came = known.came(x, m), left = known.left ? known.left(x, m) : NEVER;
    return (kase.sums ? `sum of node ${row}, part of node ${name}` : kase.personal ? `from node ${row} to node ${name}` : `node ${row}, message of node ${name}`) +
      (came === 0 ? '\nits own' : came !== NEVER ? `\n${kase.personal ? 'delivered' : 'came'} in round ${came}` : '\nnever comes') +
      (left !== NEVER && left !== 0 ? `, set out in round ${left}` : '');
  }

  paint(context, w, h) {
    const { topology } = this.kase, { columns, lines } = this;
    if (w > 5 && h > 5) this.paintCells(context, w, h);
    else context.drawImage(this.pixels(), GAP, HEAD, w * columns.length, h * lines.length);
    context.fillStyle = cssColour('soft');
    context.textAlign = 'center';
    const wide = Math.min(context.measureText(topology.longest).width, 60) + 10;
    for (let c = 0; c < columns.length; c += Math.max(1, Math.ceil(wide / w))) context.fillText(topology.name(columns[c]), GAP + (c + 0.5) * w, 13, 60);
    context.textAlign = 'right';
    for (let l = 0; l < lines.length; l += Math.max(1, Math.ceil(13 / h))) context.fillText(topology.name(lines[l]), 38, HEAD + (l + 0.5) * h, 36);
    context.textAlign = 'left';
  }

  paintCells(context, w, h) {
    const { known, clock } = this, last = this.lastRound();
    const colour = { own: cssColour('warn'), old: cssColour('load4'), fresh: cssColour('ink'), way: cssColour('load1'), none: cssColour('faint'), card: cssColour('card') };
    context.fillStyle = colour.none;
    context.fillRect(GAP, HEAD, w * this.columns.length, h * this.lines.length);
    for (let line = 0; line < this.lines.length; ++line) {
      for (let column = 0; column < this.columns.length; ++column) {
        const x = GAP + column * w, y = HEAD + line * h;
        const came = known.came(this.lines[line], this.columns[column]), left = known.left ? known.left(this.lines[line], this.columns[column]) : NEVER;
        if (came <= last) {
          const fresh = came > 0 && came === clock.round;
          context.fillStyle = came === 0 ? colour.own : clock.round === 0 ? this.shade(came) : fresh ? colour.fresh : colour.old;
          context.fillRect(x, y, w - 1, h - 1);
          if (!fresh) continue;
          context.fillStyle = colour.card;
          context.beginPath();
          context.arc(x + (w - 1) / 2, y + (h - 1) / 2, Math.min(w, h) / 7, 0, 7);
          context.fill();
        } else if (left <= last) {
          context.fillStyle = colour.way;
          context.fillRect(x + w * 0.25, y + h * 0.25, w * 0.5, h * 0.5);
        }
      }
    }
  }

  /** Small cells are pixels of an image, which is stretched: a rectangle for each would take too long. */
  pixels() {
    const { known, clock, columns, lines } = this, last = this.lastRound(), rounds = Math.max(this.kase.rounds.length, 1);
    const image = el('canvas', { width: columns.length, height: lines.length }), context = image.getContext('2d'), data = context.createImageData(columns.length, lines.length);
    const rgb = (css) => { context.fillStyle = css; return [1, 3, 5].map((k) => parseInt(context.fillStyle.slice(k, k + 2), 16)); };
    const [own, old, fresh, way, none] = ['warn', 'load4', 'ink', 'load1', 'faint'].map((name) => rgb(cssColour(name)));
    const shades = Array.from({ length: 65 }, (_, k) => rgb(this.shade(k / 64 * rounds)));
    let at = 0;
    for (const x of lines) {
      for (const m of columns) {
        const came = known.came(x, m);
        let colour = known.left && known.left(x, m) <= last ? way : none;
        if (came <= last) colour = came === 0 ? own : clock.round === 0 ? shades[Math.round(came / rounds * 64)] : came === clock.round ? fresh : old;
        data.data.set([...colour, 255], at);
        at += 4;
      }
    }
    context.putImageData(data, 0, 0);
    return image;
  }
}
