'use strict';
// Pages of many cases.

/** A suite: the table, to be sorted and filtered. */
function suitePage(data, page) {
  const { result } = data;
  const most = (r) => r.cycles_measured ?? r.cycles_predicted;
  const rows = result.cases.map((r, index) => ({
    r, index, name: r.name || r.file || r.topology, bound: r.cycles_bound ? { value: r.cycles_bound, source: r.cycles_bound_source } : null, cycles: most(r),
  }));

  page.append(
    el('h1', {}, el('span', { class: 'verdict ' + result.verdict }, result.verdict), result.suite),
    el('p', { class: 'soft' }, `${plural(rows.length, 'case')}: ${number(result.passed)} passed, ${number(result.failed)} failed` +
      (result.errors ? `, ${number(result.errors)} ended with an error` : '') + (result.not_run ? `, ${number(result.not_run)} not run` : '') + `; ${number(result.wall_seconds)} s.`),
    el('pre', {}, data.command));
  const cards = el('div', { class: 'cards' });
  const why = {
    cases: 'that were run', rounds: 'of all schedules', cycles: 'measured, of all cases', flits: 'that stood on links', words: 'compared with what their origins sent',
    link_cycles: 'links times cycles, compared with the schedule', delivered: 'pairs of a node and a message',
  };
  for (const [name, text] of Object.entries(why)) cards.append(card(name.replace('_', ' '), result.counted[name], text));
  page.append(cards);
  for (const check of result.checks) {
    if (check.problems.length) page.append(el('ul', { class: 'problems' }, ...check.problems.map((p) => el('li', {}, check.name + ': ' + p))));
  }

  const state = { key: 'index', up: true, text: '', show: 'all' };
  const columns = [
    { key: 'name', title: 'case', of: (row) => row.name },
    { key: 'rounds', title: 'rounds', number: true, wide: true, of: (row) => row.r.rounds },
    { key: 'rounds_bound', title: 'bound', number: true, wide: true, of: (row) => row.r.rounds_bound },
    { key: 'predicted', title: 'predicted', number: true, wide: true, of: (row) => row.r.cycles_predicted },
    { key: 'measured', title: 'measured', number: true, of: (row) => row.r.cycles_measured },
    { key: 'ratio', title: 'bound of cycles', of: (row) => (row.bound && row.cycles ? row.bound.value / row.cycles : null) },
    { key: 'verdict', title: 'verdict', of: (row) => row.r.verdict },
  ];

  const heads = columns.map((column) => el('th', { class: (column.number ? 'number ' : '') + (column.wide ? 'wide' : ''), scope: 'col' },
    el('button', { type: 'button', onclick: () => {
      state.up = state.key === column.key ? !state.up : true;
      state.key = column.key;
      draw();
    } }, column.title)));
  const body = el('tbody'), shown = el('p', { class: 'note', id: 'shown', 'aria-live': 'polite' });
  const filter = el('input', { type: 'search', id: 'filter', placeholder: 'name, topology, algorithm', 'aria-label': 'filter', oninput: () => { state.text = filter.value.toLowerCase(); draw(); } });
  const show = el('select', { id: 'show', 'aria-label': 'show', onchange: () => { state.show = show.value; draw(); } },
    el('option', { value: 'all' }, 'all cases'), el('option', { value: 'bad' }, 'not passed'));
  page.append(el('h2', {}, 'Cases'),
    el('p', { class: 'note' }, 'Bars: cycles measured, on a scale of each case’s own; hatched is the part that no schedule can do without, whatever it combines. Click a name for the numbers and the command that runs it.'),
    el('div', { class: 'tools' }, filter, show, shown),
    el('div', { class: 'suite panel' }, el('table', {}, el('thead', {}, el('tr', {}, ...heads)), body)));

  const line = (row) => {
    const { r } = row, ratio = row.bound && row.cycles ? row.bound.value / row.cycles : null;
    const cell = (column) => {
      const classes = (column.number ? 'number ' : '') + (column.wide ? 'wide ' : '');
      if (column.key === 'name') return el('td', { class: 'name' }, el('a', { href: '#', onclick: (event) => { event.preventDefault(); open(row, event.target.closest('tr')); } }, row.name));
      if (column.key === 'ratio') {
        if (ratio === null) return el('td', { class: 'cell' }, '–');
        return el('td', { class: 'cell' }, el('div', { class: 'share', title: `${number(row.bound.value)} of ${number(row.cycles)} cycles: ${row.bound.source}` },
          el('div', { class: 'over' }, el('i', { style: 'width:100%' }), el('b', { style: `width:${Math.min(100, ratio * 100)}%` })),
          el('span', { class: 'note' }, percent(ratio))));
      }
      if (column.key === 'verdict') return el('td', { class: r.verdict === 'pass' ? '' : 'worse' }, r.verdict === 'pass' ? '✓ pass' : '✗ ' + r.verdict);
      return el('td', { class: classes }, number(column.of(row)));
    };
    return el('tr', {}, ...columns.map(cell));
  };
  const open = (row, line_) => {
    if (line_.nextSibling && line_.nextSibling.classList.contains('more')) return line_.nextSibling.remove();
    const { r } = row;
    const facts = [['topology', r.topology], ['nodes', number(r.nodes)], ['collective', r.collective], ['algorithm', r.algorithm || 'a file'],
      ['model', r.model ? `${r.model.ports} port, ${r.model.duplex} duplex, ${r.model.switching}` : '–'], ['flits of a message', number(r.flits)], ['engine', r.engine],
      ['formula', r.formula || '–'], ['words checked', number(r.words_checked)], ['link cycles', number(r.link_cycles_checked)]];
    line_.after(el('tr', { class: 'more' }, el('td', { colspan: columns.length },
      pairs(facts),
      r.problems.length || r.error ? el('ul', { class: 'problems' }, ...r.problems.map((p) => el('li', {}, p)), r.error ? el('li', {}, r.error) : null) : null,
      data.commands[row.index] ? el('pre', {}, data.commands[row.index]) : null)));
  };
  const draw = () => {
    const words = state.text.split(/\s+/).filter(Boolean);
    const kept = rows.filter(({ r, name }) => {
      const text = [name, r.topology, r.algorithm, r.collective, r.engine, r.verdict].join(' ').toLowerCase();
      if (state.show === 'bad' && r.verdict === 'pass') return false;
      return words.every((word) => text.includes(word));
    });
    const column = columns.find((c) => c.key === state.key);
    if (column) {
      const order = (a, b) => (a === b ? 0 : a === null || a === undefined ? 1 : b === null || b === undefined ? -1 : typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b);
      kept.sort((a, b) => (state.up ? 1 : -1) * order(column.of(a), column.of(b)) || a.index - b.index);
    }
    columns.forEach((c, k) => {
      if (c.key === state.key) heads[k].setAttribute('aria-sort', state.up ? 'ascending' : 'descending');
      else heads[k].removeAttribute('aria-sort');
    });
    body.replaceChildren(...kept.map(line));
    shown.textContent = kept.length === rows.length ? plural(rows.length, 'case') : `${number(kept.length)} of ${plural(rows.length, 'case')}`;
  };
  draw();
}

/** All algorithms for messages of several lengths: the picture and the table. */
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
    el('div', { class: 'suite panel' }, table('rank', ['algorithm', 'switching', ...result.flits.map((flits) => plural(flits, 'flit'))], [
      ...result.algorithms.map((row) => [name(row), row.switching, ...result.flits.map((flits) => {
        const plan = row.plans.find((p) => p.flits === flits);
        const text = plan ? `${number(plan.cycles_predicted)} / ${number(plan.rounds)}` : row.tried ? '–' : 'not tried';
        return right(plan && plan.best ? el('strong', {}, text) : text);
      })]),
      ['bound', '', ...result.cycles_bound]])));
}
