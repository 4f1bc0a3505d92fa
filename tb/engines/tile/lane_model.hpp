// Verilator's class of a node, and its functions, compiled a second time for eight nodes in lanes:
// its types are those of lanes.hpp then. And once more as a list of its registers. Nothing that
// Verilator wrote is changed, so whatever a newer one writes means the same for eight nodes as for
// one, or does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "Vengine___024root.h"
#include "engines/tile/lanes.hpp"

namespace gossamer::tb {

/// A register of a node: bytes of one number, and where they begin in the class.
struct Register {
  std::size_t at;
  unsigned bytes;
};

/// Registers that are being constructed note themselves here.
inline std::vector<Register>& noted_registers() {
  static std::vector<Register> registers;
  return registers;
}
template <unsigned kBytes>
struct alignas(kBytes) NotedRegister {
  char bytes[kBytes];
  NotedRegister() {
    constexpr unsigned kUnit = kBytes < 4 ? kBytes : 4;  // lanes have halves of 64 bits
    for (unsigned i = 0; i < kBytes; i += kUnit) {
      noted_registers().push_back({reinterpret_cast<std::size_t>(bytes + i), kUnit});
    }
  }
};
template <std::size_t kWords>
struct NotedWide {
  NotedRegister<4> words[kWords];
};
struct NotedModule {  // what 5.006 puts before the registers
  const char* name;
};

/// The triggers of 5.006. They are the same in all lanes.
template <std::size_t kTriggers>
class LaneTriggers {
 public:
  Lanes& at(std::size_t i) { return flags_.at(i); }
  bool any() const {
    for (const Lanes& flag : flags_) {
      if (flag) return true;
    }
    return false;
  }
  void clear() { flags_.fill(0); }
  void set(const LaneTriggers& other) {
    for (std::size_t i = 0; i < kTriggers; ++i) flags_[i] = flags_[i] | other.flags_[i];
  }
  void andNot(const LaneTriggers& a, const LaneTriggers& b) {
    for (std::size_t i = 0; i < kTriggers; ++i) flags_[i] = a.flags_[i] & ~b.flags_[i];
  }

 private:
  std::array<Lanes, kTriggers> flags_;
};
struct alignas(kLanes * alignof(NotedModule)) LaneModule {
  NotedModule module[kLanes];
};

#undef VERILATED_VENGINE___024ROOT_H_
#define VerilatedModule NotedModule
#define CData NotedRegister<1>
#define SData NotedRegister<2>
#define IData NotedRegister<4>
#define QData NotedRegister<8>
#define VlWide NotedWide
namespace {
namespace registers {
#include <Vengine___024root.h>
inline Vengine___024root::Vengine___024root(Vengine__Syms* symbols, const char*)
    : vlSymsp(symbols) {}
inline Vengine___024root::~Vengine___024root() {}
}  // namespace registers
}  // namespace
#undef VERILATED_VENGINE___024ROOT_H_
#undef VerilatedModule
#undef CData
#undef SData
#undef IData
#undef QData
#undef VlWide

#define VerilatedModule LaneModule
#define VlTriggerVec LaneTriggers
#define VlUnpacked LaneArray
#define VlWide LaneWide
#define QData LaneLongs
#define IData Lanes
#define SData LaneShorts
#define CData LaneBytes
namespace {
namespace lanes {
#include <Vengine___024root.h>
inline Vengine___024root::Vengine___024root(Vengine__Syms* symbols, const char*)
    : vlSymsp(symbols) {}
inline Vengine___024root::~Vengine___024root() {}
// Numbers that are not kept need not be small.
#undef SData
#undef CData
#define SData Lanes
#define CData Lanes
#define bool LaneCondition
#include <lane_logic.hpp>
#undef bool
}  // namespace lanes
}  // namespace
#undef VerilatedModule
#undef VlTriggerVec
#undef VlUnpacked
#undef VlWide
#undef QData
#undef IData
#undef SData
#undef CData

namespace {

using NodeLanes = lanes::Vengine___024root;
static_assert(sizeof(registers::Vengine___024root) == sizeof(::Vengine___024root));

/// All registers of a node.
inline const std::vector<Register>& node_registers() {
  static const std::vector<Register> all = [] {
    const registers::Vengine___024root node(nullptr, "");
    std::vector<Register> found = std::move(noted_registers());
    for (Register& r : found) r.at -= reinterpret_cast<std::size_t>(&node);
    return found;
  }();
  return all;
}

/// The registers of one node, and those in its lane: a lane's part of a number is as far from the
/// number's beginning as the number is long, and all numbers are eight times as far from the
/// class's beginning as one node's.
inline void into_lane(NodeLanes& to, unsigned lane, const ::Vengine___024root& from) {
  char* const lanes = reinterpret_cast<char*>(&to);
  for (const Register& r : node_registers()) {
    std::memcpy(lanes + kLanes * r.at + lane * r.bytes, reinterpret_cast<const char*>(&from) + r.at,
                r.bytes);
  }
}
inline void from_lane(::Vengine___024root& to, unsigned lane, const NodeLanes& from) {
  const char* const lanes = reinterpret_cast<const char*>(&from);
  for (const Register& r : node_registers()) {
    std::memcpy(reinterpret_cast<char*>(&to) + r.at, lanes + kLanes * r.at + lane * r.bytes,
                r.bytes);
  }
}

}  // namespace
}  // namespace gossamer::tb
