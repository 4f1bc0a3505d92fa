'use strict';
// The fabric: nodes and links, coloured by load; a message followed through it; a node's table.

function loadClass(load, most) { return load === 0 ? 0 : 1 + Math.floor((load * 5 - 1) / Math.max(most, 1)); }

/** A legend of the classes of loads up to `most` cycles. */
function loadLegend(most) {
  const legend = el('div', { class: 'legend', id: 'load-legend' }, el('span', {}, 'cycles a link is busy:'));
  for (let k = 0; k <= 5; ++k) {
    const low = k === 0 ? 0 : Math.floor((k - 1) * most / 5) + 1, high = k === 0 ? 0 : Math.floor(k * most / 5);
    if (low > high && k > 0) continue;
    const line = svg('line', { x1: 1, x2: 23, y1: 6, y2: 6, stroke: `var(--load${k})`, 'stroke-width': 1 + k * 0.9, 'stroke-dasharray': k ? 'none' : '2 4' });
    const text = k === 0 ? 'idle' : low === high ? number(low) : number(low) + '–' + number(high);
    legend.append(el('span', { class: 'key' }, svg('svg', { width: 24, height: 12, 'aria-hidden': 'true' }, line), text));
    if (most === 0) break;
  }
  return legend;
}

/** Where the words that a node has in the end stand. */
function logTable(kase, x) {
  const span = (first, words) => first + (words > 1 ? '–' + (first + words - 1) : '');
  const rows = (kase.data.at || []).filter((r) => r[0] === x).map(([, log, first, words, origin, flit]) =>
    [log, right(span(first, words)), (kase.sums ? 'sum ' : '') + kase.topology.name(origin), right(span(flit, words))]);
  if (rows.length === 0) return [];
  return [el('h3', {}, 'Its logs in the end'), el('div', { class: 'scroll' }, table(null, ['log', 'words', 'message', 'flits'], rows.slice(0, 400)))];
}

class FabricView {
  constructor(parent, kase, clock) {
    Object.assign(this, { kase, clock, chosen: null, link: null });
    this.picture = document.getElementById('pictures').content.querySelector('svg.fabric');
    this.legend = el('div');
    this.side = el('div', { id: 'node-table' });
    if (this.picture) this.makeDrawing(parent);
    else this.makeClasses(parent);
    clock.onChange(() => this.update());
    this.update();
  }

  makeDrawing(parent) {
    const { kase } = this;
    this.arcs = [...this.picture.querySelectorAll('.arc')].map((path) => {
      const tail = Math.floor(path.dataset.a / kase.topology.ports), port = path.dataset.a % kase.topology.ports;
      return { path, tail, port, head: kase.topology.peer(tail, port), row: kase.row(tail, port) };
    });
    this.arcOf = new Map(this.arcs.map((arc) => [arc.path, arc]));
    this.arcOfRow = new Map(kase.whole ? this.arcs.map((arc) => [arc.row, arc]) : []);
    this.nodes = [...this.picture.querySelectorAll('.node')];
    const large = this.picture.viewBox.baseVal.width > 26;
    this.pick = el('input', { type: kase.topology.names ? 'text' : 'number', id: 'node', min: 0, max: kase.topology.nodes - 1, placeholder: 'none' });
    this.pick.addEventListener('change', () => this.choose(this.pick.value === '' ? null : kase.topology.nodeNamed(this.pick.value) ?? this.chosen));
    const tools = el('div', { class: 'tools' },
      el('label', {}, `Follow the ${kase.sums ? 'part' : 'message'} of node`, this.pick),
      el('button', { type: 'button', onclick: () => this.choose(null) }, 'none'),
      el('span', { class: 'gap' }),
      large ? el('button', { type: 'button', 'aria-pressed': false, onclick: (event) => {
        const on = this.picture.classList.toggle('large');
        event.target.setAttribute('aria-pressed', on);
      } }, 'full size') : null);
    this.told = teller('link-told');
    this.told.textContent = 'n and p: the next and previous link, with what it carries.';
    parent.append(el('div', { class: 'split' },
      el('div', { class: 'panel' }, tools, el('div', { class: 'frame' }, this.picture), this.told, this.legend),
      el('div', { class: 'panel' }, this.side)));
    this.picture.addEventListener('pointermove', (event) => this.hover(event));
    this.picture.addEventListener('pointerleave', () => tip.hide());
    this.picture.setAttribute('tabindex', 0);
    this.picture.addEventListener('keydown', (event) => this.key(event));
    this.picture.addEventListener('click', (event) => {
      const node = event.target.closest('.node'), arc = event.target.closest('.arc');
      if (arc) this.tell(this.arcOf.get(arc));
      if (node) this.choose(Number(node.dataset.n) === this.chosen ? null : Number(node.dataset.n));
    });
    for (const [node, dot] of this.nodes.entries()) dot.classList.toggle('dead', kase.faults.nodes.has(node));
    for (const arc of this.arcs) arc.dead = kase.isDead(NEVER, arc.tail, arc.head) ? ' dead' : '';
    this.crossOut();
  }

  /** What is broken has a cross, so that it does not take its colour to see it. */
  crossOut() {
    const cross = (x, y, r) => this.picture.append(svg('path', { class: 'cross', d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}` }));
    for (const node of this.kase.faults.nodes) {
      const { cx, cy, r } = this.nodes[node].querySelector('circle');
      cross(cx.baseVal.value, cy.baseVal.value, r.baseVal.value * 0.7);
    }
    for (const { path, tail, head } of this.arcs) {
      if (!this.kase.faults.arcs.has(tail + '-' + head)) continue;
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
      cross(x, y, 0.08);
    }
  }

  /** With the keys from link to link: those of the node whose message is followed, if there is one. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { n: 1, p: -1 }[event.key];
    if (event.key === 'Escape') this.tell(null);
    else if (by === undefined) return;
    else {
      const arcs = this.chosen === null ? this.arcs : this.arcs.filter((arc) => arc.tail === this.chosen || arc.head === this.chosen);
      const at = arcs.indexOf(this.link);
      this.tell(arcs[at < 0 ? (by > 0 ? 0 : arcs.length - 1) : (at + by + arcs.length) % arcs.length]);
    }
    event.preventDefault();
  }
  tell(arc) {
    if (this.link) this.link.path.classList.remove('at');
    this.link = arc;
    if (arc) arc.path.classList.add('at');
    this.told.textContent = arc ? this.linkText(arc) : '';
  }

  hover(event) {
    const arc = event.target.closest('.arc'), node = event.target.closest('.node');
    if (arc) tip.show(event, this.linkText(this.arcOf.get(arc)));
    else if (node) tip.show(event, 'node ' + this.kase.topology.name(node.dataset.n) + ' — click to follow its message');
    else tip.hide();
  }

  linkText({ tail, head, port, row }) {
    const { kase, clock } = this, s = kase.streams;
    const here = kase.byRow[row].filter((i) => clock.round === 0 || s.round[i] === clock.round);
    const messages = here.reduce((sum, i) => sum + kase.transfers[s.transfer[i]].count, 0);
    const names = kase.whole && here.length === 1 && messages <= 6 ? [...Array(messages).keys()].map((k) => kase.message(here[0], k)) : [];
    const span = clock.round === 0 ? kase.cycles : (kase.rounds[clock.round - 1] || { length: 1 }).length;
    return `link ${kase.linkName({ tail, head })} (port ${port})\n` + (clock.round === 0 ? 'all rounds: ' : `round ${clock.round}: `) +
      plural(messages, 'message') + (names.length && names[0] ? ' (' + names.map((m) => kase.messageName(m)).join(', ') + ')' : '') +
      `\nbusy ${plural(this.loads[row], 'cycle')} of ${number(span)} (${percent(this.loads[row] / span)})` +
      (kase.isDead(NEVER, tail, head) ? '\nbroken' + (kase.faults.from > 1 ? ` from round ${kase.faults.from} on` : '') : '');
  }

  choose(node) {
    this.chosen = node;
    this.pick.value = node === null ? '' : this.kase.topology.name(node);
    this.update();
  }

  update() {
    const { kase, clock } = this;
    this.loads = kase.loads(clock.round);
    const most = this.loads.reduce((a, b) => Math.max(a, b), 0);
    this.legend.replaceChildren(loadLegend(most));
    if (this.kase.anyFaults) this.legend.firstChild.append(el('span', { class: 'crossed' }, '✕ broken'));
    this.most = most;
    if (!this.arcs) return this.canvas.draw();
    for (const arc of this.arcs) arc.path.setAttribute('class', 'arc l' + loadClass(this.loads[arc.row], most) + arc.dead);
    if (this.link) this.tell(this.link);
    this.follow();
    this.side.replaceChildren(...(this.chosen === null ? this.overview(most) : this.nodeTable(this.chosen)));
  }

  /** Where the message of the chosen node is by the end of the round, and the links that carry it. */
  follow() {
    const { kase, clock, chosen } = this, last = clock.round === 0 ? NEVER - 1 : clock.round;
    const known = chosen === null ? null : kase.knowledge();
    this.nodes.forEach((dot, x) => {
      const came = known === null ? NEVER : kase.personal ? known.came(chosen, x) : known.came(x, chosen);
      dot.classList.toggle('has', came <= last);
      dot.classList.toggle('new', came > 0 && came === clock.round);
      dot.classList.toggle('chosen', x === chosen);
    });
    if (chosen === null || !kase.whole || kase.sums) return;
    const s = kase.streams;
    for (let i = 0; i < s.count; ++i) {
      if (clock.round !== 0 && s.round[i] !== clock.round) continue;
      const { messages } = kase.transfers[s.transfer[i]];
      if (!messages) continue;
      const move = kase.mover(i);
      if (messages.some((m, k) => move(Array.isArray(m) ? m[0] : m) === chosen)) this.arcOfRow.get(s.row[i]).path.classList.add('marked');
    }
  }

  overview(most) {
    const { kase, clock } = this;
    const each = kase.linksPerRow, used = this.loads.filter((load) => load > 0).length * each, sum = this.loads.reduce((a, b) => a + b, 0);
    const span = clock.round === 0 ? kase.cycles : (kase.rounds[clock.round - 1] || { length: 1 }).length;
    const busiest = [...this.loads.keys()].sort((a, b) => this.loads[b] - this.loads[a]).slice(0, 8);
    return [
      el('h3', {}, clock.round === 0 ? 'Links, all rounds' : 'Links in round ' + clock.round),
      pairs([['links, each direction', number(kase.rows.length * each)], ['used', number(used)], ['idle', number(kase.rows.length * each - used)],
        ['busy, on average', percent(sum / Math.max(kase.rows.length * span, 1))], ['busiest', plural(most, 'cycle')]]),
      el('h3', {}, 'The busiest'),
      pairs(busiest.filter((r) => this.loads[r] > 0).map((r) => [kase.linkName(kase.rows[r]), plural(this.loads[r], 'cycle')])),
      el('p', { class: 'note' }, 'Point at a link for what it carries; click a node to follow its message and to see its table. Arrow keys go from round to round.'),
    ];
  }

  /** What the node sends, receives and passes on, round by round. */
  nodeTable(x) {
    const { kase, clock } = this, s = kase.streams, lines = [];
    const known = kase.knowledge();
    for (let port = 0; port < kase.topology.ports; ++port) {
      const peer = kase.topology.peer(x, port);
      if (peer === null) continue;
      const out = kase.row(x, port), back = kase.row(peer, kase.topology.otherPort(x, port));
      for (const [row, sends] of [[out, true], [back, false]]) {
        for (const i of kase.byRow[row] || []) {  // a one-way link is no row of the end where it comes in
          if (clock.round !== 0 && s.round[i] !== clock.round) continue;
          const { path, stored } = kase.transfers[s.transfer[i]];
          const first = s.hop[i] === 0, lastHop = stored && s.hop[i] === path.length - 2;
          const what = sends ? (first ? 'sends to' : 'passes on to') : lastHop ? 'receives from' : 'takes, to pass on, from';
          if (sends || lastHop) lines.push({ i, what, peer, begin: s.begin[i] });
        }
      }
    }
    lines.sort((a, b) => a.begin - b.begin);
    const shown = lines.slice(0, 400).map(({ i, what, peer }) => {
      const { count } = kase.transfers[s.transfer[i]];
      const listed = Array.from({ length: Math.min(count, 400) }, (_, k) => kase.message(i, k));
      const names = !listed[0] || !kase.whole ? number(count) : listed[0][1] === null ? kase.topology.list(listed.map((m) => m[0]), 4) : listed.slice(0, 4).map((m) => kase.messageName(m)).join(', ');
      return [s.round[i], what + ' ' + kase.topology.name(peer), names, right(s.begin[i] + '–' + (s.end[i] - 1))];
    });
    let held = 0;
    const last = clock.round === 0 ? NEVER - 1 : clock.round;
    for (let m = 0; m < kase.topology.nodes; ++m) {
      if ((kase.personal ? known.came(m, x) : known.came(x, m)) <= last) ++held;
    }
    return [
      el('h3', {}, 'Node ' + kase.topology.name(x) + (clock.round ? ', round ' + clock.round : ', all rounds')),
      el('p', { class: 'note' }, kase.sums
        ? `Its sum has ${plural(held, 'part')} ${clock.round ? 'after this round' : 'in the end'}. Filled nodes have its part in their sums; ringed ones have just got it.`
        : `Holds ${plural(held, 'message')}${kase.personal ? ' for it' : ''} ${clock.round ? 'after this round' : 'in the end'}${known.came(x, x) === 0 ? ', its own counted' : ''}. Filled nodes have its message; ringed ones have just got it.`),
      el('div', { class: 'scroll' }, table(null, ['round', 'what', 'messages', 'cycles'], shown)),
      lines.length > 400 ? el('p', { class: 'note' }, 'The first 400 of ' + number(lines.length) + '.') : null,
      ...logTable(kase, x),
    ].filter(Boolean);
  }

  /** Large fabrics: a matrix with a column for each class of nodes, a line a port. */
  makeClasses(parent) {
    const { kase } = this, { topology } = kase, classes = kase.tails.length;
    this.portName = (p) => {
      const f = topology.factorOfPort[p], number = p - topology.firstPorts[f], { spec, ports } = topology.factors[f];
      return (f < 3 ? 'xyz'[f] : 'dimension ' + (f + 1)) + (spec.startsWith('ring:') && ports === 2 ? '+−'[number] : '.' + number);
    };
    const panel = el('div', { class: 'panel' }, el('p', { class: 'note' }, `${number(topology.nodes)} nodes are too many to draw, and many do the same: a column stands for one of ${number(classes)} ` +
      `${classes === 1 ? 'class' : 'classes'} of nodes that the symmetry of the schedule maps onto one another, and each cell for ${plural(kase.linksPerRow, 'link')}.`));
    parent.append(panel);
    this.canvas = new Cells(panel, 34 + topology.ports * 26, 'load of the links by port and class of nodes', 'classes', {
      columns: classes, lines: topology.ports, left: 60, top: 22, most: 26, text: (column, port) => this.classText(column, port), paint: (context, w, h) => this.paintClasses(context, w, h),
    });
    panel.append(this.legend);
  }
  classText(column, port) {
    return `node ${this.kase.topology.name(this.kase.tails[column])} and its like, port ${this.portName(port)}\nbusy ${plural(this.load(column, port), 'cycle')} a link`;
  }
  load(column, port) { return this.loads[this.kase.rowOfArc[column * this.kase.topology.ports + port]] ?? 0; }
  paintClasses(context, w, h) {
    const { topology, tails } = this.kase;
    context.fillStyle = cssColour('soft');
    context.fillText('classes of nodes →', 60, 10);
    for (let p = 0; p < topology.ports; ++p) {
      context.fillStyle = cssColour('soft');
      context.fillText('port ' + this.portName(p), 2, 22 + (p + 0.5) * h);
      for (let c = 0; c < tails.length; ++c) {
        const level = loadClass(this.load(c, p), this.most), x = 60 + c * w, wide = Math.max(w - 1, 0.5), high = level === 0 ? 2 : (h - 3) * level / 5;
        context.fillStyle = cssColour('faint');
        context.fillRect(x, 22 + p * h, wide, h - 3);
        context.fillStyle = cssColour('load' + level);
        context.fillRect(x, 22 + (p + 1) * h - 3 - high, wide, high);
      }
    }
  }
}
