// SPDX-License-Identifier: Apache-2.0
// The one source of what hardware and software must agree on: table layouts, timing constants,
// error codes, configuration addresses. The C++ header is generated from this file, line by line,
// so keep to the forms used here (see sw/tables/constants_from_rtl).
`default_nettype none

package gossamer_pkg;

  // Each build uses its part of these constants; the software uses them all.
  /* verilator lint_off UNUSEDPARAM */

  // ---- Slot table entry: after slot_t PORTS bits that say where to store what arrives, and PORTS selects of
  // $clog2(PORTS+1) bits each. What is needed in every cycle is in the lowest word. Bit 0 is the last one below.
  localparam int SLOT_LEN_W = 24;  // width of lengths
  localparam int SLOT_REPEAT_W = 20;  // width of counts
  localparam int SLOT_RECEIVE_LSB = 96;  // bits of slot_t: here follow PORTS bits, then the selects

  typedef struct packed {
    logic [SLOT_REPEAT_W-1:0] loops;        // how often the loop that ends here is executed, at least twice
    logic [SLOT_REPEAT_W-1:0] repeats;      // how often the slot is executed in a row
    logic [SLOT_LEN_W-1:0]    stream;       // flits that a sending node reads from its store
    logic                     ends_table;   // the table ends with this entry
    logic                     ends_loop;    // a loop ends with this entry
    logic [3:0]               op;           // JOIN: how lanes join
    logic                     parity;       // the entry has an even number of ones
    logic                     begins_loop;  // a loop begins with this entry
    logic [SLOT_LEN_W-1:0]    length;       // cycles of the slot, at least 1
  } slot_t;

  // In place of `loops` where no loop ends, in nodes built for so long slots.
  typedef struct packed {
    logic [3:0] unused_4;
    logic [7:0] stream;  // the stream's bits above SLOT_LEN_W
    logic [7:0] length;  // the length's bits above SLOT_LEN_W
  } slot_high_t;

  localparam int MAX_PORTS = 62;  // link ports that a node can have

  // In nodes built with JOIN, PORTS bits say which lanes' results are stored, not sent, and then comes, for each lane, a
  // mask of PORTS bits in place of a select (rtl/node/crossbar_join.sv).

  function automatic int slot_w(input int ports, input logic joins);
    slot_w = SLOT_RECEIVE_LSB + (joins ? 2 * ports + ports * ports : ports + ports * $clog2(ports + 1));
  endfunction

  // A select names the source of an output: input k for k != own port, the local store for the own
  // port (there are no U-turns), nothing for PORTS. Larger codes are malformed.

  // ---- Segment of a read channel: `count` runs of `run` words, `stride` words apart.
  localparam int SEG_RUN_W = 26;  // width of run, stride and count, and the most that an address of a word can have
  localparam int SEG_W = 128;  // bits of segment_t

  typedef struct packed {
    logic                 parity;     // the segment has an even number of ones
    logic [4:0]           unused_5;
    logic [SEG_RUN_W-1:0] count;      // runs; 0 ends the list
    logic [5:0]           unused_6;
    logic [SEG_RUN_W-1:0] stride;     // words from one run's start to the next one's
    logic [3:0]           unused_4;
    logic [1:0]           base_high;  // the base's upper bits, in nodes built for so long logs
    logic [SEG_RUN_W-1:0] run;        // words of a run; 0 counts as 1
    logic                 same;       // adaptive: both ends of a link mean the same message here
    logic                 stop;       // the stream of this slot ends with the segment
    logic [5:0]           log;        // which log: the port's number, or PORTS for the own one
    logic [23:0]          base;       // first word of the first run
  } segment_t;

  // In nodes built so, in place of a segment's first two words; there are no others.
  typedef struct packed {
    logic [7:0]  stride;  // words from one to the next
    logic [23:0] count;   // words; 0 ends the list
    logic        parity;  // the segment has an even number of ones
    logic        stop;    // as in segment_t, as the next two
    logic [5:0]  log;
    logic [23:0] base;
  } flat_t;

  // ---- Timing in cycles (docs/hardware/timing.md). The start pulse is cycle 0.
  localparam int TIME_START = 1;  // cycle in which the first slot begins
  localparam int TIME_ALPHA = 1;  // start-up of a circuit round
  localparam int TIME_DELTA = 1;  // per hop
  localparam int TIME_TAU = 1;  // per flit
  localparam int TIME_LAT = 3;  // from a slot's first read to the earliest read of what it sent
  localparam int TIME_GUARD = 1;  // undriven cycles when a half-duplex link reverses

  // ---- Nodes built with JOIN: how lanes join (rtl/node/join_op.sv). A hop takes TIME_JOIN cycles more.
  typedef enum logic [3:0] {
    OP_SUM = 4'd1,  // in lanes of 32 bits, which wrap
    OP_SUM16 = 4'd2,  // in lanes of 16 bits
    OP_SUM8 = 4'd3,  // in lanes of 8 bits
    OP_MIN = 4'd4,  // two's complement, in lanes of 32 bits, as the next three
    OP_MAX = 4'd5,  // two's complement
    OP_MINU = 4'd6,  // unsigned
    OP_MAXU = 4'd7,  // unsigned
    OP_AND = 4'd8,  // bit by bit, as the next two
    OP_OR = 4'd9,  // either
    OP_XOR = 4'd10  // one of the two
  } op_e;  // another number means OP_SUM
  localparam int TIME_JOIN = 1;  // cycles that a hop takes more

  // ---- Links longer than a cycle: every register stage of a link adds a cycle to TIME_DELTA, TIME_LAT and
  // TIME_GUARD.
  localparam int MAX_LINK_STAGES = 63;  // register stages that a link can have
  localparam int LINK_STAGES_W = 8;  // bits of their number in parameters

  // ---- Adaptive nodes (exchange_log), unless built otherwise.
  localparam int ADAPTIVE_MESSAGES = 256;  // messages that a node can tell apart
  localparam int ADAPTIVE_SLOT_W = 8;  // width of a slot's number: a table has fewer than 2^W slots

  // ---- Configuration port: 32-bit words. The upper bits of an address say what is meant, a slot
  // table entry, a segment or a wide flit takes several words, the least significant one first.
  localparam int CFG_REGION_LSB = 28;  // first bit of the region
  localparam int CFG_REGION_W = 3;  // bits of the region
  localparam int CFG_BANK_LSB = 31;  // slots and lists: the bank that is written, of nodes with two
  localparam int CFG_REGISTERS = 0;  // region: the registers below
  localparam int CFG_SLOTS = 1;  // region: slot table, write only
  localparam int CFG_LISTS = 2;  // region: segment lists, write only
  localparam int CFG_STORE = 3;  // region: message store; own words can be written, logs be read
  localparam int CFG_ARRIVED = 4;  // region: of adaptive nodes, a message's ports of arrival
  localparam int CFG_ARRIVED_LSB = 16;  // ... 1 in this bit of the address: those from port 32 on
  localparam int CFG_SLOT_LSB = 5;  // slot table: the entry's number; below it the word's
  localparam int CFG_SEG_LSB = 2;  // segment list: the segment's number; below it the word's
  localparam int CFG_CHANNEL_LSB = 22;  // segment list: the read channel's number
  localparam int CFG_LOG_LSB = 22;  // message store: the log's number, PORTS for an own log apart
  localparam int CFG_PART_W = 6;  // bits of a channel's and of a log's number

  // Registers.
  localparam int CFG_CONTROL = 0;  // bit 0: back to the state before the start; bit 1: bank of tables, if two; below: more
  localparam int CFG_STATUS = 1;  // bit 0: the table has ended; bit 1: an error was raised
  localparam int CFG_OWN_WORDS = 2;  // words that the node starts with; can be written
  localparam int CFG_ERRORS = 3;  // bit k: error code k was raised
  localparam int CFG_FIRST_CODE = 4;  // code of the first error
  localparam int CFG_FIRST_SLOT = 5;  // slots executed before the first error
  localparam int CFG_FIRST_PORT = 6;  // port of the first error
  localparam int CFG_FLIT_W = 7;  // what the node was built with: bits of a flit
  localparam int CFG_PORTS = 8;  // link ports
  localparam int CFG_CHANNELS = 9;  // read channels
  localparam int CFG_MODEL = 10;  // its variant: the bits MODEL_... below
  localparam int CFG_SLOT_DEPTH = 11;  // entries of the slot table
  localparam int CFG_LIST_DEPTH = 12;  // segments of each list
  localparam int CFG_CAPACITY = 13;  // words of each log
  localparam int CFG_LEN_W = 14;  // bits that lengths can have
  localparam int CFG_REPEAT_W = 15;  // bits that counts can have
  localparam int CFG_DEAD = 16;  // faults: bit p kills output p, next register from port 32 on
  localparam int CFG_DEAD_AFTER = 18;  // slots after which they transmit nothing
  localparam int CFG_SHIFT = 20;  // adaptive: a message begins every 2^shift words of a log
  localparam int CFG_INITIATOR = 21;  // its message's address; bit 31: be silent until it came
  localparam int CFG_MESSAGES = 22;  // adaptive, as built: messages that the node can tell apart
  localparam int CFG_OWN_CAPACITY = 23;  // own words, as built
  localparam int CFG_LOG_LENGTH = 64;  // words in log 0; the other logs follow
  localparam int CFG_PARTNER = 128;  // adaptive: address of neighbour 0's message; the others follow
  localparam int CFG_LINK_STAGES = 192;  // register stages of the link at port 0; the others follow
  localparam int CFG_SHARED = 256;  // SHARED, as built: two numbers of 16 bits; the others follow

  // Fields of CFG_CONTROL; all but CONTROL_NO_WORDS of nodes with several programs.
  localparam int CONTROL_KEEP = 2;  // the next run goes on with the logs of the last one
  localparam int CONTROL_NO_WORDS = 3;  // the node has no own words any more
  localparam int CONTROL_PROGRAM_LSB = 8;  // the program that is run
  localparam int CONTROL_PROGRAM_W = 3;  // bits of its number

  // Bits of CFG_MODEL: parameters of switch_node, or their KIND.
  localparam int MODEL_SINGLE_PORT = 0;  // one send and one receive a slot, and a single log
  localparam int MODEL_HALF_DUPLEX = 1;  // half-duplex links
  localparam int MODEL_ADAPTIVE = 2;  // the node decides what it sends
  localparam int MODEL_ONE_CYCLE = 3;  // slots of one cycle, neither repeated nor looped
  localparam int MODEL_IN_ORDER = 4;  // own words are sent in their order, without a list
  localparam int MODEL_DOUBLE_BUFFERED = 5;  // two banks of tables
  localparam int MODEL_JOIN = 7;  // words are joined as they are sent
  localparam int MODEL_ALL_OPS = 8;  // ... by all operators, not by sums alone
  localparam int MODEL_PROGRAMS = 9;  // two bits: those of a program's number
  localparam int MODEL_FLAT = 11;  // segments are flat_t: words with a stride

  // ---- Errors, sticky in every node, each with its own bit; the first also with slot and port.
  typedef enum logic [3:0] {
    ERR_NONE = 4'd0,  // no error
    ERR_COLLISION = 4'd1,  // both ends drive a half-duplex link
    ERR_TURNAROUND = 4'd2,  // a half-duplex link was driven while the other end still drove it
    ERR_UNEXPECTED = 4'd3,  // a flit on an input that nothing takes
    ERR_MISSING = 4'd4,  // an expected flit never came
    ERR_CUT = 4'd5,  // a stream was cut off by the end of its slot
    ERR_LIMIT = 4'd6,  // the entry breaks the port or duplex limit
    ERR_UNWRITTEN = 4'd7,  // a word was read that is not yet written
    ERR_OVERFLOW = 4'd8,  // the message store is full
    ERR_MALFORMED = 4'd9,  // the slot table's entry makes no sense
    ERR_EXHAUSTED = 4'd10,  // the slot asks for words, but the segment list has ended
    ERR_PARITY = 4'd11  // an entry or a segment that is executed has changed: its parity is wrong
  } error_e;
  localparam int ERROR_CODES = 12;  // codes above, ERR_NONE included

  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
