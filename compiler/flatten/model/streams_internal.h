// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// What is known of a flow variable at compile time, for every element.
struct FlowRange {
  std::vector<double> min, max, nominal;  ///< where it is not known: no bound, 1
};

/// A stream variable of connectors [MLS, 15.1], and what belongs to it.
struct Stream {
  const Instance* in_stream = nullptr;  ///< a variable of equal dimensions: what `inStream` gives
  const Instance* flow = nullptr;       ///< the flow variable of its connector
  std::size_t connector_rank = 0;       ///< leading dimensions that the stream variable shares with its flow variable
};

/// As part of the nominal flow, what counts as no flow: where less flows into a junction, its streams are mixed in equal
/// parts; in optimisations the positive part of a flow is smooth over so much (docs/language.md, streams).
inline constexpr double stream_at_rest = 1e-6;

}  // namespace bolza::flatten
