'use strict';
// What all pictures need: elements, numbers, colours, a tooltip, a canvas, the clock of rounds.

/** An element; text is always text, whatever it contains. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((c) => c !== null && c !== undefined).map((c) => (typeof c === 'number' ? String(c) : c)));
  return element;
}
function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A text that stands at the right of its column. */
const right = (text) => ({ right: text });
/** A table of texts, numbers, which stand at the right, and elements. The heads stand where the cells of the first row do. */
function table(id, heads, rows) {
  const place = (v) => ({ class: typeof v === 'number' || v?.right !== undefined ? 'number' : null });
  const text = (v) => (typeof v === 'number' ? number(v) : v?.right ?? v ?? '–');
  return el('table', { id },
    el('thead', {}, el('tr', {}, ...heads.map((head, k) => el('th', { ...place(rows[0]?.[k]), scope: 'col' }, head)))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((v) => el('td', place(v), text(v)))))));
}
/** Names, and beside each what it has. */
function pairs(rows) {
  return el('table', {}, ...rows.map(([name, value]) => el('tr', {}, el('th', {}, name), el('td', {}, value ?? '–'))));
}

const FONT = '11px system-ui, "Liberation Sans", Helvetica, Arial, sans-serif';

const number = (value) => (value === null || value === undefined ? '–' : value.toLocaleString('en-US', { maximumFractionDigits: 2 }));
const percent = (share) => (share * 100).toLocaleString('en-US', { maximumFractionDigits: share < 0.1 ? 1 : 0 }) + ' %';
const plural = (count, word) => number(count) + ' ' + word + (count === 1 ? '' : 's');

/** "0-48, 50 (50)" of many numbers: runs of neighbours, the first few of them. */
function ranges(numbers, most) {
  const sorted = [...numbers].sort((a, b) => a - b), parts = [];
  for (let i = 0; i < sorted.length;) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j] + 1) ++j;
    parts.push(i === j ? String(sorted[i]) : sorted[i] + '–' + sorted[j]);
    i = j + 1;
  }
  const shown = parts.slice(0, most).join(', ') + (parts.length > most ? ', …' : '');
  return sorted.length > 1 ? shown + ' (' + number(sorted.length) + ')' : shown;
}

/** The first number from `low` on of which `holds` is true, as it is of all after it; `high` if there is none below. */
function firstFrom(low, high, holds) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches;
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

/** The colours of origins are the waveform's; on a dark page the same, lighter. */
class Palette {
  constructor(colours) { this.colours = colours; this.refresh(); }
  refresh() {
    const light = (hex) => '#' + [1, 3, 5].map((k) => {
      const part = parseInt(hex.slice(k, k + 2), 16);
      return Math.round(part + (255 - part) * 0.42).toString(16).padStart(2, '0');
    }).join('');
    this.shown = isDark() ? this.colours.map(light) : this.colours;
    this.text = isDark() ? '#101417' : '#ffffff';
  }
  of(origin) { return origin === null ? cssColour('bad') : this.shown[origin % this.shown.length]; }
}

const tip = {
  show(event, text) {
    const box = document.getElementById('tip');
    box.textContent = text;
    const { width, height } = box.getBoundingClientRect();
    box.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + 'px';
    box.style.top = (event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18) + 'px';
    box.style.visibility = 'visible';
  },
  hide() { document.getElementById('tip').style.visibility = 'hidden'; },
};

/** Text that tells what a picture shows under the pointer or the cursor of the keys, also to those who do not see it. */
function teller(id) {
  return el('p', { class: 'note told', 'aria-live': 'polite', id });
}

/** A canvas as wide as its place, sharp on every screen; `draw(context, width, height)` paints it. */
class Canvas {
  constructor(parent, height, label, draw) {
    this.element = el('canvas', { role: 'img', 'aria-label': label });
    this.element.style.height = height + 'px';
    this.height = height;
    this.paint = draw;
    parent.append(this.element);
    new ResizeObserver(() => this.draw()).observe(this.element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    addEventListener('beforeprint', () => this.draw());
  }
  draw() {
    const width = this.element.clientWidth;
    if (!width) return;
    const scale = devicePixelRatio || 1;
    this.width = width;
    if (this.element.width !== Math.round(width * scale) || this.element.height !== Math.round(this.height * scale)) {
      this.element.width = Math.round(width * scale);
      this.element.height = Math.round(this.height * scale);
    }
    const context = this.element.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, this.height);
    context.font = FONT;
    context.textBaseline = 'middle';
    context.imageSmoothingEnabled = false;
    this.paint(context, width, this.height);
  }
}

/** Cells in columns from `left` and lines from `top` on; `paint(context, w, h)` draws them. The pointer, and a cursor that the arrow keys move, tell what a cell stands for. */
class Cells extends Canvas {
  constructor(parent, height, label, id, { columns, lines, left, top, most, text, paint }) {
    super(parent, height, label, (context, width) => {
      this.cell = [Math.min((width - left - 6) / columns, most), Math.min((height - top - 4) / lines, most)];
      const [w, h] = this.cell;
      paint(context, w, h);
      if (!this.at) return;
      context.strokeStyle = cssColour('warn');
      context.lineWidth = 2;
      context.strokeRect(left + this.at[0] * w - 1, top + this.at[1] * h - 1, Math.max(w, 3) + 2, Math.max(h, 3) + 2);
    });
    Object.assign(this, { columns, lines, text, at: null, told: teller(id + '-told') });
    parent.append(this.told);
    const { element } = this;
    element.id = id;
    element.tabIndex = 0;
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('blur', () => { this.at = null; this.draw(); });
    element.addEventListener('pointermove', (event) => {
      const column = Math.floor((event.offsetX - left) / this.cell[0]), line = Math.floor((event.offsetY - top) / this.cell[1]);
      if (column < 0 || column >= columns || line < 0 || line >= lines) tip.hide();
      else tip.show(event, text(column, line));
    });
    element.addEventListener('pointerleave', () => tip.hide());
  }
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { columns, lines } = this, last = [columns - 1, lines - 1], [column, line] = this.at || [0, 0];
    const to = { ArrowLeft: [column - 1, line], ArrowRight: [column + 1, line], ArrowUp: [column, line - 1], ArrowDown: [column, line + 1], Escape: null, Home: [0, 0], End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to === null) this.at = null;
    else if (this.at === null && event.key !== 'End') this.at = [0, 0];
    else this.at = to.map((v, k) => Math.max(0, Math.min(last[k], v)));
    this.told.textContent = this.at === null ? '' : this.text(...this.at).replaceAll('\n', ': ');
    this.draw();
  }
}

/** Stripes over a bar, slanted or flat. */
function stripes(context, x, y, w, h, colour, flat = false) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = flat ? 1 : 1.5;
  for (let d = flat ? 0 : -h; d < (flat ? h : w); d += 4) {
    context.beginPath();
    context.moveTo(flat ? x : x + d, flat ? y + d : y + h);
    context.lineTo(flat ? x + w : x + d + h, flat ? y + d : y);
    context.stroke();
  }
  context.restore();
}

/** Steps between marks on an axis: 1, 2 or 5 times a power of ten. */
function markStep(span, marks) {
  const raw = Math.max(span / Math.max(marks, 1), 1), power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= raw);
}

/** The round that all pictures show; 0: all rounds together. */
class Clock {
  constructor(rounds) {
    this.rounds = rounds;
    this.round = 0;
    this.listeners = [];
    this.timer = null;
    this.slider = el('input', { type: 'range', min: 0, max: rounds, step: 1, value: 0, id: 'round', 'aria-label': 'round' });
    this.slider.addEventListener('input', () => this.set(Number(this.slider.value)));
    this.text = el('output', { for: 'round' });
    this.playButton = el('button', { id: 'play', type: 'button', onclick: () => this.toggle() }, '▶ Play');
    const step = (by) => () => this.set(this.round + by);
    this.element = el('div', { class: 'clock', role: 'group', 'aria-label': 'round to show' },
      this.playButton,
      el('button', { type: 'button', 'aria-label': 'previous round', title: 'previous round (←)', onclick: step(-1) }, '◀'),
      this.slider,
      el('button', { type: 'button', 'aria-label': 'next round', title: 'next round (→)', onclick: step(1) }, '▶'),
      this.text);
    addEventListener('keydown', (event) => this.key(event));
    this.show();
  }
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.matches('input, select, textarea, canvas, button, summary')) return;
    const to = { ArrowLeft: this.round - 1, ArrowRight: this.round + 1, Home: 0, End: this.rounds }[event.key];
    if (event.key === ' ') this.toggle();
    else if (to !== undefined) this.set(to);
    else return;
    event.preventDefault();
  }
  toggle() {
    if (this.timer) return this.stop();
    if (this.round >= this.rounds) this.set(0);
    this.playButton.textContent = '❚❚ Pause';
    this.timer = setInterval(() => {
      this.set(this.round + 1);
      if (this.round >= this.rounds) this.stop();
    }, Math.max(60, Math.min(900, 20000 / this.rounds)));
  }
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = '▶ Play';
  }
  set(round) {
    this.round = Math.max(0, Math.min(this.rounds, round));
    this.show();
    for (const listener of this.listeners) listener(this.round);
  }
  show() {
    this.slider.value = this.round;
    this.text.textContent = this.round === 0 ? 'all rounds' : 'round ' + number(this.round) + ' of ' + number(this.rounds);
    this.slider.setAttribute('aria-valuetext', this.text.textContent);
  }
  onChange(listener) { this.listeners.push(listener); }
}
