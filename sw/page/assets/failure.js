'use strict';
// After a failure: what is wrong, and where what was seen first differs from what was expected.

const AROUND = 20;  // cycles to each side of the first difference, which is in the middle

/** The rules that a schedule breaks which was run nevertheless. */
function refusals(parent, data) {
  if (!data.refused || !data.refused.length) return;
  parent.append(el('p', {}, 'The checker refuses this schedule, which was run nevertheless (', el('code', {}, '--no-check'), '):'),
    el('ul', { class: 'problems', id: 'refused' }, ...data.refused.map((text) => el('li', {}, text))));
}

function failure(parent, kase, spaceTime) {
  const { failure: { rerun, cycle, waveform }, result } = kase.data;
  parent.append(el('ul', { class: 'problems', id: 'problems' },
    ...result.problems.map((text) => el('li', {}, text)), result.error ? el('li', {}, result.error) : null));
  refusals(parent, kase.data);
  if (rerun) {
    parent.append(el('p', {}, cycle === undefined ? 'Run it again with a waveform:' : 'Run it again with a waveform of the cycles around the first difference:'),
      el('pre', { id: 'rerun' }, rerun));
    parent.append(el('p', { class: 'note' }, 'Then open it with ', el('code', {}, waveform),
      cycle === undefined ? (result.errors ? '; the marker is where the first error was raised.' : '.') : `; the marker is at cycle ${number(cycle)}, which is ${number(cycle)} ns on its time axis.`));
  }
  const runs = spaceTime ? [...spaceTime.missing, ...spaceTime.extra].sort((a, b) => a.begin - b.begin) : [];
  if (cycle === undefined || !runs.length) return;
  const near = runs.filter((r) => r.end > cycle - AROUND && r.begin < cycle + AROUND);
  const own = near.find((r) => r.begin <= cycle && cycle < r.end) || near[0] || runs[0];
  const show = () => spaceTime.showCycle(cycle, own.row, 4 * AROUND);
  parent.append(el('h3', {}, `The first difference: cycle ${number(cycle)}, link ${kase.linkName({ tail: own.from, head: own.to })}`),
    el('div', { class: 'panel' }, table('differences', ['', 'link', 'cycles', 'what'], near.slice(0, 12).map((r) => [
      spaceTime.missing.includes(r) ? 'expected, not seen' : 'seen, not expected', kase.linkName({ tail: r.from, head: r.to }), right(r.begin + '–' + (r.end - 1)),
      r.message === null ? 'words that nobody sent' : `message ${kase.messageName(r.message)}` + (r.first ? ` from flit ${r.first}` : '')])),
    el('div', { class: 'tools' }, el('button', { type: 'button', id: 'to-difference', onclick: () => {
      show();
      spaceTime.element.scrollIntoView({ block: 'center' });
      spaceTime.element.focus({ preventScroll: true });
    } }, 'show it among all links'))));
  show();
}
