'use strict';
// After a failure: what is wrong, and the first difference with what was expected above what was seen.

const AROUND = 20;  // cycles to each side of the first difference, which is in the middle

/** The rules that a schedule breaks which was run nevertheless. */
function refusals(parent, data) {
  if (!data.refused || !data.refused.length) return;
  parent.append(el('p', {}, 'The checker refuses this schedule, which was run nevertheless (', el('code', {}, '--no-check'), '):'),
    el('ul', { class: 'problems', id: 'refused' }, ...data.refused.map((text) => el('li', {}, text))));
}

class Failure {
  constructor(parent, kase, palette, spaceTime) {
    Object.assign(this, { kase, palette, spaceTime });
    const { failure, result } = kase.data;
    parent.append(el('ul', { class: 'problems', id: 'problems' },
      ...result.problems.map((text) => el('li', {}, text)), result.error ? el('li', {}, result.error) : null));
    refusals(parent, kase.data);
    if (failure.rerun) {
      parent.append(el('p', {}, failure.cycle === undefined ? 'Run it again with a waveform:' : 'Run it again with a waveform of the cycles around the first difference:'),
        el('pre', { id: 'rerun' }, failure.rerun));
      parent.append(el('p', { class: 'note' }, 'Then open it with ', el('code', {}, failure.waveform),
        failure.cycle === undefined ? (result.errors ? '; the marker is where the first error was raised.' : '.') : `; the marker is at cycle ${number(failure.cycle)}, which is ${number(failure.cycle)} ns on its time axis.`));
    }
    this.runs = spaceTime ? [...spaceTime.missing.map((r) => ({ ...r, kind: 'expected' })), ...spaceTime.extra.map((r) => ({ ...r, kind: 'seen' }))] : [];
    if (failure.cycle === undefined || !this.runs.length) return;
    this.cycle = failure.cycle;
    this.runs.sort((a, b) => a.begin - b.begin || (a.kind < b.kind ? -1 : 1));
    // The difference's own link first, then others that differ around it.
    const near = this.runs.filter((r) => r.end > this.cycle - AROUND && r.begin < this.cycle + AROUND);
    const own = near.find((r) => r.begin <= this.cycle && this.cycle < r.end) || near[0] || this.runs[0];
    this.rows = [...new Set([own.row, ...near.map((r) => r.row)])].slice(0, 6);
    parent.append(el('h3', {}, `The first difference: cycle ${number(this.cycle)}, link ${kase.linkName({ tail: own.from, head: own.to })}`));
    const panel = el('div', { class: 'panel' });
    parent.append(panel);
    this.canvas = new Canvas(panel, 30 + this.rows.length * 52, 'expected beside seen, around the first difference', (c, w, h) => this.paint(c, w, h));
    this.canvas.element.id = 'first-difference';
    this.table(panel, near.slice(0, 12));
    if (kase.cycles > 8 * AROUND) spaceTime.showCycle(this.cycle, own.row, 8 * AROUND);  // there, too, in the middle
    panel.append(el('div', { class: 'tools' }, el('button', { type: 'button', id: 'to-difference', onclick: () => {
      spaceTime.showCycle(this.cycle, own.row, 4 * AROUND);
      spaceTime.element.scrollIntoView({ block: 'center' });
      spaceTime.element.focus({ preventScroll: true });
    } }, 'show it among all links')));
  }

  table(parent, near) {
    parent.append(el('table', { id: 'differences' },
      el('thead', {}, el('tr', {}, ...['', 'link', 'cycles', 'what'].map((t) => el('th', {}, t)))),
      el('tbody', {}, ...near.map((r) => el('tr', {},
        el('td', {}, r.kind === 'expected' ? 'expected, not seen' : 'seen, not expected'), el('td', {}, this.kase.linkName({ tail: r.from, head: r.to })),
        el('td', { class: 'number' }, r.begin + '–' + (r.end - 1)),
        el('td', {}, r.message === null ? 'words that nobody sent' : `message ${this.kase.messageName(r.message)}` + (r.first ? ` from flit ${r.first}` : '')))))));
  }

  paint(context, width) {
    const { kase, cycle } = this, s = kase.streams, around = Math.min(AROUND, Math.max(cycle, 4)), from = Math.max(0, cycle - around), to = from + 2 * around;
    const x = (c) => GUTTER + 50 + Math.max(0, Math.min(c - from, to - from)) / (to - from) * (width - GUTTER - 58);
    context.fillStyle = cssColour('faint');
    context.fillRect(x(cycle), 16, x(cycle + 1) - x(cycle), 30 + this.rows.length * 52);
    context.textAlign = 'center';
    const step = markStep(to - from, (width - GUTTER) / 70);
    context.fillStyle = cssColour('soft');
    for (let c = Math.ceil(from / step) * step; c <= to; c += step) context.fillText(number(c), x(c + 0.5), 8);
    this.rows.forEach((row, k) => {
      const y = 24 + k * 52, { tail, head } = kase.rows[row];
      context.textAlign = 'right';
      context.fillStyle = cssColour('ink');
      context.fillText(kase.linkName({ tail, head }), GUTTER - 8, y + 20, GUTTER - 10);
      context.fillStyle = cssColour('soft');
      context.fillText('expected', GUTTER + 44, y + 8);
      context.fillText('seen', GUTTER + 44, y + 32);
      const bar = (begin, end, message, line, odd) => {
        if (end <= from || begin >= to) return;
        const a = x(begin), b = x(end), top = y + (line ? 24 : 0);
        context.fillStyle = this.palette.of(message === null ? null : message[0]);
        if (message !== null) context.fillRect(a, top, Math.max(b - a - 1, 1), 16);
        if (odd) hatch(context, a, message === null ? top : top + 12, Math.max(b - a - 1, 1), message === null ? 16 : 5, cssColour('bad'));
        const text = message === null ? '?' : kase.messageName(message);
        if (context.measureText(text).width < b - a - 6) {
          context.textAlign = 'left';
          context.fillStyle = message === null ? cssColour('ink') : this.palette.text;
          context.fillText(text, a + 3, top + 7);
        }
      };
      for (const i of kase.byRow[row]) {
        if (s.lost[i]) continue;
        const t = kase.transfers[s.transfer[i]];
        for (let m = 0; m < t.count; ++m) {
          const begin = s.begin[i] + kase.offset(t, m), end = s.begin[i] + kase.offset(t, m + 1), message = kase.message(i, m);
          const odd = this.spaceTime.hidden.has(row + ':' + begin);
          bar(begin, end, message, 0, false);
          if (!odd) bar(begin, end, message, 1, false);
        }
      }
      for (const run of this.spaceTime.extra) if (run.row === row) bar(run.begin, run.end, run.message, 1, true);
    });
  }
}
