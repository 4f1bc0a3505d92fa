// A host on AXI4-Lite lets the sixteen nodes of a 4x4 torus exchange their words. Something is dead, which it does not
// know: it finds out from the nodes' first errors, loads the tables that do without it, and goes on.
//
//   host A B    link A-B is dead; if B is A, node A
#include <stdio.h>
#include <stdlib.h>

#include "tables.h"

#define FLITS 4u

// The bus: bench.cpp has one to simulated hardware.
void write32(uint32_t address, uint32_t data);
uint32_t read32(uint32_t address);

static void load(int set, uint32_t by) {
  uint32_t crc = ~0u;
  write32(TABLES_REG_BEGIN, 1);
  for (uint32_t i = 0; i < tables_sets[set].length; ++i) {
    const uint32_t address = tables_placed(tables_sets[set].words[i].address, by);
    write32(address, tables_sets[set].words[i].data);
    crc = tables_crc(tables_crc(crc, address), tables_sets[set].words[i].data);
  }
  write32(TABLES_REG_LENGTH, tables_sets[set].length);
  write32(TABLES_REG_CHECKSUM, ~crc);
  write32(TABLES_REG_COMMIT, 1);
}

static uint32_t word_of(uint32_t node, uint32_t flit) { return node << 8 | flit; }

// A period in which every node that has a packet in the set gets its words; returns the number of nodes with errors.
static uint32_t period(int set, uint32_t by, struct tables_error* errors) {
  uint32_t count = 0;
  for (uint32_t x = 0; x < TABLES_NODES; ++x) {
    const uint32_t node = tables_moved(x, by);
    for (uint32_t i = 0; i < tables_sets[set].packets[x]; ++i) {
      write32(TABLES_LOG(node, TABLES_OWN_LOG, i), word_of(node, i));
    }
    write32(TABLES_NODE_OWN_WORDS(node), tables_sets[set].packets[x]);
  }
  write32(TABLES_REG_IRQ, ~0u);
  write32(TABLES_REG_RUN, TABLES_RUN_START);
  while (read32(TABLES_REG_STATUS) & TABLES_STATUS_RUNNING) {
  }
  for (uint32_t x = 0; x < TABLES_NODES; ++x) {
    if (read32(TABLES_NODE_ERRORS(x)) == 0) continue;
    errors[count].node = x;
    errors[count].code = read32(TABLES_NODE_FIRST_CODE(x));
    errors[count].slot = read32(TABLES_NODE_FIRST_SLOT(x));
    errors[count].port = read32(TABLES_NODE_FIRST_PORT(x));
    ++count;
  }
  return count;
}

// Words that nodes have of one another, each once.
static uint32_t words_right(void) {
  uint32_t right = 0;
  for (uint32_t x = 0; x < TABLES_NODES; ++x) {
    unsigned char seen[TABLES_NODES * FLITS] = {0};
    for (uint32_t log = 0; log < TABLES_PORTS; ++log) {
      const uint32_t length = read32(TABLES_NODE_LOG_LENGTH(x) + 4 * log);
      for (uint32_t i = 0; i < length; ++i) {
        const uint32_t word = read32(TABLES_LOG(x, log, i)), node = word >> 8, flit = word & 255;
        if (node >= TABLES_NODES || flit >= FLITS || node == x || seen[node * FLITS + flit]) continue;
        seen[node * FLITS + flit] = 1;
        ++right;
      }
    }
  }
  return right;
}

// In place of a broken cable: the outputs of a to b send nothing any more, nor those of b to a.
static void cut(uint32_t a, uint32_t b) {
  uint32_t dead = 0;
  for (uint32_t p = 0; p < TABLES_PORTS; ++p) {
    if (a == b || tables_peers[a * TABLES_PORTS + p] == b) dead |= 1u << p;
  }
  write32(TABLES_NODE_DEAD(a), dead);
}

int main(int argc, char** argv) {
  struct tables_error errors[TABLES_NODES];
  uint32_t found[2][2], by = 0;
  if (argc != 3) return 2;
  const uint32_t a = (uint32_t)atoi(argv[1]), b = (uint32_t)atoi(argv[2]);
  cut(a, b);
  cut(b, a);
  load(0, 0);
  const uint32_t failed = period(0, 0, errors), named = tables_suspects(errors, failed, found, 2);
  printf("period 1: %u nodes in error, %u suspects\n", failed, named);
  if (named != 1) return 1;
  const int set = tables_around(found[0][0], found[0][1], &by);
  if (set < 0) return 1;
  load(set, by);
  const uint32_t left = TABLES_NODES - (found[0][0] == found[0][1]), wanted = left * (left - 1) * FLITS;
  const uint32_t again = period(set, by, errors), right = words_right();
  printf("period 2: %s %u-%u is dead: set %d, moved by %u: %u nodes in error, %u of %u words right\n",
         found[0][0] == found[0][1] ? "node" : "link", found[0][0], found[0][1], set, by, again, right, wanted);
  if (again != 0 || right != wanted) return 1;
  puts("PASS");
  return 0;
}
