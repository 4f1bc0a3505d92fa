'use strict';
// Who knows what: nodes and messages as a matrix, after each round.

const MOST_CELLS = 720;  // on a side; of more, a cell stands for several

class Knowledge {
  constructor(parent, kase, clock) {
    Object.assign(this, { kase, clock });
    this.known = kase.knowledge();
    this.rowNodes = kase.whole ? [...Array(kase.topology.nodes).keys()] : kase.tails;
    this.counted = el('p', { id: 'knowledge-count', 'aria-live': 'polite' });
    this.rowsEach = Math.ceil(this.rowNodes.length / MOST_CELLS);
    this.columnsEach = Math.ceil(kase.topology.nodes / MOST_CELLS);
    this.readMatrix();
    const rows = Math.ceil(this.rowNodes.length / this.rowsEach);
    this.frame = el('div', { class: 'panel' });
    parent.append(this.counted, this.frame);
    this.canvas = new Canvas(this.frame, 44 + Math.max(60, Math.min(rows * 22, 560)), kase.personal ? 'messages under way and delivered' : 'messages that each node holds', (c, w, h) => this.paint(c, w, h));
    const { element } = this.canvas;
    element.id = 'knowledge';
    element.addEventListener('pointermove', (event) => this.hover(event));
    element.addEventListener('pointerleave', () => tip.hide());
    this.legend = el('div', { class: 'legend' });
    this.frame.append(this.legend);
    clock.onChange(() => this.update());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.update());
    this.update();
  }

  /** The round of every pair, and how many come in each; a cell of the picture may stand for several. */
  readMatrix() {
    const { kase, known } = this, n = kase.topology.nodes;
    this.columns = Math.ceil(n / this.columnsEach);
    this.lines = Math.ceil(this.rowNodes.length / this.rowsEach);
    this.merged = this.rowsEach > 1 || this.columnsEach > 1;
    this.matrix = new Uint32Array(this.rowNodes.length * n);
    this.byRound = new Float64Array(kase.rounds.length + 2);
    this.pairs = 0;
    this.rowNodes.forEach((x, row) => {
      for (let m = 0; m < n; ++m) {
        const came = known.came(x, m);
        this.matrix[row * n + m] = came;
        if (!known.meant(x, m)) continue;
        ++this.pairs;
        if (came <= kase.rounds.length) ++this.byRound[came];
      }
    });
  }

  /** Of the pairs that cells stand for: how many are there by round `last`, the sum of their rounds, and how many are new. */
  count(last, round) {
    const n = this.kase.topology.nodes, cells = this.lines * this.columns;
    const there = new Float64Array(cells), sum = new Float64Array(cells), fresh = new Float64Array(cells);
    for (let row = 0; row < this.rowNodes.length; ++row) {
      const line = Math.floor(row / this.rowsEach) * this.columns;
      for (let m = 0; m < n; ++m) {
        const came = this.matrix[row * n + m];
        if (came > last) continue;
        const cell = line + (m / this.columnsEach | 0);
        ++there[cell];
        sum[cell] += came;
        if (came === round) ++fresh[cell];
      }
    }
    return { there, sum, fresh };
  }

  update() {
    const { kase, clock } = this, last = clock.round === 0 ? kase.rounds.length : clock.round;
    let there = 0;
    for (let r = 0; r <= last; ++r) there += this.byRound[r] || 0;
    const each = kase.whole ? 1 : kase.symmetry.order;
    this.there = there * each;
    const now = clock.round === 0 ? '' : `, ${number((this.byRound[clock.round] || 0) * each)} of them in round ${clock.round}`;
    this.counted.textContent = `${clock.round === 0 ? 'In the end' : 'After round ' + clock.round}: ${number(this.there)} of ${number(this.pairs * each)} ` +
      (kase.personal ? 'messages delivered' : 'pairs of a node and a message') + now + '.';
    const key = (name, text) => el('span', { class: 'key' }, el('span', { class: 'swatch', style: `background:${name.startsWith('h') ? name : `var(--${name})`}` }), text);
    const rounds = kase.rounds.length, some = [...new Set([1, Math.ceil(rounds / 2), rounds])];
    this.legend.replaceChildren(key('warn', 'its own'), ...(clock.round === 0
      ? [...some.map((r) => key(this.shade(r), (kase.personal ? 'delivered' : 'came') + ' in round ' + number(r))), key('faint', 'never')]
      : [key('load4', kase.personal ? 'delivered before' : 'held before'), key('ink', 'new in this round (with a dot)'),
        ...(kase.personal ? [key('load1', 'under way (small)')] : []), key('faint', kase.personal ? 'not yet sent' : 'not yet there')]));
    this.canvas.draw();
  }
  /** From light to dark, on a dark page from dark to light, as the rounds go on. */
  shade(round) {
    const part = round / Math.max(this.kase.rounds.length, 1);
    return `hsl(206 ${isDark() ? 45 : 50}% ${isDark() ? 24 + 56 * part : 84 - 58 * part}%)`;
  }

  hover(event) {
    const { kase, known } = this;
    const column = Math.floor((event.offsetX - 44) / this.cellWidth), line = Math.floor((event.offsetY - 22) / this.cellHeight);
    if (column < 0 || column >= this.columns || line < 0 || line >= this.lines) return tip.hide();
    const name = (first, each, of) => (each === 1 ? of[first] : `${of[first * each]}–${of[Math.min((first + 1) * each, of.length) - 1]}`);
    const all = { length: kase.topology.nodes };
    const rowName = this.rowsEach === 1 ? this.rowNodes[line] : name(line, this.rowsEach, this.rowNodes);
    const columnName = this.columnsEach === 1 ? column : `${column * this.columnsEach}–${Math.min((column + 1) * this.columnsEach, all.length) - 1}`;
    let text = kase.personal ? `from node ${rowName} to node ${columnName}` : `node ${rowName}, message of node ${columnName}`;
    if (!this.merged) {
      const came = known.came(rowName, columnName), left = known.left ? known.left(rowName, columnName) : NEVER;
      text += came === 0 ? '\nits own' : came !== NEVER ? `\n${kase.personal ? 'delivered' : 'came'} in round ${came}` : '\nnever comes';
      if (left !== NEVER && left !== 0) text += `, set out in round ${left}`;
    } else {
      text += `\n${percent(this.cells.there[line * this.columns + column] / (this.rowsEach * this.columnsEach))} are there`;
    }
    tip.show(event, text);
  }

  paint(context, width, height) {
    const { kase, known, clock } = this, last = clock.round === 0 ? kase.rounds.length : clock.round;
    this.cellWidth = Math.min((width - 50) / this.columns, 40);
    this.cellHeight = Math.min((height - 26) / this.lines, 40);
    const { cellWidth: w, cellHeight: h } = this;
    const gapX = w > 5 ? 1 : 0, gapY = h > 5 ? 1 : 0;
    const colour = { own: cssColour('warn'), old: cssColour('load4'), fresh: cssColour('ink'), way: cssColour('load1'), none: cssColour('faint'), soft: cssColour('soft'), card: cssColour('card') };
    const shades = kase.rounds.map((_, r) => this.shade(r));
    shades.push(this.shade(kase.rounds.length));
    context.fillStyle = colour.none;
    context.fillRect(44, 22, w * this.columns, h * this.lines);
    if (this.merged) this.cells = this.count(last, clock.round);
    for (let line = 0; line < this.lines; ++line) {
      for (let column = 0; column < this.columns; ++column) {
        const x = 44 + column * w, y = 22 + line * h;
        if (this.merged) {
          const cell = line * this.columns + column, there = this.cells.there[cell];
          if (!there) continue;
          context.globalAlpha = 0.15 + 0.85 * there / (this.rowsEach * this.columnsEach);
          context.fillStyle = clock.round === 0 ? this.shade(this.cells.sum[cell] / there) : this.cells.fresh[cell] ? colour.fresh : colour.old;
          context.fillRect(x, y, Math.max(w - gapX, 0.5), Math.max(h - gapY, 0.5));
          context.globalAlpha = 1;
          continue;
        }
        const came = known.came(this.rowNodes[line], column), left = known.left ? known.left(this.rowNodes[line], column) : NEVER;
        if (came <= last) {
          const fresh = came > 0 && came === clock.round;
          context.fillStyle = came === 0 ? colour.own : clock.round === 0 ? shades[came] : fresh ? colour.fresh : colour.old;
          context.fillRect(x, y, Math.max(w - gapX, 0.5), Math.max(h - gapY, 0.5));
          if (fresh && w > 5 && h > 5) {
            context.fillStyle = colour.card;
            context.beginPath();
            context.arc(x + (w - gapX) / 2, y + (h - gapY) / 2, Math.min(w, h) / 7, 0, 7);
            context.fill();
          }
        } else if (left <= last) {
          context.fillStyle = colour.way;
          context.fillRect(x + w * 0.25, y + h * 0.25, Math.max(w * 0.5, 0.5), Math.max(h * 0.5, 0.5));
        }
      }
    }
    context.fillStyle = colour.soft;
    context.textAlign = 'center';
    const wide = context.measureText(String(kase.topology.nodes)).width + 10;
    for (let c = 0; c < this.columns; c += Math.max(1, Math.ceil(wide / w))) context.fillText(c * this.columnsEach, 44 + (c + 0.5) * w, 13);
    context.textAlign = 'right';
    for (let l = 0; l < this.lines; l += Math.max(1, Math.ceil(13 / h))) context.fillText(this.rowNodes[l * this.rowsEach], 38, 22 + (l + 0.5) * h);
    context.textAlign = 'left';
  }
}
