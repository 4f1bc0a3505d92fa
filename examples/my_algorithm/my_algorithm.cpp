// A new algorithm in one file: gossip on a hypercube by recursive doubling. In round r each node
// exchanges everything that it holds with its neighbour in dimension r, so d rounds are enough for
// 2^d nodes. The program prints the schedule (docs/use/schedule-format.md), which the command
// checks and runs like any other.
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  const unsigned d = argc > 1 ? std::atoi(argv[1]) : 4, nodes = 1u << d;
  std::printf(
      "{\"gossamer\":1,\"topology\":\"hypercube:%u\",\"collective\":\"gossip\",\"model\":"
      "{\"ports\":\"single\",\"duplex\":\"full\",\"switching\":\"packet\",\"combining\":true}}\n",
      d);
  std::vector<std::vector<unsigned>> held(nodes);
  for (unsigned x = 0; x < nodes; ++x) held[x] = {x};
  for (unsigned r = 1; r <= d; ++r) {
    const auto before = held;
    for (unsigned x = 0; x < nodes; ++x) {
      const unsigned to = x ^ (1u << (r - 1));
      std::printf("{\"r\":%u,\"path\":[%u,%u],\"msgs\":[", r, x, to);
      for (unsigned m : before[x]) std::printf("%s%u", m == before[x].front() ? "" : ",", m);
      std::printf("]}\n");
      held[to].insert(held[to].end(), before[x].begin(), before[x].end());
    }
  }
}
