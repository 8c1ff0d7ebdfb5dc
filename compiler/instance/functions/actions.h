// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "compiler/instance/value.h"
#include "compiler/ir/actions.h"

namespace bolza::instance {

/// A value whose numbers an action gets when it is performed. In the action's expression it is a name.
struct ActionInput {
  std::string_view name;                       ///< "$0", "$1", …
  Value value;                                 ///< with any numbers
  std::vector<std::shared_ptr<void>> objects;  ///< that are in the value
};

/// Actions are expressions of Strings, or calls of functions for their effect, in which what changes with time is a name of
/// an input. They are evaluated by the interpreter that evaluates constants, which runs external functions as well.
/// The instance tree has to stay where it is.
class Actions final : public ir::ActionPerformer {
 public:
  explicit Actions(InstanceTree& tree) : tree_(tree) {}

  /// @param expr  of type String, or a call of a function without outputs; lives in `arena` or in its file
  std::uint32_t add(const ast::Expr& expr, const Scope& scope, std::vector<ActionInput> inputs, bool is_call);
  /// Errors  a failed assertion, ModelicaError of a C function, what the interpreter refuses: in `failure`.
  /// Cost    that of interpreting the call.
  Outcome perform(std::size_t action, std::span<const double> values) override;

  /// For expressions that are made; their names too.
  std::pmr::memory_resource& arena() { return arena_; }
  bool empty() const { return all_.empty(); }

 private:
  struct Action {
    const ast::Expr* expr = nullptr;
    Scope scope;
    std::vector<ActionInput> inputs;
    bool is_call = false;
  };
  InstanceTree& tree_;
  std::deque<Action> all_;
  std::pmr::monotonic_buffer_resource arena_;
};

}  // namespace bolza::instance
