'use strict';
// All algorithms for messages of several lengths: the picture and the table.

function rankPage(data, page) {
  const { result } = data;
  const name = (row) => `${row.algorithm}, ${row.ports === 'all' ? 'all ports' : 'single port'}`;
  const panel = el('div', { class: 'panel scroll', id: 'rank-plot' });
  panel.append(document.getElementById('pictures').content.cloneNode(true));
  page.append(
    el('h1', {}, data.title),
    el('p', { class: 'soft' }, 'Best: ' + result.best_in_words + '.'),
    el('pre', {}, data.command),
    el('h2', {}, 'Cycles against the length of messages'), panel,
    el('h2', {}, 'Cycles / rounds'),
    el('div', { class: 'suite panel' }, el('table', { id: 'rank' },
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'algorithm'), el('th', { scope: 'col' }, 'switching'),
        ...result.flits.map((flits) => el('th', { class: 'number', scope: 'col' }, plural(flits, 'flit'))))),
      el('tbody', {},
        ...result.algorithms.map((row) => el('tr', {}, el('td', { class: 'name' }, name(row)), el('td', {}, row.switching),
          ...result.flits.map((flits) => {
            const plan = row.plans.find((p) => p.flits === flits);
            const text = plan ? `${number(plan.cycles_predicted)} / ${number(plan.rounds)}` : row.tried ? '–' : 'not tried';
            return el('td', { class: 'number' }, plan && plan.best ? el('strong', {}, text) : text);
          }))),
        el('tr', {}, el('td', { class: 'name' }, 'bound'), el('td', {}), ...result.cycles_bound.map((b) => el('td', { class: 'number' }, number(b))))))));
}
