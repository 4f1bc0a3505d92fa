'use strict';
// What the page knows of a case: the data block (docs/use/report.md) with its paths and orbits written out.

/** Nodes and links: a product of small graphs, in the numbering of docs/use/schedule-format.md. */
class Topology {
  constructor(data) {
    Object.assign(this, data);
    this.longest = this.names ? this.names.reduce((a, b) => (b.length > a.length ? b : a)) : String(this.nodes);  // name
    this.strides = [];
    this.radices = this.factors.map((factor) => factor.nodes);
    this.firstPorts = [];
    this.factorOfPort = [];
    let stride = 1;
    this.factors.forEach((factor, f) => {
      this.strides.push(stride);
      this.firstPorts.push(this.factorOfPort.length);
      stride *= factor.nodes;
      for (let p = 0; p < factor.ports; ++p) this.factorOfPort.push(f);
    });
  }
  digit(x, f) { return Math.floor(x / this.strides[f]) % this.factors[f].nodes; }
  /** The node at the other end of port p; null if there is none. */
  peer(x, p) {
    const f = this.factorOfPort[p], factor = this.factors[f], d = this.digit(x, f);
    const to = factor.peers[d * factor.ports + p - this.firstPorts[f]];
    return to === null ? null : x + (to - d) * this.strides[f];
  }
  /** Does the link at port p lead away from x? */
  sends(x, p) {
    const f = this.factorOfPort[p], { ports, silent } = this.factors[f];
    return this.peer(x, p) !== null && !(silent && silent[this.digit(x, f) * ports + p - this.firstPorts[f]]);
  }
  /** The port of the link that leads there; of several, of that number. */
  portTo(from, to, lane = 0) {
    for (let p = 0; p < this.ports; ++p) if (this.peer(from, p) === to && this.sends(from, p) && lane-- === 0) return p;
    return -1;
  }
  /** The other end of the link at port p of x: both count their links to each other in the same order. */
  otherPort(x, p) {
    const to = this.peer(x, p);
    let before = 0;
    for (let q = 0; q < p; ++q) before += this.peer(x, q) === to;
    for (let q = 0; q < this.ports; ++q) if (this.peer(to, q) === x && before-- === 0) return q;
    return -1;
  }
  name(x) { return this.names ? this.names[x] : x; }
  /** Many nodes, the first few: runs of numbers, or names. */
  list(nodes, most) {
    if (!this.names) return ranges(nodes, most);
    return nodes.slice(0, most).map((x) => this.names[x]).join(', ') + (nodes.length > most ? ', …' : '') + (nodes.length > 1 ? ` (${number(nodes.length)})` : '');
  }
  /** The node of this name or number; null if there is none. */
  nodeNamed(text) {
    const x = this.names ? this.names.indexOf(text) : -1;
    return x >= 0 ? x : /^\d+$/.test(text) && Number(text) < this.nodes ? Number(text) : null;
  }
  /** x + by, digit by digit; `sign` -1: x - by. */
  translate(x, by, sign = 1) {
    if (by === 0) return x;
    let sum = 0;
    for (let f = 0; f < this.strides.length; ++f) {
      const stride = this.strides[f], radix = this.radices[f];
      let digit = (x / stride | 0) % radix + sign * ((by / stride | 0) % radix);
      if (digit >= radix) digit -= radix;
      else if (digit < 0) digit += radix;
      sum += digit * stride;
    }
    return sum;
  }
}

/**
 * The translations of a schedule, and the classes of nodes that they map onto one another. Translations are the points of a
 * lattice, whose generators have a last digit each: so a node is brought into its class's box digit by digit, from the last one,
 * and no table of all nodes is needed. Its place in the box is the first node of the class.
 */
class Symmetry {
  constructor(topology, generators) {
    const { radices } = topology;
    this.topology = topology;
    this.basis = radices.map((radix, f) => radices.map((_, k) => (k === f ? radix : 0)));
    for (const by of generators) {
      const digits = radices.map((_, f) => topology.digit(by, f));
      this.basis[digits.findLastIndex((digit) => digit !== 0)] = digits;
    }
    this.box = this.basis.map((row, f) => row[f]);
    this.classes = this.box.reduce((a, b) => a * b, 1);
    this.order = topology.nodes / this.classes;
    this.last = { x: -1, number: 0, shift: 0 };
  }
  representative(number) {
    let node = 0;
    this.box.forEach((size, f) => { node += (number % size) * this.topology.strides[f]; number = Math.floor(number / size); });
    return node;
  }
  /** Numbers of classes, and the translations that take their first nodes to x. */
  classOf(x) { return this.find(x).number; }
  shift(x) { return this.find(x).shift; }
  find(x) {
    if (this.last.x === x) return this.last;
    const digits = this.box.map((_, f) => this.topology.digit(x, f));
    for (let f = digits.length - 1; f >= 0; --f) {
      const times = Math.floor(digits[f] / this.box[f]);
      if (times !== 0) for (let k = 0; k <= f; ++k) digits[k] -= times * this.basis[f][k];
    }
    let number = 0, first = 0;
    for (let f = digits.length - 1; f >= 0; --f) {
      number = number * this.box[f] + digits[f];
      first += digits[f] * this.topology.strides[f];
    }
    return (this.last = { x, number, shift: this.topology.translate(x, first, -1) });
  }
  /** The translations themselves: what they make of node 0. */
  elements() {
    const all = [];
    for (let x = 0; x < this.topology.nodes; ++x) if (this.classOf(x) === 0) all.push(x);
    return all;
  }
}

const MOST_NODES = 2000;       // fabrics of more are shown by classes of nodes
const MOST_STREAMS = 700000;
const NEVER = 0xffffffff;

/**
 * A case. Rows are links in one direction: of all nodes (`whole`), or of one node of each class.
 * Streams are what is on a row without a gap; they are kept as columns, by number.
 */
class Case {
  constructor(data) {
    this.data = data;
    this.result = data.result;
    this.flits = data.result.flits;
    this.pieces = data.result.pieces || 1;
    this.sizes = data.flits || null;  // by origin, or by origin and destination; null: all messages have as many
    this.equal = this.pieces === 1 && !this.sizes;
    this.members = data.result.members ? new Set(data.result.members) : null;
    this.groups = data.result.groups ? new Map(data.result.groups.flatMap((group) => group.members.map((x) => [x, group]))) : null;  // by member
    this.topology = new Topology(data.topology);
    this.personal = ['total-exchange', 'scatter', 'gather'].includes(this.result.collective);
    this.sums = ['reduce', 'reduce-scatter', 'all-reduce'].includes(this.result.collective);
    this.pipelined = this.result.model.switching === 'pipelined';
    this.hopRounds = this.result.model.hop_rounds ?? 1;
    this.rounds = this.readSlots(data.slots || []);
    const last = this.rounds[this.rounds.length - 1];
    this.cycles = Math.max(this.result.cycles_predicted || 0, last ? last.start + last.length - 1 : 0, 1);
    // A tree has an entry for each of its hops, with the path that leads there: only the hop from number `first` on is its own,
    // and the path's end stores what comes or passes it on.
    this.transfers = (data.streams || []).map(([round, path, messages, begin, first = 0, stored = true, lanes = []]) => {
      const listed = Array.isArray(messages);
      const count = listed ? messages.length : messages;
      const t = { round, path, begin, count, messages: listed ? messages : null, first, stored, lanes, offsets: [0] };
      if (!this.equal) for (let k = 0; k < count; ++k) t.offsets.push(t.offsets[k] + this.flitsOf(t, k));
      return t;
    });
    this.symmetry = new Symmetry(this.topology, data.translations || []);
    let hops = 0;
    for (const t of this.transfers) hops += t.path.length - 1 - t.first;
    this.whole = this.topology.nodes <= MOST_NODES && hops * this.symmetry.order <= MOST_STREAMS;
    this.faults = this.readFaults(this.result.faults);
    this.anyFaults = this.faults.nodes.size + this.faults.arcs.size > 0;
    this.tails = !data.streams ? [] : Array.from({ length: this.whole ? this.topology.nodes : this.symmetry.classes }, (_, k) => (this.whole ? k : this.symmetry.representative(k)));
    this.makeRows();
    this.makeStreams(hops);
  }

  readSlots(slots) {
    const rounds = [];
    let start = 1;
    for (const { rounds: count, cycles: [length, alpha, hops, flits, waiting] } of slots) {
      for (let i = 0; i < count; ++i) {
        rounds.push({ start, length, alpha, hops, flits, waiting });
        start += length;
      }
    }
    return rounds;
  }

  readFaults(faults) {
    const dead = { nodes: new Set(), arcs: new Set(), from: 1 };
    if (!faults) return dead;
    dead.from = faults.from;
    faults.nodes.forEach((x) => dead.nodes.add(x));
    faults.arcs.forEach(([a, b]) => dead.arcs.add(a + '-' + b));
    faults.links.forEach(([a, b]) => dead.arcs.add(a + '-' + b).add(b + '-' + a));
    return dead;
  }
  isDead(round, from, to) {
    const dead = this.faults;
    return round >= dead.from && (dead.nodes.has(from) || dead.nodes.has(to) || dead.arcs.has(from + '-' + to));
  }

  makeRows() {
    const { topology, symmetry, tails } = this;
    this.rows = [];
    this.rowOfArc = new Int32Array(tails.length * topology.ports).fill(-1);
    tails.forEach((tail, index) => {
      for (let port = 0; port < topology.ports; ++port) {
        const head = topology.peer(tail, port);
        if (!topology.sends(tail, port)) continue;
        this.rowOfArc[index * topology.ports + port] = this.rows.length;
        this.rows.push({ tail, head, port });
      }
    });
    this.linksPerRow = this.whole ? 1 : symmetry.order;
  }
  /** "origin", of messages to one node "origin›destination", of pieces "…/piece". */
  messageName(m) {
    if (m === null) return 'words that nobody sent';
    const [origin, destination, piece] = m;
    return this.topology.name(origin) + (destination === null ? '' : '›' + this.topology.name(destination)) + (piece === null || piece === undefined ? '' : '/' + piece);
  }
  linkName({ tail, head }) { return this.topology.name(tail) + ' → ' + this.topology.name(head); }
  /** The row of the link at port p of x. */
  row(x, port) {
    const index = this.whole ? x : this.symmetry.classOf(x);
    return this.rowOfArc[index * this.topology.ports + port];
  }

  makeStreams(hops) {
    const { topology, symmetry } = this;
    const moves = this.whole ? symmetry.elements() : [0];
    const count = hops * moves.length;
    const s = {
      count, transfer: new Int32Array(count), shift: new Int32Array(count), hop: new Int32Array(count),
      row: new Int32Array(count), begin: new Float64Array(count), end: new Float64Array(count),
      round: new Int32Array(count),
    };
    let at = 0;
    this.transfers.forEach((t, index) => {
      for (let hop = t.first, begin = t.begin; hop + 1 < t.path.length; ++hop) {
        const port = topology.portTo(t.path[hop], t.path[hop + 1], t.lanes[hop]);
        for (const by of moves) {
          s.transfer[at] = index;
          s.shift[at] = by;
          s.hop[at] = hop;
          s.row[at] = this.row(this.whole ? topology.translate(t.path[hop], by) : t.path[hop], port);
          s.begin[at] = begin;
          s.end[at] = begin + this.offset(t, t.count);
          s.round[at] = this.pipelined ? t.round + hop * this.hopRounds : t.round;
          ++at;
        }
        begin += 1 + (this.data.joining || 0) + (this.data.stages ? this.data.stages[port] : 0);
      }
    });
    this.streams = s;
    this.byRow = this.rows.map(() => []);
    for (let i = 0; i < count; ++i) if (s.row[i] >= 0) this.byRow[s.row[i]].push(i);
    for (const list of this.byRow) list.sort((a, b) => s.begin[a] - s.begin[b]);
  }

  /** How the nodes that a stream's transfer names are moved to where the stream is. */
  mover(i) {
    const { topology, symmetry, streams } = this;
    if (this.whole) return (x) => topology.translate(x, streams.shift[i]);
    const tail = this.transfers[streams.transfer[i]].path[streams.hop[i]];
    return (x) => topology.translate(x, symmetry.shift(tail), -1);
  }
  path(i) { return this.transfers[this.streams.transfer[i]].path.map(this.mover(i)); }
  /** Message number k of a stream, as [origin, destination or null]; null if they are not listed. */
  message(i, k) {
    const { messages } = this.transfers[this.streams.transfer[i]];
    if (!messages || k >= messages.length) return null;
    const move = this.mover(i), m = messages[k];
    return Array.isArray(m) ? [move(m[0]), m[1] === null ? null : move(m[1]), m[2] ?? null] : [move(m), null, null];
  }

  /** Flits of the message of `origin`, to `destination` if each has its own. */
  messageFlits(origin, destination) {
    if (!this.sizes) return this.flits;
    return this.sizes[this.sizes.length > this.topology.nodes ? origin * this.topology.nodes + destination : origin];
  }
  /** Flits of message number k of a transfer: of a piece, if messages are cut. The first pieces have one more. */
  flitsOf(t, k) {
    if (this.equal) return this.flits;
    if (!t.messages) return Math.floor(this.flits / this.pieces);  // then all have as many
    const m = t.messages[k], [origin, destination, piece = 0] = Array.isArray(m) ? m : [m, null];
    const whole = this.messageFlits(origin, destination);
    return Math.floor(whole / this.pieces) + (piece < whole % this.pieces ? 1 : 0);
  }
  /** Flits before message number k of a transfer, and the message that its flit number `flit` belongs to. */
  offset(t, k) { return this.equal ? k * this.flits : t.offsets[k]; }
  messageOf(t, flit) {
    if (this.equal) return Math.floor(flit / this.flits);
    return Math.max(0, t.offsets.findIndex((o) => o > flit) - 1);
  }

  /** Cycles that each row is busy in a round (from 1), or in all (0). */
  loads(round) {
    const s = this.streams, busy = new Float64Array(this.rows.length);
    for (let i = 0; i < s.count; ++i) {
      if (round === 0 || s.round[i] === round) busy[s.row[i]] += s.end[i] - s.begin[i];
    }
    return busy;
  }

  /** The share of links that carry a flit, in `bins` equal parts of the time. */
  busyShare(bins) {
    const s = this.streams, width = (this.cycles + 1) / bins, share = new Float64Array(bins + 1);
    const slope = new Float64Array(bins + 2);
    const add = (begin, end) => {
      const a = begin / width, b = Math.min(end / width, bins);
      const first = Math.floor(a), last = Math.floor(b);
      if (first === last) { share[first] += b - a; return; }
      share[first] += first + 1 - a;
      share[last] += b - last;
      slope[first + 1] += 1;
      slope[last] -= 1;
    };
    for (let i = 0; i < s.count; ++i) add(s.begin[i], s.end[i]);
    let full = 0;
    for (let k = 0; k < bins; ++k) {
      full += slope[k];
      share[k] = (share[k] + full) / Math.max(this.rows.length, 1);
    }
    return share.subarray(0, bins);
  }

  /**
   * Who knows what: `came(x, m)` is the round in which the message of m has come to node x, 0 from the
   * beginning, NEVER if it does not; of personal messages when that of x has come to m, and `left(x, m)`
   * when it set out; of sums, when the part of m is in that of x. `meant(x, m)`: is it to come there at all?
   */
  knowledge() {
    const { came, left } = this.data;
    return (this.known ||= { came: this.roundsOf(came), left: this.roundsOf(left), meant: (x, m) => this.meant(x, m) });
  }
  /** What the rows of the data say of each pair of nodes: runs of equal rounds, for one node of each class. */
  roundsOf(rows) {
    if (!rows) return null;
    const { topology, symmetry } = this, n = topology.nodes, rounds = new Uint32Array(rows.length * n);
    let at = 0;
    for (const row of rows) for (let k = 0; k < row.length; k += 2) rounds.fill(row[k] ?? NEVER, at, at += row[k + 1]);
    return (x, m) => { const { number, shift } = symmetry.find(x); return rounds[number * n + topology.translate(m, shift, -1)]; };
  }
  meant(x, m) {
    const { collective } = this.result, end = { broadcast: m, gather: m, scatter: x, reduce: x }[collective];
    if (!this.together(x, m) || (end !== undefined && end !== this.root(end))) return false;
    const origin = this.sums ? x : m;
    return this.sums && collective !== 'reduce-scatter' || (this.personal ? this.messageFlits(x, m) : this.messageFlits(origin)) > 0;
  }

  /** Is a node healthy, and a member? The others only pass on. */
  takesPart(x) { return !this.faults.nodes.has(x) && (!this.members || this.members.has(x)); }

  /** The root of a node's group. */
  root(x) { return this.groups ? (this.groups.get(x) || {}).root : this.result.root; }
  /** Do two nodes take part in the same collective? */
  together(x, y) { return x !== y && this.takesPart(x) && this.takesPart(y) && (!this.groups || this.groups.get(x) === this.groups.get(y)); }
}
