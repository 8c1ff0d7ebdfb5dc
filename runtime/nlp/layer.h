// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// What is solved: a problem, by which engine, with which options, from where.
struct SolveTask {
  const Nlp* nlp = nullptr;  ///< with its functions, not owned
  Nlp* own = nullptr;        ///< the same where a layer made it: one below may put functions before its own until `down`
  const Engine* engine = nullptr;  ///< null: there is none called `options.engine`
  EngineOptions options;
  Iterate start;  ///< w [n]; multipliers, if any, of this problem
};

enum class Passage : std::uint8_t {
  beside,   ///< the layer does not apply; the task is what it was
  through,  ///< the task is that of the wrapped problem; its report comes back through `down`
  answered  ///< the task as it was has its report; nothing below is asked
};

/// A problem around another one: what is changed on the way to the engine, and changed back in its report. Made for one
/// walk; what `up` makes lives until the layer is destroyed, after `down`.
class Layer {
 public:
  virtual ~Layer() = default;
  /// @param task    becomes that of the wrapped problem where the layer is passed through
  /// @param answer  is written where it answers
  virtual Passage up(SolveTask& task, Report& answer) = 0;
  /// The report of the wrapped problem becomes that of this one: iterate and multipliers, objective, bounds. Called once,
  /// where `up` gave `through`.
  virtual void down(Report& report) = 0;
};

struct LayerRow;
using LayerRows = std::span<const LayerRow* const>;

/// One row of the table: a wrapper, or what answers for all that is below.
struct LayerRow {
  std::string_view name;
  std::unique_ptr<Layer> (*make)() = nullptr;  ///< a wrapper
  /// A check or a search: the report of the task, or nothing where it does not apply. A search solves problems of its own,
  /// each by a walk from the top, or asks the rows below it.
  std::optional<Report> (*answer)(const SolveTask& task, LayerRows below) = nullptr;
};

template <class T>
std::unique_ptr<Layer> make_layer() {
  return std::make_unique<T>();
}

/// Goes down the rows once, asks the engine, and comes back up. The task's problem must outlive the walk.
Report walk(SolveTask task, LayerRows rows);

}  // namespace bolza::nlp
