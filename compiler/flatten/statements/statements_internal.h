// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/calls/messages_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/function_leaves_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// Writes statements into a Program.
class StatementWriter {
 public:
  StatementWriter(Model& model, ProgramWriter& writer, Frame* frame, Scope scope)
      : model_(model),
        writer_(writer),
        leaves_(model, writer),
        lowering_(model.nodes, model.dag(), model.diagnostics, work_, leaves_),
        typer_(model, work_, scope, frame) {
    typer_.in_statements = true;
    typer_.in_initial = writer.section && writer.section->initial;
    if (writer.section) work_.space = pick(writer.section->space, std::array{0u});
  }

  Outcome<Done> statements(ast::List<const ast::Statement*> items);
  /// target := value, of equal type and size.
  Outcome<Done> assign(const Node& target, const Node& value, Span span);
  /// The binding of a local or output, at entry.
  Outcome<Done> initialise(const Instance& component);
  Outcome<Done> initialise_fields(const Instance& record, const Node& whole);
  Outcome<Done> initialise_field(const Instance& field, const Node& record);
  /// The start value of a variable of the model, at entry.
  Outcome<Done> begin_with(const Instance& component, const instance::ScopedExpr& start);
  /// The value before the event, at entry.
  Outcome<Done> begin_with_previous(const Instance& component);

 private:
  Outcome<Done> statement(const ast::Statement& statement);
  bool is_unwritten_text(const ast::Expr& target) const;
  Outcome<Done> assignment(const ast::Statement& statement);
  Outcome<Done> several(const ast::Statement& statement);
  Outcome<Done> call(const ast::Statement& statement);
  Outcome<Done> effect(const ast::Statement& statement);
  Outcome<Done> require(ir::ExprId condition, const Effect& assertion);
  Outcome<Done> require(ir::ExprId condition, const Message& message, ir::AssertionLevel level, Span span);
  Outcome<Done> branch(const ast::Statement& statement, std::size_t from);
  Outcome<Done> loop(const ast::Statement& statement, std::size_t iterator);
  Outcome<Done> loop_over_range(const ast::Statement& statement, std::size_t iterator);
  Outcome<Done> loop_over_values(const ast::Statement& statement, std::size_t iterator, const Node& range);
  Outcome<Done> written_out(const ast::Statement& statement, std::size_t iterator, const Node& range);
  Outcome<bool> is_short(const std::vector<const Node*>& ends);
  Outcome<Done> loop_while(const ast::Statement& statement);
  Outcome<Done> write_while(const ast::Statement& statement);
  Outcome<Done> when(const ast::Statement& statement);
  Outcome<Done> branches_of_when(const ast::Statement& statement, const std::vector<ir::ExprId>& fires, std::size_t from);
  Outcome<ir::ExprId> fires(const ast::Expr& condition);
  Outcome<ir::ExprId> edge(const Node& condition);

  struct Pair {
    const Node* target;
    const Node* value;
  };
  Outcome<Done> pair_up(const Node& target, const Node& value, Span span, std::vector<Pair>& out);
  Outcome<Done> write(const Pair& pair, Span span);
  Outcome<Done> write_element(const Node& target, const Node& value, const Indices& at, Span span);
  Outcome<Done> by_loops(const Pair& pair, Span span);
  Typed target_of(const ast::Expr& expr);
  void note_value(const Node& target, const Scalar& number);
  void forget_values();
  Typed in_temporary(const Node& value, std::vector<std::int64_t> most, Span span);

  Model& model_;
  ProgramWriter& writer_;
  Work work_;
  FunctionLeaves leaves_;
  Lowering lowering_;
  Typer typer_;
  std::deque<Instance> temporaries_;
  std::size_t depth_ = 0;  ///< of blocks
};

}  // namespace bolza::flatten
