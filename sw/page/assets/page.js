'use strict';
// Puts the page together.

function card(name, value, why) {
  const text = typeof value === 'number' ? number(value) : value ?? '–';
  return el('div', { class: 'card', title: why }, el('div', { class: 'name' }, name),
    el('div', { class: 'value' + (text.length > 12 ? ' long' : ''), 'data-number': name }, text), el('div', { class: 'why' }, why));
}

function whyNotMeasured(result) {
  return result.cycles_simulated === undefined ? 'it has not been run' : `the run was interrupted after ${plural(result.cycles_simulated, 'cycle')}`;
}

function summary(page, kase) {
  const { result: r } = kase, share = !kase.rows.length ? null : kase.loads(0).reduce((a, b) => a + b, 0) / (kase.rows.length * kase.cycles);
  const measured = r.cycles_measured !== null && r.cycles_measured !== undefined;
  page.append(el('div', { class: 'cards', id: 'cards' }, ...kase.data.numbers.map((n) => card(...n)),
    share === null ? null : card('links busy', percent(share), 'of all links in each direction, over all cycles'),
    measured ? null : card('cycles measured', null, whyNotMeasured(r)),
    measured ? null : card('delivered', r.delivered, `of ${number(r.expected)} that should be, by the checker`)));
}

/** The cycles of each round as a column, split into what they are spent on. */
function roundsChart(page, kase, clock) {
  if (!kase.rounds.length) return;
  const parts = ['alpha', 'hops', 'flits', 'waiting'];
  const meaning = { alpha: 'alpha: start-up of a circuit', hops: 'hops: way of the first flit', flits: 'flits: the most on one link, or on the slowest path', waiting: 'waiting: until what came may be sent on, or a link may turn' };
  page.append(el('h2', { id: 'rounds' }, 'Rounds'), el('p', { class: 'note' }, 'Cycles of each round, and what they are spent on.'));
  const panel = el('div', { class: 'panel' });
  page.append(panel);
  panel.append(el('div', { class: 'legend' }, ...parts.map((p) => el('span', { class: 'key' }, el('span', { class: 'swatch ' + p }), meaning[p]))));
  const canvas = new Canvas(panel, 150, 'cycles of each round', (context, width, height) => {
    const n = kase.rounds.length, most = kase.rounds.reduce((m, r) => Math.max(m, r.length), 1), w = Math.min((width - 60) / n, 90);
    context.fillStyle = cssColour('soft');
    context.textAlign = 'right';
    context.fillText(number(most), 48, 10);
    context.fillText('cycles', 48, 24);
    context.fillText('0', 48, height - 22);
    const groups = Math.max(1, Math.ceil(n / (width - 60)));  // rounds in a pixel: the longest is shown
    for (let k = 0; k < n; k += groups) {
      let r = kase.rounds[k];
      for (let j = k; j < Math.min(n, k + groups); ++j) if (kase.rounds[j].length > r.length) r = kase.rounds[j];
      let y = height - 18;
      const x = 54 + k * w, wide = Math.max(w * groups - (w > 4 ? 2 : 0), 1);
      for (const part of parts) {
        const h = r[part] / most * (height - 26);
        context.fillStyle = cssColour(part);
        context.fillRect(x, y - h, wide, h);
        if (part === 'hops' || part === 'waiting') stripes(context, x, y - h, wide, h, cssColour('card'), part === 'waiting');
        y -= h;
      }
      if (clock.round === k + 1) { context.strokeStyle = cssColour('ink'); context.lineWidth = 1.5; context.strokeRect(x - 0.5, y - 0.5, wide + 1, height - 17 - y); }
    }
    context.fillStyle = cssColour('soft');
    context.textAlign = 'center';
    const step = Math.max(1, Math.ceil((context.measureText(number(n)).width + 12) / w));
    for (let k = 0; k < n; k += step) context.fillText(number(k + 1), 54 + (k + 0.5) * w - 1, height - 8);
  });
  const at = (event) => Math.floor((event.offsetX - 54) / Math.min((canvas.width - 60) / kase.rounds.length, 90));
  canvas.element.addEventListener('pointermove', (event) => {
    const r = kase.rounds[at(event)];
    if (!r) return tip.hide();
    tip.show(event, `round ${at(event) + 1}: ${plural(r.length, 'cycle')}, from ${number(r.start)}\n` + parts.map((p) => `${p} ${number(r[p])}`).join(', '));
  });
  canvas.element.addEventListener('pointerleave', () => tip.hide());
  canvas.element.addEventListener('click', (event) => { if (kase.rounds[at(event)]) clock.set(at(event) + 1); });
  clock.onChange(() => canvas.draw());
  const details = el('details', {}, el('summary', {}, 'as a table'));
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return;
    details.append(el('div', { class: 'scroll' }, table('rounds-table', ['round', 'from cycle', 'cycles', ...parts],
      kase.rounds.slice(0, 2000).map((r, k) => [k + 1, r.start, r.length, ...parts.map((p) => r[p])]))));
  });
  panel.append(details);
}

/** Runs when the place comes near what is seen: what takes a while is not worked out before. */
function whenSeen(place, make) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    make();
  }, { rootMargin: '400px' });
  observer.observe(place);
  addEventListener('beforeprint', () => { if (!place.childElementCount) { observer.disconnect(); make(); } });
}

function casePage(data, page) {
  const { result: r } = data;
  page.append(el('h1', {}, el('span', { class: 'verdict ' + r.verdict, id: 'verdict' }, r.verdict), data.title));
  if (!data.topology) {
    page.append(el('pre', {}, data.command), el('ul', { class: 'problems' }, ...r.problems.map((p) => el('li', {}, p))));
    return;
  }
  const kase = new Case(data), palette = new Palette(data.colours);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => palette.refresh());
  addEventListener('beforeprint', () => palette.refresh());
  addEventListener('afterprint', () => palette.refresh());
  page.append(el('p', { class: 'soft' }, data.model), el('pre', { id: 'command' }, data.command));
  if (r.cycles_simulated !== undefined) {
    page.append(el('p', { id: 'interrupted' }, `Interrupted after ${plural(r.cycles_simulated, 'cycle')}, with ${number(r.rounds_done)} of ${plural(r.rounds, 'round')} done: what is below is the prediction.`));
  }
  const failed = el('section', { id: 'failure' });
  if (data.failure) page.append(el('h2', {}, 'What went wrong'), failed);
  else refusals(page, data);
  page.append(el('h2', { id: 'summary' }, 'Summary'));
  summary(page, kase);
  const clock = new Clock(kase.rounds.length);
  roundsChart(page, kase, clock);
  if (kase.rounds.length) page.append(clock.element);

  page.append(el('h2', { id: 'fabric' }, 'The fabric'));
  if (data.streams) new FabricView(page, kase, clock);
  else page.append(el('p', { class: 'note' }, data.slots ? 'The schedule has too many transfers for a page. Its own file has them all, and --loads what each link carries.' : 'The schedule cannot be timed, so nothing is drawn.'));
  let spaceTime = null;
  if (data.streams) {
    page.append(el('h2', { id: 'space-time-head' }, 'Space and time'), el('p', { class: 'note', id: 'source' }, sourceText(kase)));
    const panel = el('div', { class: 'panel' });
    page.append(panel);
    spaceTime = new SpaceTime(panel, kase, clock, palette);
    page.append(el('h2', { id: 'knowledge-head' }, kase.sums ? 'Whose part is in which sum' : kase.personal ? 'What is under way and delivered' : 'Who knows what'),
      el('p', { class: 'note' }, kase.sums ? (r.collective === 'reduce-scatter' ? 'Nodes downwards, each with the sum of its own block' : 'Nodes downwards, each with what it has of the sum') + '; to the right the nodes whose parts these are.' : kase.personal ? 'Origins downwards, destinations to the right.' : (kase.whole ? 'Nodes' : 'One node of each class') + ' downwards, messages by their origin to the right.'));
    const place = el('div', { style: 'min-height:200px' });
    page.append(place);
    whenSeen(place, () => new Knowledge(place, kase, clock));
  }
  if (kase.anyFaults) page.insertBefore(el('p', { class: 'note', id: 'broken' }, brokenText(kase)), document.getElementById('summary'));
  if (data.failure) failure(failed, kase, spaceTime);
  page.append(el('p', { class: 'note' }, 'Arrow keys: round by round; space: play. The numbers of this page are in its data block (JSON), which docs/use/report.md describes.'));
}

function brokenText(kase) {
  const { nodes, arcs, from } = kase.faults, parts = [], named = ([a, b], between) => kase.topology.name(a) + between + kase.topology.name(b);
  if (nodes.size) parts.push((nodes.size === 1 ? 'node ' : 'nodes ') + kase.topology.list([...nodes], 8));
  const both = [...arcs].filter((arc) => arcs.has(arc.split('-').reverse().join('-'))).map((arc) => arc.split('-')).filter(([a, b]) => Number(a) < Number(b));
  const one = [...arcs].filter((arc) => !arcs.has(arc.split('-').reverse().join('-'))).map((arc) => named(arc.split('-'), ' → '));
  if (both.length) parts.push((both.length === 1 ? 'link ' : 'links ') + both.slice(0, 20).map((link) => named(link, '–')).join(', ') + (both.length > 20 ? ', …' : ''));
  if (one.length) parts.push(one.slice(0, 20).join(', ') + (one.length > 20 ? ', …' : ''));
  return `Broken${from > 1 ? ` from round ${from} on` : ''}: ${parts.join('; ')}.`;
}

function sourceText(kase) {
  const { seen } = kase.data;
  const each = (kase.whole ? '' : ` Each row stands for ${plural(kase.linksPerRow, 'link')} that do the same.`) + (kase.anyFaults ? ' Broken links have a ✕ and a line through.' : '');
  if (!seen) return (kase.result.cycles_measured === undefined || kase.result.cycles_measured === null
    ? `Drawn from the prediction: ${whyNotMeasured(kase.result)}.` : 'Drawn from the prediction: the run was too long for all its links to be recorded.') + each;
  const odd = seen.missing_total + seen.extra_total;
  return `Drawn from what the monitors of the links saw in cycles 0 to ${number(seen.until)}: ${plural(seen.runs, 'run')} of flits, ` +
    (odd === 0 ? 'each as predicted.' : `${number(seen.missing_total)} predicted and not seen (dashed frames), ${number(seen.extra_total)} seen and not predicted (hatched).` +
      (seen.missing_total > seen.missing.length || seen.extra_total > seen.extra.length ? ' The first of these are shown.' : '')) + each;
}

(function start() {
  const page = document.getElementById('page'), data = JSON.parse(document.getElementById('data').textContent);
  page.replaceChildren();
  document.body.append(el('div', { id: 'tip', role: 'tooltip' }));
  if (data.kind === 'suite') suitePage(data, page);
  else if (data.kind === 'rank') rankPage(data, page);
  else casePage(data, page);
})();
