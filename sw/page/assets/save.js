'use strict';
// Pictures as SVG files, as they are shown, in the colours for paper.

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const rounded = (value) => String(Math.round(value * 100) / 100);

/** The part of a canvas's context that our pictures use; what is drawn becomes elements of an SVG. */
class SvgContext {
  constructor() {
    Object.assign(this, { fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, textAlign: 'left', globalAlpha: 1, dash: [] });
    this.parts = [];
    this.saved = [];
    this.clips = 0;
    this.bar = null;  // the last rectangle: the next one may continue it
    this.path = [];
    this.measure = document.createElement('canvas').getContext('2d');
    this.measure.font = FONT;
  }
  put(part) { this.endBar(); this.parts.push(part); }
  endBar() {
    const b = this.bar;
    this.bar = null;
    if (b) this.parts.push(`<rect x="${rounded(b.x)}" y="${rounded(b.y)}" width="${rounded(b.w)}" height="${rounded(b.h)}" fill="${b.fill}"${b.alpha}/>`);
  }
  alpha() { return this.globalAlpha === 1 ? '' : ` opacity="${rounded(this.globalAlpha)}"`; }
  line() { return `fill="none" stroke="${this.strokeStyle}" stroke-width="${rounded(this.lineWidth)}"${this.dash.length ? ` stroke-dasharray="${this.dash.join(' ')}"` : ''}${this.alpha()}`; }

  fillRect(x, y, w, h) {
    const b = this.bar, fill = this.fillStyle, alpha = this.alpha();
    if (b && b.fill === fill && b.alpha === alpha && b.y === y && b.h === h && Math.abs(b.x + b.w - x) < 0.01) { b.w += w; return; }
    this.endBar();
    if (w > 0 && h > 0) this.bar = { x, y, w, h, fill, alpha };
  }
  strokeRect(x, y, w, h) { this.put(`<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(Math.max(w, 0))}" height="${rounded(Math.max(h, 0))}" ${this.line()}/>`); }
  fillText(text, x, y, room = Infinity) {
    const anchor = { left: '', right: ' text-anchor="end"', center: ' text-anchor="middle"' }[this.textAlign];
    const narrow = this.measureText(text).width > room ? ` textLength="${rounded(room)}" lengthAdjust="spacingAndGlyphs"` : '';
    this.put(`<text x="${rounded(x)}" y="${rounded(y + 4)}"${anchor} fill="${this.fillStyle}"${this.alpha()}${narrow}>${escaped(text)}</text>`);
  }
  measureText(text) { return this.measure.measureText(text); }
  setLineDash(dash) { this.dash = dash; }

  beginPath() { this.path = []; this.box = null; }
  moveTo(x, y) { this.path.push(`M${rounded(x)} ${rounded(y)}`); }
  lineTo(x, y) { this.path.push(`L${rounded(x)} ${rounded(y)}`); }
  rect(x, y, w, h) { this.box = { x, y, w, h }; }
  arc(x, y, r) { this.path.push(`M${rounded(x - r)} ${rounded(y)}a${rounded(r)} ${rounded(r)} 0 1 0 ${rounded(2 * r)} 0a${rounded(r)} ${rounded(r)} 0 1 0 ${rounded(-2 * r)} 0`); }
  stroke() { this.put(`<path d="${this.path.join('')}" ${this.line()}/>`); }
  fill() { this.put(`<path d="${this.path.join('')}" fill="${this.fillStyle}"${this.alpha()}/>`); }

  /** Pixel by pixel, also where it is stretched. */
  drawImage(canvas, x, y, w, h) {
    this.put(`<image x="${rounded(x)}" y="${rounded(y)}" width="${rounded(w)}" height="${rounded(h)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${canvas.toDataURL()}"/>`);
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, textAlign, globalAlpha, dash } = this;
    this.endBar();
    this.saved.push({ state: { fillStyle, strokeStyle, lineWidth, textAlign, globalAlpha, dash }, groups: 0 });
  }
  /** Of the last rectangle; all our clips are rectangles. */
  clip() {
    const { x, y, w, h } = this.box, id = 'clip' + ++this.clips;
    this.put(`<clipPath id="${id}"><rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(Math.max(w, 0))}" height="${rounded(Math.max(h, 0))}"/></clipPath><g clip-path="url(#${id})">`);
    ++this.saved[this.saved.length - 1].groups;
  }
  restore() {
    const { state, groups } = this.saved.pop();
    for (let k = 0; k < groups; ++k) this.put('</g>');
    Object.assign(this, state);
  }
  text() { this.endBar(); return this.parts.join('\n'); }
}

/** A legend of colours in a line: keys are [colour, text]. */
function legendSvg(keys, y) {
  let x = 8;
  return keys.map(([colour, text]) => {
    const part = `<rect x="${x}" y="${rounded(y)}" width="12" height="12" fill="${colour.replace(/var\(--([a-z0-9]+)\)/, (_, name) => cssColour(name))}" stroke="#bbb" stroke-width=".5"/>` +
      `<text x="${x + 17}" y="${rounded(y + 10)}" fill="#222">${escaped(text)}</text>`;
    x += 36 + 6.2 * text.length;
    return part;
  }).join('\n');
}

/** The page's styles that begin with `selector`, with their colours written out. */
function stylesOf(selector) {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.selectorText && rule.selectorText.startsWith(selector) && !rule.selectorText.includes(':hover'));
  return rules.map((rule) => rule.cssText.replace(/var\(--([a-z0-9]+)\)/g, (_, name) => cssColour(name))).join('\n');
}

/**
 * A button that saves a picture: `make()` gives { width, height, body, legend } of what is shown, `name` names the file, and
 * `shown()` says what the picture shows.
 */
function saveButton(kase, name, palette, shown, make) {
  return el('button', { type: 'button', class: 'save', 'data-picture': name, title: 'save this picture as an SVG file, as it is shown', onclick: () => {
    const root = document.documentElement;
    root.classList.add('paper');
    if (palette) palette.refresh();
    let text;
    try {
      const { width: drawn, height, body } = make(), what = `${kase.data.title}: ${shown()}`, width = Math.max(drawn, 16 + 6.6 * what.length);
      text = `<svg xmlns="http://www.w3.org/2000/svg" width="${rounded(width)}" height="${rounded(height + 28)}" viewBox="0 0 ${rounded(width)} ${rounded(height + 28)}" ` +
        `font-family="Helvetica, Arial, sans-serif" font-size="11">\n<title>${escaped(what)}</title>\n<rect width="100%" height="100%" fill="#fff"/>\n` +
        `<text x="8" y="17" font-size="12" fill="#222">${escaped(what)}</text>\n<g transform="translate(0 28)">\n${body}\n</g>\n</svg>\n`;
    } finally {
      root.classList.remove('paper');
      if (palette) palette.refresh();
    }
    const link = el('a', { href: URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })),
      download: `${kase.topology.spec.replace(/[^A-Za-z0-9.-]+/g, '-')}-${name}.svg` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  } }, 'save as SVG');
}
