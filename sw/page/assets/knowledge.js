'use strict';
// Who knows what: nodes and messages as a matrix, after each round.

const MOST_CELLS = 720;         // on a side; of more, a cell stands for several
const GAP = 44, HEAD = 22;      // pixels for the numbers of lines and columns

class Knowledge {
  constructor(parent, kase, clock) {
    Object.assign(this, { kase, clock });
    this.rowNodes = kase.whole ? [...Array(kase.topology.nodes).keys()] : kase.tails;
    this.counted = el('p', { id: 'knowledge-count', 'aria-live': 'polite' });
    parent.append(this.counted);
    if (!kase.data.came) {
      this.counted.textContent = `${number(this.rowNodes.length)} nodes with ${number(kase.topology.nodes)} messages each are too many to show.`;
      return;
    }
    this.rowsEach = Math.ceil(this.rowNodes.length / MOST_CELLS);
    this.columnsEach = Math.ceil(kase.topology.nodes / MOST_CELLS);
    this.columns = Math.ceil(kase.topology.nodes / this.columnsEach);
    this.lines = Math.ceil(this.rowNodes.length / this.rowsEach);
    this.merged = this.rowsEach > 1 || this.columnsEach > 1;
    this.frame = el('div', { class: 'panel' });
    parent.append(this.frame);
    this.counted.textContent = 'Counting …';
    const rest = inPieces(this.read(), (share) => { this.counted.textContent = `Counting … ${percent(share)}`; }, () => this.show());
    addEventListener('beforeprint', rest);
  }

  show() {
    const { kase, clock } = this;
    this.canvas = new Canvas(this.frame, 44 + Math.max(60, Math.min(this.lines * 22, 560)), kase.sums ? 'parts that are in the sums' : kase.personal ? 'messages under way and delivered' : 'messages that each node holds', (c, w, h) => this.paint(c, w, h));
    const { element } = this.canvas, told = teller('knowledge-told');
    told.textContent = 'Arrow keys in the picture: from cell to cell.';
    element.id = 'knowledge';
    this.cursor = new CellCursor(element, told, { size: () => [this.columns, this.lines], text: (column, line) => this.cellText(column, line), moved: () => this.canvas.draw() });
    element.addEventListener('pointermove', (event) => this.hover(event));
    element.addEventListener('pointerleave', () => tip.hide());
    this.legend = el('div', { class: 'legend' });
    this.frame.append(told, this.legend);
    clock.onChange(() => this.update());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.update());
    this.update();
  }

  /** How many pairs there are and come in each round; of merged cells the rounds of all their pairs, in order. */
  *read() {
    const { kase } = this, n = kase.topology.nodes, known = kase.knowledge();
    this.known = known;
    const last = kase.rounds.length;
    this.byRound = new Float64Array(last + 2);
    this.pairs = 0;
    const count = (x, m, came) => {
      if (!known.meant(x, m)) return;
      ++this.pairs;
      if (came <= last) ++this.byRound[came];
    };
    const values = this.merged ? new (last < 65000 ? Uint16Array : Uint32Array)(this.rowNodes.length * n) : null;
    this.begin = this.merged ? new Uint32Array(this.lines * this.columns + 1) : null;
    let at = 0;
    for (let line = 0; line < this.lines; ++line) {
      const rows = this.rowNodes.slice(line * this.rowsEach, (line + 1) * this.rowsEach);
      for (let column = 0; column < this.columns; ++column) {
        const first = at, to = Math.min((column + 1) * this.columnsEach, n);
        for (const x of rows) {
          for (let m = column * this.columnsEach; m < to; ++m) {
            const came = known.came(x, m);
            count(x, m, came);
            if (values) values[at++] = Math.min(came, last + 1);
          }
        }
        if (values) {
          values.subarray(first, at).sort();
          this.begin[line * this.columns + column + 1] = at;
        }
        if (column % 64 === 0) yield line / this.lines;
      }
    }
    this.rounds = values;
  }

  /** How many of a merged cell's pairs are there after a round. */
  there(cell, round) {
    const first = this.begin[cell];
    return firstFrom(first, this.begin[cell + 1], (at) => this.rounds[at] > round) - first;
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

  hover(event) {
    const column = Math.floor((event.offsetX - GAP) / this.cellWidth), line = Math.floor((event.offsetY - HEAD) / this.cellHeight);
    if (column < 0 || column >= this.columns || line < 0 || line >= this.lines) return tip.hide();
    tip.show(event, this.cellText(column, line));
  }
  cellText(column, line) {
    const { kase, known } = this, { nodes } = kase.topology;
    const part = (first, each, all, name) => (each === 1 ? name(first) : `${name(first * each)}–${name(Math.min((first + 1) * each, all) - 1)}`);
    const rowName = part(line, this.rowsEach, this.rowNodes.length, (k) => kase.topology.name(this.rowNodes[k])), columnName = part(column, this.columnsEach, nodes, (k) => kase.topology.name(k));
    const text = kase.sums ? `sum of node ${rowName}, part of node ${columnName}` : kase.personal ? `from node ${rowName} to node ${columnName}` : `node ${rowName}, message of node ${columnName}`;
    if (this.merged) {
      const cell = line * this.columns + column;
      return text + `\n${percent(this.there(cell, this.lastRound()) / (this.begin[cell + 1] - this.begin[cell]))} are there`;
    }
    const x = this.rowNodes[line], came = known.came(x, column), left = known.left ? known.left(x, column) : NEVER;
    return text + (came === 0 ? '\nits own' : came !== NEVER ? `\n${kase.personal ? 'delivered' : 'came'} in round ${came}` : '\nnever comes') +
      (left !== NEVER && left !== 0 ? `, set out in round ${left}` : '');
  }

  paint(context, width, height) {
    this.cellWidth = Math.min((width - 50) / this.columns, 40);
    this.cellHeight = Math.min((height - 26) / this.lines, 40);
    const { cellWidth: w, cellHeight: h } = this;
    if (w > 5 && h > 5) this.paintCells(context, w, h);
    else context.drawImage(this.pixels(), GAP, HEAD, w * this.columns, h * this.lines);
    context.fillStyle = cssColour('soft');
    context.textAlign = 'center';
    const { topology } = this.kase, wide = Math.min(context.measureText(topology.longest).width, 60) + 10;
    for (let c = 0; c < this.columns; c += Math.max(1, Math.ceil(wide / w))) context.fillText(topology.name(c * this.columnsEach), GAP + (c + 0.5) * w, 13, 60);
    context.textAlign = 'right';
    for (let l = 0; l < this.lines; l += Math.max(1, Math.ceil(13 / h))) context.fillText(topology.name(this.rowNodes[l * this.rowsEach]), 38, HEAD + (l + 0.5) * h, 36);
    context.textAlign = 'left';
    if (this.cursor && this.cursor.at) this.cursor.draw(context, GAP + this.cursor.at[0] * w, HEAD + this.cursor.at[1] * h, w, h);
  }

  paintCells(context, w, h) {
    const { known, clock } = this, last = this.lastRound();
    const colour = { own: cssColour('warn'), old: cssColour('load4'), fresh: cssColour('ink'), way: cssColour('load1'), none: cssColour('faint'), card: cssColour('card') };
    context.fillStyle = colour.none;
    context.fillRect(GAP, HEAD, w * this.columns, h * this.lines);
    for (let line = 0; line < this.lines; ++line) {
      for (let column = 0; column < this.columns; ++column) {
        const x = GAP + column * w, y = HEAD + line * h;
        const came = known.came(this.rowNodes[line], column), left = known.left ? known.left(this.rowNodes[line], column) : NEVER;
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
    const { known, clock, columns, lines } = this, last = this.lastRound();
    const image = el('canvas', { width: columns, height: lines }), context = image.getContext('2d'), data = context.createImageData(columns, lines);
    const rgb = (css) => { context.fillStyle = css; return [1, 3, 5].map((k) => parseInt(context.fillStyle.slice(k, k + 2), 16)); };
    const [own, old, fresh, way, none] = ['warn', 'load4', 'ink', 'load1', 'faint'].map((name) => rgb(cssColour(name)));
    const shades = Array.from({ length: 65 }, (_, k) => rgb(this.shade(k / 64 * Math.max(this.kase.rounds.length, 1))));
    const shadeOf = (round) => shades[Math.round(round / Math.max(this.kase.rounds.length, 1) * 64)];
    const put = (cell, colour, share) => {
      for (let k = 0; k < 3; ++k) data.data[cell * 4 + k] = none[k] + (colour[k] - none[k]) * share;
      data.data[cell * 4 + 3] = 255;
    };
    for (let cell = 0; cell < columns * lines; ++cell) {
      if (!this.merged) {
        const node = this.rowNodes[Math.floor(cell / columns)], came = known.came(node, cell % columns);
        if (came <= last) put(cell, came === 0 ? own : clock.round === 0 ? shadeOf(came) : came === clock.round ? fresh : old, 1);
        else put(cell, way, known.left && known.left(node, cell % columns) <= last ? 1 : 0);
        continue;
      }
      const all = this.begin[cell + 1] - this.begin[cell], there = this.there(cell, last);
      const middle = this.rounds[this.begin[cell] + (there >> 1)];  // of the rounds in which they came
      const isFresh = clock.round !== 0 && there > this.there(cell, clock.round - 1);
      put(cell, clock.round === 0 ? shadeOf(Math.min(middle, last)) : isFresh ? fresh : old, there ? 0.15 + 0.85 * there / all : 0);
    }
    context.putImageData(data, 0, 0);
    return image;
  }
}
