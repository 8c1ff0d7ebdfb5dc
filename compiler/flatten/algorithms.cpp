#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/codes.h"
#include "compiler/flatten/statements_internal.h"
#include "compiler/flatten/translate_internal.h"

namespace bolza::flatten {
namespace {

/// The components that an algorithm section reads and assigns, in the order of first mention.
class Mentions {
 public:
  Mentions(Model& model, const Scope& scope) : model_(model), scope_(scope) {}

  void statements(ast::List<const ast::Statement*> items) {
    for (const ast::Statement* item : items) statement(*item);
  }

  std::vector<const Instance*> leaves, assigned;
  bool uses_time = false;

 private:
  void statement(const ast::Statement& s) {
    if (s.target) {
      expression(*s.target);
      if (s.target->kind == ast::ExprKind::name) target(*s.target->reference);
      for (const ast::Expr* part : s.target->operands)
        if (part && part->kind == ast::ExprKind::name) target(*part->reference);
    }
    if (s.value) expression(*s.value);
    for (const auto& branch : s.branches) {
      if (branch.condition) expression(*branch.condition);
      statements(branch.body);
    }
    for (const ast::Iterator& iterator : s.iterators) {
      if (iterator.range) expression(*iterator.range);
      iterators_.push_back(iterator.name);
    }
    statements(s.body);
    iterators_.resize(iterators_.size() - s.iterators.size());
  }

  void expression(const ast::Expr& expr) {
    for (const ast::Iterator& iterator : expr.iterators) iterators_.push_back(iterator.name);
    std::size_t own = expr.iterators.size();
    if (expr.arguments) {
      for (const ast::Iterator& iterator : expr.arguments->iterators) iterators_.push_back(iterator.name);
      own += expr.arguments->iterators.size();
      for (const ast::Expr* argument : expr.arguments->positional) expression(*argument);
      for (const ast::NamedArgument& argument : expr.arguments->named) expression(*argument.value);
    }
    if (expr.kind == ast::ExprKind::name)
      for (const Instance* leaf : read(*expr.reference)) add(leaves, leaf);
    if (expr.reference)
      for (const ast::NamePart& part : expr.reference->parts)
        for (const ast::Subscript& subscript : part.subscripts)
          if (subscript.index) expression(*subscript.index);
    for (const ast::Expr* operand : expr.operands)
      if (operand) expression(*operand);
    for (const auto& row : expr.rows)
      for (const ast::Expr* entry : row) expression(*entry);
    for (const ast::Iterator& iterator : expr.iterators)
      if (iterator.range) expression(*iterator.range);
    if (expr.arguments)
      for (const ast::Iterator& iterator : expr.arguments->iterators)
        if (iterator.range) expression(*iterator.range);
    iterators_.resize(iterators_.size() - own);
  }

  std::vector<const Instance*> read(const ast::Reference& reference) {
    if (reference.simple() &&
        std::find(iterators_.begin(), iterators_.end(), reference.parts[0].identifier) != iterators_.end())
      return {};
    Diagnostics quiet;
    auto resolved = instance::lookup(model_.tree, scope_, reference, quiet);
    if (!resolved) return {};
    if (resolved->kind == instance::ResolvedKind::time) uses_time = true;
    if (resolved->kind != instance::ResolvedKind::component || resolved->removed) return {};
    std::vector<const Instance*> found;
    for (const Instance* leaf : leaves_of(resolved->component()))
      if (leaf->variability != instance::Variability::constant && leaf->type != instance::Type::string)
        found.push_back(leaf);
    return found;
  }

  void target(const ast::Reference& reference) {
    for (const Instance* leaf : read(reference)) add(assigned, leaf);
  }

  static void add(std::vector<const Instance*>& to, const Instance* leaf) {
    if (std::find(to.begin(), to.end(), leaf) == to.end()) to.push_back(leaf);
  }

  Model& model_;
  Scope scope_;
  std::vector<std::string_view> iterators_;
};

std::vector<std::uint32_t> ids_of_all(Model& model, const Instance& leaf) {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(size_of(instance::all_dimensions(leaf))));
  for (std::uint32_t e = 0; e < ids.size(); ++e) ids[e] = model.first_id.at(&leaf) + e;
  return ids;
}

/// An algorithm section is a function of what it reads; what it assigns is its outputs (language.md C.5).
void translate_section(Model& model, const instance::Scoped<ast::Section<ast::Statement>>& section, bool initial) {
  Span span = section.node->span;
  Mentions mentions(model, section.scope);
  mentions.statements(section.node->items);
  ProgramWriter writer(model, nullptr);
  writer.program.name = "algorithm";
  writer.program.span = span;
  if (mentions.uses_time) {
    writer.time_local = writer.new_local("time");
    writer.program.inputs.push_back({false, *writer.time_local});
  }
  auto is_assigned = [&](const Instance* leaf) {
    return std::find(mentions.assigned.begin(), mentions.assigned.end(), leaf) != mentions.assigned.end();
  };
  for (const Instance* leaf : mentions.leaves) {
    writer.declare(*leaf, instance::all_dimensions(*leaf));
    const ProgramWriter::Storage& storage = writer.storage_of(*leaf);
    (is_assigned(leaf) ? writer.program.outputs : writer.program.inputs).push_back({storage.is_array, storage.id});
  }
  StatementWriter statements(model, writer, nullptr, section.scope);
  bool good = true;
  for (const Instance* leaf : mentions.assigned)
    if (const instance::ScopedExpr* start = leaf->attribute("start")) good &= statements.begin_with(*leaf, *start);
  if (!good || !statements.statements(section.node->items)) return;
  auto& entry = writer.program.blocks[0];
  entry.insert(entry.begin(), writer.prologue.begin(), writer.prologue.end());
  ir::ProgramId program(model.flat.expressions.programs.size());
  model.flat.expressions.programs.push_back(std::move(writer.program));

  GroupBuilder builder(model, 1);
  std::vector<ir::ExprId> arguments, roots;
  std::vector<std::vector<ir::RowId>> rows;
  if (mentions.uses_time) arguments.push_back(builder.slot({0}));
  for (const Instance* leaf : mentions.leaves)
    if (!is_assigned(leaf))
      for (std::uint32_t id : ids_of_all(model, *leaf)) arguments.push_back(builder.slot({id}));
  ir::ExprId call = model.dag().call(program, arguments);
  ir::Section& target = initial ? model.flat.initial_equations : model.flat.equations;
  for (const Instance* leaf : mentions.leaves) {
    if (!is_assigned(leaf)) continue;
    for (std::uint32_t id : ids_of_all(model, *leaf)) {
      ir::ExprId value = model.dag().output(call, static_cast<std::uint32_t>(roots.size()));
      roots.push_back(model.dag().sub(builder.slot({id}), value));
      rows.push_back({ir::RowId(std::size_t{target.n_rows++})});
    }
  }
  if (!roots.empty()) target.groups.push_back(builder.finish(roots, rows, span, Space{}, {}));
}

}  // namespace

void translate_algorithms(Model& model, const Instance& component) {
  for (bool initial : {false, true})
    for (const auto& section : initial ? component.initial_algorithms : component.algorithms) {
      if (space_of(model, component, true).n != 1) {
        model.diagnostics.error(unsupported, section.node->span, {"an algorithm section in an array of components"});
        continue;
      }
      translate_section(model, section, initial);
    }
}

}  // namespace bolza::flatten
