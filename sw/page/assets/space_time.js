'use strict';
// Space and time: links downwards, cycles to the right, a bar for each run of flits.

const GUTTER = 76;     // pixels for the names of rows
const SHARE = 40;      // for the share of busy links, above
const AXIS = 22;       // for cycles and rounds

class SpaceTime {
  constructor(parent, kase, clock, palette) {
    Object.assign(this, { kase, clock, palette });
    this.selected = null;
    this.missing = this.readRuns(kase.data.seen ? kase.data.seen.missing : []);
    this.extra = this.readRuns(kase.data.seen ? kase.data.seen.extra : []);
    this.hidden = new Set(this.missing.map((run) => run.row + ':' + run.begin));
    const rows = Math.max(kase.rows.length, 1);
    this.height = SHARE + AXIS + Math.max(120, Math.min(rows * 16, 520)) + 4;
    this.toolbar(parent);
    this.canvas = new Canvas(parent, this.height, 'runs of flits on the links over time', (c, w, h) => this.paint(c, w, h));
    this.element = this.canvas.element;
    this.element.tabIndex = 0;
    this.element.id = 'space-time';
    this.info = el('p', { class: 'note', 'aria-live': 'polite', id: 'space-time-info' }, 'Drag to move, + and − to zoom (or the wheel, after a click into the picture), n and p for the next and previous bar of a row, 0 for all.');
    parent.append(this.info);
    this.fit();
    this.listen();
    clock.onChange((round) => { this.showRound(round); this.canvas.draw(); });
  }

  readRuns(runs) {
    const { kase } = this;
    return runs.map(([begin, flits, from, to, message, first]) => ({
      begin, end: begin + flits, row: kase.row(from, kase.topology.portTo(from, to)), first, from, to,
      message: message === null ? null : Array.isArray(message) ? message : [message, null, null],
    }));
  }

  toolbar(parent) {
    const button = (text, title, action) => el('button', { type: 'button', title, onclick: action }, text);
    parent.append(el('div', { class: 'tools' },
      button('+', 'zoom in', () => this.zoom(0.5)), button('−', 'zoom out', () => this.zoom(2)), button('all', 'show all cycles', () => { this.fit(); this.canvas.draw(); }),
      button('▲', 'rows up', () => this.scroll(-0.6)), button('▼', 'rows down', () => this.scroll(0.6))));
  }

  fit() {
    this.from = 0;
    this.to = this.kase.cycles + 1;
    this.top = 0;
    const room = this.height - SHARE - AXIS - 4;
    this.rowHeight = Math.max(7, Math.min(16, room / Math.max(this.kase.rows.length, 1)));
  }
  /** Keeps the view within what there is. */
  hold() {
    const span = Math.max(4, Math.min(this.to - this.from, this.kase.cycles + 1));
    this.from = Math.max(0, Math.min(this.from, this.kase.cycles + 1 - span));
    this.to = this.from + span;
    const most = this.kase.rows.length * this.rowHeight - (this.height - SHARE - AXIS - 4);
    this.top = Math.max(0, Math.min(this.top, most));
  }
  zoom(factor, at = (this.from + this.to) / 2) {
    this.from = at - (at - this.from) * factor;
    this.to = at + (this.to - at) * factor;
    this.hold();
    this.canvas.draw();
  }
  scroll(share) {
    this.top += share * (this.height - SHARE - AXIS);
    this.hold();
    this.canvas.draw();
  }
  showRound(round) {
    const slot = this.kase.rounds[round - 1];
    if (!slot || (slot.start >= this.from && slot.start + slot.length <= this.to)) return;
    const span = this.to - this.from;
    this.from = slot.start - Math.max(0, span - slot.length) / 2;
    this.to = this.from + span;
    this.hold();
  }
  showCycle(cycle, row, span) {
    this.from = cycle - span / 2;
    this.to = cycle + span / 2;
    this.top = row * this.rowHeight - (this.height - SHARE - AXIS) / 2;
    this.hold();
    this.canvas.draw();
  }

  x(cycle) { return GUTTER + (cycle - this.from) / (this.to - this.from) * (this.canvas.width - GUTTER - 6); }
  cycleAt(x) { return this.from + (x - GUTTER) / (this.canvas.width - GUTTER - 6) * (this.to - this.from); }
  y(row) { return SHARE + AXIS + row * this.rowHeight - this.top; }

  listen() {
    const { element } = this;
    let drag = null;
    element.addEventListener('pointerdown', (event) => {
      drag = { x: event.clientX, y: event.clientY, from: this.from, to: this.to, top: this.top, moved: false };
      element.setPointerCapture(event.pointerId);
      element.classList.add('drag');
    });
    element.addEventListener('pointermove', (event) => {
      if (!drag) return this.hover(event);
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (Math.abs(dx) + Math.abs(dy) > 3) drag.moved = true;
      const cycles = dx / (this.canvas.width - GUTTER - 6) * (drag.to - drag.from);
      this.from = drag.from - cycles;
      this.to = drag.to - cycles;
      this.top = drag.top - dy;
      this.hold();
      tip.hide();
      this.canvas.draw();
    });
    element.addEventListener('pointerup', (event) => {
      if (drag && !drag.moved) this.select(this.barAt(event.offsetX, event.offsetY));
      drag = null;
      element.classList.remove('drag');
    });
    element.addEventListener('pointercancel', () => { drag = null; });
    element.addEventListener('pointerleave', () => tip.hide());
    element.addEventListener('wheel', (event) => {
      if (document.activeElement !== element && !event.ctrlKey) return;
      event.preventDefault();
      if (event.shiftKey) this.scroll(Math.sign(event.deltaY) * 0.2);
      else this.zoom(Math.exp(Math.sign(event.deltaY) * 0.2), this.cycleAt(event.offsetX));
    }, { passive: false });
    element.addEventListener('keydown', (event) => this.key(event));
  }
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const span = this.to - this.from;
    const move = (by) => { this.from += by; this.to += by; this.hold(); this.canvas.draw(); };
    const actions = {
      '+': () => this.zoom(0.6), '=': () => this.zoom(0.6), '-': () => this.zoom(1 / 0.6), '0': () => { this.fit(); this.canvas.draw(); },
      ArrowLeft: () => move(-span / 8), ArrowRight: () => move(span / 8), ArrowUp: () => this.scroll(-0.15), ArrowDown: () => this.scroll(0.15),
      n: () => this.step(1), p: () => this.step(-1), Escape: () => this.select(null),
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  }
  /** The next or previous bar of the row of the one that is selected. */
  step(by) {
    const { kase } = this, s = kase.streams;
    if (this.selected === null) return this.select(kase.byRow.find((list) => list.length)?.[0] ?? null);
    const list = kase.byRow[s.row[this.selected]], at = list.indexOf(this.selected) + by;
    if (at >= 0 && at < list.length) return this.select(list[at]);
    for (let row = s.row[this.selected] + by; row >= 0 && row < kase.rows.length; row += by) {
      const other = kase.byRow[row];
      if (other.length) return this.select(by > 0 ? other[0] : other[other.length - 1]);
    }
  }
  select(i) {
    this.selected = i;
    if (i !== null && i !== undefined) {
      this.info.textContent = this.barText(i).replaceAll('\n', ' · ');
      const y = this.y(this.kase.streams.row[i]);
      if (y < SHARE + AXIS || y > this.height - this.rowHeight) this.top += y - this.height / 2;
      this.hold();
    } else this.selected = null;
    this.canvas.draw();
  }

  barAt(x, y) {
    const row = Math.floor((y - SHARE - AXIS + this.top) / this.rowHeight), cycle = Math.floor(this.cycleAt(x));
    if (y < SHARE + AXIS || !this.kase.byRow[row] || x < GUTTER) return null;
    const s = this.kase.streams;
    return this.kase.byRow[row].find((i) => s.begin[i] <= cycle && cycle < s.end[i]) ?? null;
  }
  barText(i, cycle = null) {
    const { kase } = this, s = kase.streams, t = kase.transfers[s.transfer[i]], { tail, head } = kase.rows[s.row[i]];
    let text = `round ${t.round}, link ${kase.linkName({ tail, head })}\ncycles ${number(s.begin[i])} to ${number(s.end[i] - 1)}: ` +
      (kase.equal ? `${plural(t.count, 'message')} of ${plural(kase.flits, 'flit')}` : `${plural(t.count, kase.pieces === 1 ? 'message' : 'piece')}, ${plural(s.end[i] - s.begin[i], 'flit')}`);
    text += `\npath ${kase.path(i).map((x) => kase.topology.name(x)).join(' → ')}` + (t.path.length > 2 ? ` (hop ${s.hop[i] + 1} of ${t.path.length - 1})` : '') + (t.stored ? '' : `; node ${kase.topology.name(head)} only passes it on`);
    if (cycle !== null && t.messages) {
      const flit = cycle - s.begin[i], k = kase.messageOf(t, flit), m = kase.message(i, k);
      if (m) text += `\nhere: message ${kase.messageName(m)}, flit ${flit - kase.offset(t, k)}`;
    } else if (t.count === 1 && t.messages) text += `\nmessage ${kase.messageName(kase.message(i, 0))}`;
    return text;
  }
  hover(event) {
    const { offsetX: x, offsetY: y } = event;
    const cycle = Math.floor(this.cycleAt(x));
    if (y < SHARE && x > GUTTER) {
      const bins = this.share ? this.share.length : 1, k = Math.floor(cycle / (this.kase.cycles + 1) * bins);
      return tip.show(event, `cycle ${number(cycle)}: ${percent(this.share[k] || 0)} of the links busy`);
    }
    const row = Math.floor((y - SHARE - AXIS + this.top) / this.rowHeight);
    const odd = [...this.extra, ...this.missing].find((run) => run.row === row && run.begin <= cycle && cycle < run.end);
    if (odd && y > SHARE + AXIS) {
      return tip.show(event, `link ${this.kase.linkName({ tail: odd.from, head: odd.to })}, cycles ${odd.begin} to ${odd.end - 1}\n` +
        (this.missing.includes(odd) ? 'expected and not seen: ' : 'seen and not expected: ') + (odd.message ? 'message ' : '') + this.kase.messageName(odd.message));
    }
    const bar = this.barAt(x, y);
    if (bar === null) return tip.hide();
    tip.show(event, this.barText(bar, cycle));
  }

  paint(context, width, height) {
    const { kase } = this;
    this.hold();
    const ink = cssColour('ink'), soft = cssColour('soft'), line = cssColour('line'), faint = cssColour('faint');
    // Rounds, every second one shaded, behind everything.
    const now = kase.rounds[this.clock.round - 1];
    context.textAlign = 'left';
    let labelEnd = -1;
    const visible = firstFrom(0, kase.rounds.length, (r) => kase.rounds[r].start + kase.rounds[r].length >= this.from);
    for (let r = visible; r < kase.rounds.length && kase.rounds[r].start <= this.to; ++r) {
      const { start, length } = kase.rounds[r], x0 = Math.max(this.x(start), GUTTER), x1 = Math.min(this.x(start + length), width - 6);
      if (x1 <= x0) continue;
      if (r % 2 === 0 && x1 - x0 > 1) { context.fillStyle = faint; context.fillRect(x0, SHARE, x1 - x0, height - SHARE); }
      const name = x1 - x0 > 58 ? 'round ' + (r + 1) : String(r + 1), w = context.measureText(name).width;
      if (x0 + 3 > labelEnd + 6 && x1 - x0 > Math.min(w + 4, 14)) {
        context.fillStyle = soft;
        context.fillText(name, x0 + 3, SHARE + 11);
        labelEnd = x0 + 3 + w;
      }
    }
    if (now) {
      context.strokeStyle = cssColour('accent');
      context.lineWidth = 2;
      const x0 = Math.max(this.x(now.start), GUTTER), x1 = Math.min(this.x(now.start + now.length), width - 6);
      if (x1 > x0) context.strokeRect(x0, SHARE + 1, x1 - x0, height - SHARE - 2);
    }
    this.paintShare(context, width, soft, line);
    context.save();
    context.beginPath();
    context.rect(0, SHARE + AXIS, width, height - SHARE - AXIS);
    context.clip();
    const first = Math.max(0, Math.floor(this.top / this.rowHeight)), last = Math.min(kase.rows.length - 1, Math.ceil((this.top + height) / this.rowHeight));
    for (let row = first; row <= last; ++row) this.paintRow(context, row, soft, line, width);
    this.paintOdd(context, ink);
    context.restore();
    this.paintAxis(context, width, height, soft);
  }
  paintShare(context, width, soft, line) {
    const bins = Math.min(this.kase.cycles + 1, 4096);
    this.share = this.share || this.kase.busyShare(bins);
    context.fillStyle = soft;
    context.textAlign = 'right';
    context.fillText('busy links', GUTTER - 8, 19);
    context.fillText('100 %', GUTTER - 8, 31);
    context.fillStyle = cssColour('load3');
    const base = SHARE - 4, room = SHARE - 18, perPixel = (this.to - this.from) / (width - GUTTER - 6);
    for (let x = GUTTER; x < width - 6; ++x) {
      const a = Math.floor(this.cycleAt(x) / (this.kase.cycles + 1) * bins), b = Math.max(a + 1, Math.ceil((this.cycleAt(x) + perPixel) / (this.kase.cycles + 1) * bins));
      let sum = 0;
      for (let k = a; k < b; ++k) sum += this.share[k] || 0;
      const h = sum / (b - a) * room;
      context.fillRect(x, base - h, 1, h);
    }
    context.fillStyle = line;
    context.fillRect(GUTTER, base, width - GUTTER - 6, 1);
  }

  paintRow(context, row, soft, line, width) {
    const { kase, palette } = this, s = kase.streams, y = this.y(row), h = this.rowHeight;
    const { tail, head, port } = kase.rows[row];
    context.textAlign = 'right';
    context.fillStyle = soft;
    const broken = kase.isDead(NEVER, tail, head);
    if (broken) this.paintBroken(context, y, h, width);
    if (h >= 10 || row % Math.ceil(12 / h) === 0) context.fillText((broken ? '✕ ' : '') + kase.linkName({ tail, head }), GUTTER - 8, Math.max(y + h / 2, SHARE + AXIS + 6), GUTTER - 10);
    context.fillStyle = line;
    context.fillRect(GUTTER, Math.round(y), width - GUTTER - 6, 0.5);
    const list = kase.byRow[row];
    const shown = firstFrom(0, list.length, (k) => s.end[list[k]] >= this.from);  // streams of a row do not overlap
    for (let k = shown; k < list.length && s.begin[list[k]] < this.to; ++k) this.paintStream(context, list[k], y + (h > 9 ? 1.5 : 0.75), h - (h > 9 ? 3 : 1.5), palette, port);
  }

  /** The time in which a link is broken. */
  paintBroken(context, y, h, width) {
    const { kase } = this, slot = kase.rounds[kase.faults.from - 1], x = Math.max(this.x(slot ? slot.start : 0), GUTTER);
    if (x >= width - 6) return;
    context.strokeStyle = cssColour('bad');
    context.globalAlpha = 0.6;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, y + h / 2);
    context.lineTo(width - 6, y + h / 2);
    context.stroke();
    context.globalAlpha = 1;
  }

  paintStream(context, i, y, h, palette) {
    const { kase } = this, s = kase.streams, t = kase.transfers[s.transfer[i]];
    const x0 = Math.max(this.x(s.begin[i]), GUTTER), x1 = Math.min(this.x(s.end[i]), this.canvas.width - 6);
    if (x1 <= GUTTER || x0 >= x1) return;
    const each = (this.x((s.end[i] - s.begin[i]) / t.count) - this.x(0));  // pixels of a message
    if (!t.messages) {  // nobody has listed them: a bar with its count
      context.fillStyle = cssColour('load3');
      context.fillRect(x0, y, Math.max(x1 - x0, 0.6), h);
      this.label(context, plural(t.count, 'message'), x0, x1, y, h, isDark() ? '#101417' : '#fff');
    } else if (each >= 1.2) {
      const first = kase.messageOf(t, Math.max(0, Math.floor(this.cycleAt(x0) - s.begin[i])));
      for (let k = first; k < t.count; ++k) {
        const begin = s.begin[i] + kase.offset(t, k), end = s.begin[i] + kase.offset(t, k + 1);
        const a = Math.max(this.x(begin), GUTTER), b = Math.min(this.x(end), this.canvas.width - 6);
        if (a >= this.canvas.width - 6) break;
        if (this.hidden.has(s.row[i] + ':' + begin)) continue;
        const m = kase.message(i, k);
        context.fillStyle = palette.of(m[0]);
        context.fillRect(a, y, Math.max(b - a - (each > 4 ? 0.8 : 0), 0.6), h);
        this.label(context, kase.messageName(m), a, b, y, h, palette.text);
      }
    } else {  // a pixel for several messages: the colour of the one in its middle
      for (let x = x0; x < x1; x += 1) {
        const k = Math.min(t.count - 1, kase.messageOf(t, Math.max(0, Math.floor(this.cycleAt(x + 0.5) - s.begin[i]))));
        context.fillStyle = palette.of(kase.message(i, k)[0]);
        context.fillRect(x, y, Math.min(1, x1 - x), h);
      }
    }
    if (i === this.selected) {
      context.strokeStyle = cssColour('warn');
      context.lineWidth = 2;
      context.strokeRect(x0 - 1, y - 1, x1 - x0 + 2, h + 2);
    }
  }
  label(context, text, a, b, y, h, colour) {
    if (h < 10 || b - a < 12 || context.measureText(text).width > b - a - 4) return;
    context.fillStyle = colour;
    context.textAlign = 'left';
    context.fillText(text, a + 3, y + h / 2 + 0.5);
  }

  /** What was expected and not seen is an empty dashed frame, what was not expected a hatched bar. */
  paintOdd(context, ink) {
    const bad = cssColour('bad'), h = this.rowHeight;
    for (const run of this.missing) {
      const a = this.x(run.begin), b = this.x(run.end), y = this.y(run.row);
      if (b < GUTTER || a > this.canvas.width) continue;
      context.strokeStyle = bad;
      context.lineWidth = 1.5;
      context.setLineDash([3, 2]);
      context.strokeRect(Math.max(a, GUTTER) + 0.5, y + 1.5, Math.max(b - Math.max(a, GUTTER) - 1.5, 1), h - 3);
      context.setLineDash([]);
      if (run.message) this.label(context, this.kase.messageName(run.message), Math.max(a, GUTTER), b, y, h, ink);
    }
    for (const run of this.extra) {
      const a = Math.max(this.x(run.begin), GUTTER), b = this.x(run.end), y = this.y(run.row);
      if (b < GUTTER || a > this.canvas.width) continue;
      hatch(context, a, y + h * 0.55, Math.max(b - a - 0.8, 1), h * 0.4, bad);
    }
  }

  paintAxis(context, width, height, soft) {
    const step = markStep(this.to - this.from, (width - GUTTER) / 90);
    context.fillStyle = soft;
    context.textAlign = 'center';
    for (let c = Math.ceil(this.from / step) * step; c <= this.to; c += step) {
      const x = this.x(c);
      context.fillRect(x, SHARE - 4, 1, 4);
      if (x > GUTTER + 12 && x < width - 20) context.fillText(number(c), x, 6);
    }
    context.textAlign = 'right';
    context.fillText('cycle', GUTTER - 8, 6);
  }
}

/** A bar that differs without its colour, too. */
function hatch(context, x, y, width, height, colour) {
  stripes(context, x, y, width, height, colour);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, Math.max(width - 1, 0.5), Math.max(height - 1, 0.5));
}
