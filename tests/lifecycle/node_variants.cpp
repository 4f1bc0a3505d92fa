#include "node_variants.hpp"

#include "Vnode_adaptive.h"
#include "Vnode_adaptive_single.h"
#include "Vnode_all.h"
#include "Vnode_all_half.h"
#include "Vnode_four.h"
#include "Vnode_four_adaptive.h"
#include "Vnode_four_yosys.h"
#include "Vnode_in_order.h"
#include "Vnode_join.h"
#include "Vnode_join_four.h"
#include "Vnode_join_half.h"
#include "Vnode_join_yosys.h"
#include "Vnode_one_cycle.h"
#include "Vnode_one_cycle_all.h"
#include "Vnode_one_cycle_yosys.h"
#include "Vnode_single.h"
#include "Vnode_single_half.h"
#include "Vnode_single_yosys.h"

namespace gossamer::test {
namespace {

template <class Model>
NodeVariant variant(const char* name, NodeKind kind, bool double_buffered, NodeBuild build = {}) {
  build.kind = kind;
  build.double_buffered = double_buffered;
  return {name, build, [build](std::uint32_t seed) {
            return std::make_unique<VerilatedNode<Model>>(build, seed);
          }};
}

NodeKind join(NodeKind kind, bool all_ops) {
  kind.join = true;
  kind.all_ops = all_ops;
  return kind;
}

}  // namespace

const std::vector<NodeVariant>& node_variants() {
  using Kind = NodeKind;
  Kind four{4, false, false, 4};
  four.flat = 1;
  // Own words of channels 0 and 1 stand behind logs, those of the others apart.
  const NodeBuild shared{.own = 6,
                         .shared = {0, 1, 1, 1, 0, 5, 0, 7, 0, 9, 0, 9, 0, 0, 0, 0, 1, 7, 0, 19},
                         .flit_w = 16};
  static const std::vector<NodeVariant> all{
      variant<Vnode_single>("single-port", Kind{2, true}, true, {.programs = 4}),
      variant<Vnode_single_half>("single-port, half duplex", Kind{2, true, true}, false),
      variant<Vnode_all>(
          "all-port", Kind{2}, false,
          {.slot_depth = 7, .list_depth = 6, .capacity = 11, .len_w = 6, .repeat_w = 3}),
      variant<Vnode_all_half>("all-port, half duplex", Kind{2, false, true, 2}, true),
      variant<Vnode_one_cycle>("one-cycle", Kind{2, true, false, 1, false, true}, false,
                               {.repeat_w = 3}),
      variant<Vnode_one_cycle_all>("one-cycle, all-port", Kind{2, false, false, 2, false, true},
                                   true, {.programs = 2}),
      variant<Vnode_adaptive>("adaptive", Kind{2, false, false, 1, true}, false, {.messages = 8}),
      variant<Vnode_adaptive_single>("adaptive, single-port", Kind{2, true, false, 1, true}, true,
                                     {.messages = 8}),
      variant<Vnode_four>("four ports, shared copies, flat lists", four, true, shared),
      variant<Vnode_four_adaptive>("four ports, adaptive", Kind{4, false, false, 1, true}, false,
                                   {.messages = 8, .faults = false}),
      variant<Vnode_in_order>("in order, few checks", Kind{2, true, false, 1, false, false, true},
                              false, {.flit_w = 8, .faults = false, .error_detail = false}),
      variant<Vnode_join>("join", join({2}, false), true, {.programs = 4}),
      variant<Vnode_join_half>("join, half duplex, ten ports, all operators",
                               join({10, false, true, 10}, true), false,
                               {.programs = 2, .flit_w = 8}),
      variant<Vnode_join_four>(
          "join, four ports, all operators, shared copies", join({4, false, false, 4}, true), false,
          {.shared = {0, 1, 1, 1, 0, 5, 0, 7, 0, 9, 0, 9, 0, 0, 0, 0, 0, 17, 0, 0}, .flit_w = 16}),
      // The same RTL as Yosys reads it, for hardware.
      variant<Vnode_single_yosys>("single-port, by Yosys", Kind{2, true}, true),
      variant<Vnode_one_cycle_yosys>("one-cycle, by Yosys", Kind{2, true, false, 1, false, true},
                                     false, {.repeat_w = 3}),
      variant<Vnode_four_yosys>("four ports, shared copies, flat lists, by Yosys", four, true,
                                shared),
      variant<Vnode_join_yosys>("join, by Yosys", join({2}, false), true, {.programs = 4}),
  };
  return all;
}

}  // namespace gossamer::test
