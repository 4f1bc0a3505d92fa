'use strict';
// node scripts.js PAGE FACTS...: runs the scripts of reports' pages without a browser, on a document that takes everything and shows
// nothing, and compares what they work out with what the command knows (scripts_test.cpp). A line for each difference.
const fs = require('fs');
const vm = require('vm');

class Element {
  constructor(tag) {
    Object.assign(this, { tag, children: [], attributes: {}, listeners: {}, style: {}, dataset: {}, value: '', clientWidth: 900, classes: new Set() });
    this.classList = { add: (c) => this.classes.add(c), remove: (c) => this.classes.delete(c), contains: (c) => this.classes.has(c), toggle: (c, on) => (on ? this.classes.add(c) : this.classes.delete(c)) };
  }
  append(...all) { this.children.push(...all.filter((c) => c !== '')); }
  replaceChildren(...all) { this.children = all; }
  insertBefore(child) { this.children.push(child); }
  addEventListener(name, does) { (this.listeners[name] = this.listeners[name] || []).push(does); }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  getContext() { return context(); }
  getBoundingClientRect() { return { width: 100, height: 20 }; }
  matches() { return false; }
  querySelectorAll() { return []; }
  set id(name) { this.attributes.id = name; }
  get childElementCount() { return this.children.length; }
  get firstChild() { return this.children[0]; }
  get textContent() { return this.children.map((c) => (c instanceof Element ? c.textContent : String(c))).join(''); }
  set textContent(text) { this.children = [String(text)]; }
  *all() { yield this; for (const c of this.children) if (c instanceof Element) yield* c.all(); }
}

const drawn = new Set();  // texts in pictures

/** Of a canvas: it takes every call whose numbers are numbers. */
function context() {
  const does = {
    measureText: (text) => ({ width: 6 * String(text).length }),
    createImageData: (w, h) => ({ data: new Uint8ClampedArray(4 * w * h) }),
  };
  return new Proxy(does, {
    get: (target, name) => (name in target ? target[name] : name === 'fillStyle' ? '#123456' : (...numbers) => {
      if (name === 'fillText') drawn.add(String(numbers[0]));
      if (numbers.some((n) => typeof n === 'number' && !Number.isFinite(n))) throw new Error(`${name}(${numbers.join(', ')})`);
    }),
    set: () => true,
  });
}

/** The scripts of a page that has been started: `of(name)` is what they call so, `later()` does what a browser does in time. */
function start(html, mostNodes) {
  const part = (begin, end) => html.slice(html.indexOf(begin) + begin.length).split(end)[0];
  const page = new Element('main'), body = new Element('body'), global = new Element('window'), waiting = [];
  const data = { textContent: part('<script type="application/json" id="data">', '</script>') };
  const byId = (id) => ({ page, data, pictures: { content: { querySelector: () => null } } })[id] || [...page.all(), ...body.all()].find((e) => e.attributes.id === id);
  const observer = (told) => class { constructor(f) { this.f = f; } observe() { waiting.push(() => this.f(told)); } disconnect() {} };
  const scope = vm.createContext({
    document: { body, documentElement: new Element('html'), createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag), getElementById: byId },
    addEventListener: (...both) => global.addEventListener(...both), matchMedia: () => ({ matches: false, addEventListener() {} }),
    getComputedStyle: () => ({ getPropertyValue: () => '#123456' }), ResizeObserver: observer([]), IntersectionObserver: observer([{ isIntersecting: true }]),
    performance, setTimeout: (f) => waiting.push(f), setInterval() {}, clearInterval() {}, devicePixelRatio: 1, innerWidth: 900, innerHeight: 900,
  });
  const script = part('<script>\n', '</script>');
  if (!script.includes('const MOST_NODES = 2000;')) throw new Error('MOST_NODES is gone');
  vm.runInContext(script.replace('const MOST_NODES = 2000;', `const MOST_NODES = ${mostNodes};`), scope);
  const later = () => { while (waiting.length) waiting.shift()(); };
  later();
  const key = (name) => { for (const does of global.listeners.keydown) does({ key: name, target: new Element('body'), preventDefault() {} }); later(); };
  return { page, byId, key, of: (name) => vm.runInContext(name, scope) };
}

let wrong = 0;
let where = '';
function equal(what, found, wanted) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a === b) return;
  let at = 0;
  while (a[at] === b[at]) ++at;
  console.log(`${where}: ${what}: ${a.slice(Math.max(at - 40, 0), at + 60)} where ${b.slice(Math.max(at - 40, 0), at + 60)} should be`);
  ++wrong;
}
const order = (a, b) => { const k = a.findIndex((_, i) => a[i] !== b[i]); return k < 0 ? 0 : a[k] - b[k]; };

function compare(html, facts, mostNodes) {
  drawn.clear();
  const { page, byId, key, of } = start(html, mostNodes);
  const data = JSON.parse(byId('data').textContent), { result } = data, kase = new (of('Case'))(data), { streams: s } = kase;
  const seen = new Set(kase.tails), rows = kase.rows.map(({ tail, port }) => tail + ' ' + port);

  // Every message on every link: [cycle, from, port, origin, destination, piece, flits].
  const runs = [];
  for (let i = 0; i < s.count; ++i) {
    const { tail, head, port } = kase.rows[s.row[i]], { count } = kase.transfers[s.transfer[i]], path = kase.path(i);
    equal('the link of a hop', path.slice(s.hop[i], s.hop[i] + 2), [tail, head]);
    equal('the end of a stream', s.end[i], s.begin[i] + kase.offset(kase.transfers[s.transfer[i]], count));
    for (let k = 0; k < count; ++k) runs.push([s.begin[i] + kase.offset(kase.transfers[s.transfer[i]], k), tail, port, ...[0, 1, 2].map((n) => kase.message(i, k)[n] ?? (n === 2 ? 0 : -1)), kase.flitsOf(kase.transfers[s.transfer[i]], k)]);
  }
  const wanted = facts.runs.filter((run) => seen.has(run[1]));
  equal('messages on links', runs.sort(order), wanted.sort(order));

  equal('where rounds begin', kase.rounds.map(({ start }) => start), facts.starts.slice(0, kase.rounds.length));

  // What is broken, and from when on.
  const broken = new Set(facts.dead.map(([from, port]) => from + ' ' + port)), isDead = (round) => kase.rows.map(({ tail, head }) => kase.isDead(round, tail, head));
  equal('broken links', isDead(facts.from), rows.map((row) => broken.has(row)));
  equal('broken links before', isDead(facts.from - 1).includes(true), false);

  // Loads, all rounds together and each, and the share of links that are busy in each cycle.
  const busy = new Map(rows.map((row) => [row, 0])), ofRound = kase.rounds.map(() => new Map(busy)), share = new Array(kase.cycles + 1).fill(0);
  for (const [begin, from, port, , , , flits] of wanted) {
    busy.set(from + ' ' + port, busy.get(from + ' ' + port) + flits);
    for (let c = begin; c < begin + flits; ++c) ++share[c];
  }
  for (const [round, from, port, cycles] of facts.loads) if (seen.has(from)) ofRound[round - 1].set(from + ' ' + port, cycles);
  equal('loads', [...kase.loads(0)], rows.map((row) => busy.get(row)));
  ofRound.forEach((loads, r) => equal(`loads of round ${r + 1}`, [...kase.loads(r + 1)], rows.map((row) => loads.get(row))));
  equal('links that are busy in a cycle', [...kase.busyShare(kase.cycles + 1)].map((part) => Math.round(part * rows.length)), share);

  // Who knows what: the page counts pairs, of one node of each class where it shows classes.
  const known = kase.knowledge(), came = new Map(facts.came.map(([x, m, round]) => [x + ' ' + m, round])), byRound = new Array(kase.rounds.length + 1).fill(0);
  let pairs = 0;
  for (let x = 0; x < kase.topology.nodes; ++x) {
    for (let m = 0; m < kase.topology.nodes; ++m) {
      if (x === m && facts.came.length && !kase.sums) equal(`the round in which node ${x} has its own`, known.came(x, x), came.get(x + ' ' + x) ?? of('NEVER'));
      if (!known.meant(x, m)) continue;
      ++pairs;
      const round = known.came(x, m);
      if (round <= kase.rounds.length) ++byRound[round];
      if (facts.came.length) equal(`the round in which message ${m} comes to node ${x}`, round, came.get(x + ' ' + m) ?? of('NEVER'));
    }
  }
  const each = kase.sums ? kase.topology.nodes - 1 : 1;  // parts of a sum, or a message
  equal('pairs that are meant', pairs, result.expected * each);
  equal('pairs that are there in the end', byRound.reduce((a, b) => a + b), (result.delivered ?? result.expected) * each);

  // What is written: cards, and the count of pairs with each step of the clock, in which all pictures are painted anew.
  const shown = (n) => n.toLocaleString('en-US');
  for (const [name, key] of [['rounds', 'rounds'], ['cycles predicted', 'cycles_predicted'], ['transmissions', 'transmissions'], ['delivered', 'delivered'], ['tau_sum', 'tau_sum'], ['delta_sum', 'delta_sum']]) {
    const card = [...page.all()].find((e) => e.attributes['data-number'] === name);
    equal(`the card ${name}`, card.children[0], result[key] === null ? '–' : shown(result[key]));
  }
  if (result.verdict === 'interrupted') {
    const after = `after ${shown(result.cycles_simulated)} cycles`;
    equal('what is said of the interruption', byId('interrupted').textContent, `Interrupted ${after}, with ${result.rounds_done} of ${result.rounds} rounds done: what is below is the prediction.`);
    equal('what the pictures show', byId('source').textContent.split('.')[0], `Drawn from the prediction: the run was interrupted ${after}`);
    equal('what went wrong', byId('problems'), undefined);
  }
  let there = byRound[0];
  for (let r = 1; r <= Math.min(kase.rounds.length, 40); ++r) {
    key('ArrowRight');
    there += byRound[r];
    equal('what is counted', byId('knowledge-count').textContent.split(` ${kase.sums ? 'parts' : kase.personal ? 'messages delivered' : 'pairs'}`)[0], `After round ${r}: ${shown(there)} of ${shown(pairs)}`);
  }
  // What a node's table says that it holds in the end.
  for (let x = 0; facts.came.length && !kase.sums && x < Math.min(kase.topology.nodes, 4); ++x) {
    const held = facts.came.filter(([a, b]) => (kase.personal ? b : a) === x).length, own = came.has(x + ' ' + x) ? ', its own counted' : '';
    const [, note] = of('FabricView').prototype.nodeTable.call({ kase, clock: { round: 0 } }, x);
    equal('what a node holds', note.textContent.split('.')[0], `Holds ${held} message${held === 1 ? '' : 's'}${kase.personal ? ' for it' : ''} in the end${own}`);
  }
  // Whose message is followed: nodes by their names or numbers; what is none changes nothing.
  const view = Object.assign(Object.create(of('FabricView').prototype), { kase, clock: { round: 0 }, chosen: null, link: null, legend: new Element('div'), side: new Element('div'), follow() {}, crossOut() {} });
  view.picture = Object.assign(new Element('svg'), { viewBox: { baseVal: { width: 30 } } });
  view.makeDrawing(new Element('div'));
  const last = kase.topology.nodes - 1, shownNode = [facts.names[last], last];
  for (const [text, wanted] of [[facts.names[last], shownNode], ['1.5', shownNode], ['-1', shownNode], [`${last + 1}`, shownNode], ['nobody', shownNode], ['0', [facts.names[0], 0]], ['', ['', null]]]) {
    view.pick.value = text;
    for (const does of view.pick.listeners.change) does();
    equal(`the node that is followed after '${text}'`, [String(view.pick.value), view.chosen], wanted);
    if (view.chosen !== null) equal('the head of its table', view.side.children[0].textContent, `Node ${facts.names[view.chosen]}, all rounds`);
  }
  // Nodes have their names everywhere.
  const [a, b, c] = facts.names;
  equal('the name of a message', kase.messageName([0, 1, 2]), `${a}›${b}/2`);
  equal('what is broken', of('brokenText')({ topology: kase.topology, faults: { nodes: new Set([0]), arcs: new Set(['1-2', '2-1', '0-1']), from: 1 } }), `Broken: node ${a}; link ${b}–${c}; ${a} → ${b}.`);
  const peers = of('FabricView').prototype.nodeTable.call({ kase, clock: { round: 0 } }, 0)[2].all();
  for (const { tag, textContent } of peers) if (tag === 'td' && / (to|from) /.test(textContent)) equal(`the neighbour of '${textContent}'`, facts.names.includes(textContent.split(' ').pop()), true);
  if (data.topology.names) equal('names on the axes of the matrix', facts.names.filter((name) => !drawn.has(name)), []);
  // What the cells of the first lines are told to hold, as the arrow keys go there.
  const cell = (name) => { for (const does of byId('knowledge').listeners.keydown) does({ key: name, preventDefault() {} }); };
  for (let line = 0; facts.came.length && line < Math.min(kase.tails.length, 3); ++line) {
    for (let k = line; k >= 0; --k) cell(k === line ? 'Home' : 'ArrowDown');
    for (let m = 0; m < kase.topology.nodes; ++m) {
      const x = kase.tails[line], round = known.came(x, m), told = byId('knowledge-told').textContent.split(': ');
      const names = [x, m].map((node) => facts.names[node]);
      equal('the nodes of a cell', told[0].match(kase.sums ? /^sum of node (.*), part of node (.*)$/ : kase.personal ? /^from node (.*) to node (.*)$/ : /^node (.*), message of node (.*)$/).slice(1), names);
      equal('what a cell holds', told[1].split(', set out')[0], round === 0 ? 'its own' : round === of('NEVER') ? 'never comes' : `${kase.personal ? 'delivered' : 'came'} in round ${round}`);
      cell('ArrowRight');
    }
  }
  key('Home');
  const [first] = kase.byRow.find((list) => list.length), { tail, head } = kase.rows[s.row[first]];
  for (const does of byId('space-time').listeners.keydown) does({ key: 'n', preventDefault() {} });
  equal('the first bar', byId('space-time-info').textContent.split(': ')[0], `round ${kase.transfers[s.transfer[first]].round}, link ${kase.linkName({ tail, head })} · cycles ${shown(s.begin[first])} to ${shown(s.end[first] - 1)}`);
  equal('what is counted in the end', byId('knowledge-count').textContent.split(':')[0], 'In the end');
}

for (const [page, facts] of process.argv.slice(2).map((file, k, all) => [file, all[k + 1]]).filter((_, k) => k % 2 === 0)) {
  const html = fs.readFileSync(page, 'utf8'), known = JSON.parse(fs.readFileSync(facts, 'utf8'));
  for (const mostNodes of known.classes ? [2000, 3] : [2000]) {
    where = known.name + (mostNodes === 3 ? ', by classes' : '');
    try {
      compare(html, known, mostNodes);
    } catch (error) {
      console.log(`${where}: ${error.stack.split('\n').slice(0, 3).join(' ')}`);
      ++wrong;
    }
  }
}
process.exit(wrong ? 1 : 0);
