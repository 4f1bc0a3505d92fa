#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "tables/link_stages.hpp"
#include "tables/node_build.hpp"
#include "views/rows.hpp"

namespace gossamer {

/// The signals of the RTL in a design of the user's, as any simulator writes them: `scope` is the
/// full name of the instance of torus_fabric (or of the `fabric` that export_rtl writes), `ports`
/// says how many ports a node has.
class OwnSignals : public Signals {
 public:
  OwnSignals(std::string scope, const NodeKind& kind, const NodeDepths& depths,
             std::function<Port(Node)> ports)
      : scope_(std::move(scope)), kind_(kind), depths_(depths), ports_(std::move(ports)) {}

  std::string clock(Node x) const override;
  NodeSignals node(Node x) const override;
  PortSignals port(Node x, Port p) const override;
  std::string operation(Node x, unsigned channel) const override;
  std::string words_in_log(Node x, unsigned log) const override;

 private:
  std::string node_scope(Node x) const;
  std::string core(Node x) const { return node_scope(x) + "i_core."; }

  std::string scope_;
  NodeKind kind_;
  NodeDepths depths_;
  std::function<Port(Node)> ports_;
};

/// A view and the files that it refers to.
struct OwnView {
  std::string rows;                               ///< a save file for GTKWave
  std::map<std::string, std::string> names = {};  ///< file extension to text
};

/// A view for the waveform of a design of the user's. The files of names will be called
/// `base`.flits, `base`.sequencer and so on.
OwnView own_view(const Schedule& schedule, const FabricImage& image, const Payload& payload,
                 const OwnSignals& signals, const std::string& base);

/// Writes the view FILE.gtkw for the waveform of a simulation in which memory images or tables of
/// the schedule run, and its names beside it.
void export_gtkw(const Schedule& schedule, unsigned flits, std::uint32_t seed,
                 const std::string& scope, const std::string& file, const PortStages& stages = {});

}  // namespace gossamer
