#pragma once
#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/calls/messages_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/function_leaves_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// Writes statements into a Program. Functions return false when they failed.
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

  bool statements(ast::List<const ast::Statement*> items);
  /// target := value, of equal type and size.
  bool assign(const Node& target, const Node& value, Span span);
  /// The binding of a local or output, at entry.
  bool initialise(const Instance& component);
  bool initialise_fields(const Instance& record, const Node& whole);
  bool initialise_field(const Instance& field, const Node& record);
  /// The start value of a variable of the model, at entry.
  bool begin_with(const Instance& component, const instance::ScopedExpr& start);
  /// The value before the event, at entry.
  bool begin_with_previous(const Instance& component);

 private:
  bool statement(const ast::Statement& statement);
  bool assignment(const ast::Statement& statement);
  bool several(const ast::Statement& statement);
  bool call(const ast::Statement& statement);
  bool effect(const ast::Statement& statement);
  bool require(ir::ExprId condition, const Effect& assertion);
  bool require(ir::ExprId condition, const Message& message, ir::AssertionLevel level, Span span);
  bool branch(const ast::Statement& statement, std::size_t from);
  bool loop(const ast::Statement& statement, std::size_t iterator);
  bool loop_over_range(const ast::Statement& statement, std::size_t iterator);
  bool loop_over_values(const ast::Statement& statement, std::size_t iterator, const Node& range);
  bool written_out(const ast::Statement& statement, std::size_t iterator, const Node& range);
  bool is_short(const std::vector<const Node*>& ends);
  bool loop_while(const ast::Statement& statement);
  bool write_while(const ast::Statement& statement);
  bool when(const ast::Statement& statement);
  bool branches_of_when(const ast::Statement& statement, const std::vector<ir::ExprId>& fires, std::size_t from);
  std::optional<ir::ExprId> fires(const ast::Expr& condition);
  std::optional<ir::ExprId> edge(const Node& condition);

  struct Pair {
    const Node* target;
    const Node* value;
  };
  bool pair_up(const Node& target, const Node& value, Span span, std::vector<Pair>& out);
  bool write(const Pair& pair, Span span);
  bool write_element(const Node& target, const Node& value, const Indices& at, Span span);
  bool by_loops(const Pair& pair, Span span);
  const Node* in_temporary(const Node& value, Span span);

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
