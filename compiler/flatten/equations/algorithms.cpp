// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/algorithms_internal.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/expects.h"
#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/equations/emit_effect_internal.h"
#include "compiler/flatten/equations/when_internal.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/groups/group_builder_internal.h"
#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/algorithm_section_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/statements/statements_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/nonuniform_arrays_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

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
  std::vector<const Instance*> kept;  ///< assigned ones that are read, or perhaps not set, before they are set
  bool uses_time = false;

 private:
  void statement(const ast::Statement& s) {
    if (s.value) expression(*s.value);
    if (s.target) {
      if (s.target->kind == ast::ExprKind::name) target(*s.target->reference);
      for (const ast::Expr* part : s.target->operands)
        if (part && part->kind == ast::ExprKind::name) target(*part->reference);
    }
    ++depth_;
    for (const auto& branch : s.branches) {
      if (branch.condition) expression(*branch.condition);
      statements(branch.body);
    }
    for (const ast::Iterator& iterator : s.iterators) {
      if (iterator.range) expression(*iterator.range);
      iterators_.push_back(iterator.name);
    }
    statements(s.body);
    --depth_;
    iterators_.resize(iterators_.size() - s.iterators.size());
  }

  /// Operators whose operands have another value, or another clock, than in the section.
  static bool reads_outside(const ast::Expr& expr) {
    constexpr std::array<std::string_view, 11> names{"pre",       "previous",    "sample",      "hold",
                                                     "subSample", "superSample", "shiftSample", "backSample",
                                                     "noClock",   "interval",    "firstTick"};
    return expr.reference && expr.reference->simple() &&
           std::find(names.begin(), names.end(), expr.reference->parts[0].identifier) != names.end();
  }

  void expression(const ast::Expr& expr) {
    for (const ast::Iterator& iterator : expr.iterators) iterators_.push_back(iterator.name);
    std::size_t own = expr.iterators.size();
    if (expr.arguments) {
      for (const ast::Iterator& iterator : expr.arguments->iterators) iterators_.push_back(iterator.name);
      own += expr.arguments->iterators.size();
      if (!reads_outside(expr))
        for (const ast::Expr* argument : expr.arguments->positional) expression(*argument);
      for (const ast::NamedArgument& argument : expr.arguments->named) expression(*argument.value);
    }
    if (expr.kind == ast::ExprKind::name)
      for (const Instance* leaf : read(*expr.reference)) {
        add(leaves, leaf);
        if (!set_.contains(leaf)) add(kept, leaf);
      }
    if (expr.reference) subscripts(*expr.reference);
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

  void subscripts(const ast::Reference& reference) {
    for (const ast::NamePart& part : reference.parts)
      for (const ast::Subscript& subscript : part.subscripts)
        if (subscript.index) expression(*subscript.index);
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
    for (const Instance* component : meant_by(model_, *resolved))
      for (const Instance* leaf : leaves_of(*component))
        if (leaf->variability != instance::Variability::constant && leaf->type != instance::Type::string)
          found.push_back(leaf);
    return found;
  }

  void target(const ast::Reference& reference) {
    subscripts(reference);
    bool whole = std::all_of(reference.parts.begin(), reference.parts.end(),
                             [](const ast::NamePart& part) { return part.subscripts.empty(); });
    for (const Instance* leaf : read(reference)) {
      add(leaves, leaf);
      bool named = leaf->name == reference.parts.back().identifier;
      if (is_part_parameter(*leaf) && !named) continue;
      add(assigned, leaf);
      if (whole && depth_ == 0) set_.insert(leaf);
      else if (!set_.contains(leaf)) add(kept, leaf);
    }
  }

  static void add(std::vector<const Instance*>& to, const Instance* leaf) {
    if (std::find(to.begin(), to.end(), leaf) == to.end()) to.push_back(leaf);
  }

  Model& model_;
  Scope scope_;
  std::vector<std::string_view> iterators_;
  std::set<const Instance*> set_;  ///< certainly set so far
  std::size_t depth_ = 0;
};

/// One algorithm section for all instances of its component: a function of what it reads; what it assigns is its outputs
/// [MLS, 11.1]. Continuous variables begin with their start values, discrete ones with their values before the event.
class SectionTranslator {
 public:
  SectionTranslator(Model& model, const Instance& component, const instance::Scoped<ast::Section<ast::Statement>>& section,
                    bool initial)
      : model_(model),
        section_(section),
        mentions_(model, section.scope),
        writer_(model, nullptr),
        span_(section.node->span) {
    Context context = context_of(model, component, section.scope);
    AlgorithmSection& own = writer_.section.emplace();
    own.space = context.space;
    own.names = context.names;
    own.number = model.nodes.new_axis();
    own.outer = context.names.size();
    own.component = section.scope.instance ? section.scope.instance : &component;
    own.initial = initial;
    std::vector<double> numbers(own.space.n);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
    own.space.axes.emplace_back(own.number, Known(std::move(numbers)));
  }

  void translate() {
    if (writer_.section->space.n == 0) return;
    mentions_.statements(section_.node->items);
    declare();
    if (!write()) return;
    Work work(writer_.section->space);
    GroupBuilder builder(model_, work.space.n);
    auto arguments = lower_inputs(work, builder);
    if (!arguments) return;
    emit(builder, *arguments);
    emit_watched();
    const AlgorithmSection& section = *writer_.section;
    for (const auto& [effect, due] : effects_) emit_effect(model_, section.space, effect, due, section.names);
  }

 private:
  bool is_assigned(const Instance* leaf) const { return writer_.section->assigns(*leaf); }

  void declare() {
    writer_.program.name = "algorithm";
    writer_.program.span = span_;
    writer_.section->assigned = mentions_.assigned;
    if (mentions_.uses_time) {
      writer_.time_local = writer_.new_local("time");
      writer_.program.inputs.push_back({false, *writer_.time_local});
    }
    for (const Instance* leaf : mentions_.leaves) {
      std::vector<std::int64_t> dims = instance::all_dimensions(*leaf);
      dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(writer_.section->outer_dimensions(*leaf)));
      writer_.declare(*leaf, std::move(dims));
      const ProgramWriter::Storage& storage = writer_.storage_of(*leaf);
      (is_assigned(leaf) ? writer_.program.outputs : writer_.program.inputs).push_back({storage.is_array, storage.id});
    }
  }

  Outcome<Done> write() {
    StatementWriter statements(model_, writer_, nullptr, section_.scope);
    Outcome<Done> all = Done{};
    auto note = [&](const Outcome<Done>& done) {
      if (!done) all = done;
    };
    for (const Instance* leaf : mentions_.kept) {
      if (!is_assigned(leaf)) continue;
      if (is_discrete(model_, *leaf)) note(statements.begin_with_previous(*leaf));
      else if (const instance::ScopedExpr* start = leaf->attribute("start")) note(statements.begin_with(*leaf, *start));
    }
    if (all) note(statements.statements(section_.node->items));
    if (!all) return all;
    make_effects();
    for (const AlgorithmSection::Condition& condition : writer_.section->conditions)
      writer_.program.outputs.push_back({false, condition.local});
    auto& entry = writer_.program.blocks[0];
    entry.insert(entry.begin(), writer_.prologue.begin(), writer_.prologue.end());
    program_ = ir::ProgramId(model_.flat.expressions.programs.size());
    model_.flat.expressions.programs.push_back(writer_.program);
    return Done{};
  }

  /// What tells that a call is due, and its numbers, are discrete variables outside.
  void make_effects() {
    AlgorithmSection& section = *writer_.section;
    auto outside = [&](std::uint32_t local, Basic basic, Span span) {
      const Node* node = new_discrete(model_, section.space.n, section.number, "$call", basic, span);
      section.conditions.push_back({local, static_cast<std::uint32_t>(node->value)});
      return node;
    };
    for (const AlgorithmSection::Call& call : section.calls) {
      Effect effect{.kind = Effect::Kind::call, .message = call.message, .span = call.span};
      for (std::size_t k = 0; k < call.locals.size(); ++k)
        effect.message.values[k] = outside(call.locals[k], call.message.values[k]->basic, call.span);
      effects_.emplace_back(std::move(effect), outside(call.due, Basic::boolean, call.span));
    }
  }

  /// Ids of every element, one column per element.
  std::vector<std::vector<std::uint32_t>> columns_of(const Instance& leaf) const {
    const AlgorithmSection& section = *writer_.section;
    std::vector<std::int64_t> dims = instance::all_dimensions(leaf);
    bool inside = section.outer_dimensions(leaf) > 0;
    std::size_t n = inside ? section.space.n : 1, size = static_cast<std::size_t>(size_of(dims)) / n;
    std::vector<std::vector<std::uint32_t>> columns(size, std::vector<std::uint32_t>(n));
    for (std::size_t e = 0; e < size; ++e)
      for (std::size_t i = 0; i < n; ++i)
        columns[e][i] = model_.first_id.at(&leaf) + static_cast<std::uint32_t>(i * size + e);
    return columns;
  }

  Outcome<std::vector<ir::ExprId>> lower_inputs(Work& work, GroupBuilder& builder) {
    std::vector<ir::ExprId> arguments;
    EquationLeaves leaves(model_, builder, ExpressionPlace::discrete);
    Lowering lowering(model_.nodes, model_.dag(), model_.diagnostics, work, leaves);
    if (mentions_.uses_time) arguments.push_back(builder.slot({0}));
    for (const Instance* leaf : mentions_.leaves)
      if (!is_assigned(leaf))
        for (auto& column : columns_of(*leaf)) arguments.push_back(builder.slot(std::move(column)));
    for (const AlgorithmSection::Input& input : writer_.section->inputs) {
      if (input.before != nullptr) {
        bool discrete_or_continuous = input.before->variability > instance::Variability::parameter;
        for (auto& column : columns_of(*input.before)) {
          for (std::uint32_t& id : column)
            if (discrete_or_continuous) id |= provisional::previous;
          arguments.push_back(builder.slot(std::move(column)));
        }
        continue;
      }
      Scalar value = lowering.scalar(*input.node);
      if (value.failed() && value.failure().is(Again::How::split))
        return model_.diagnostics.error(unsupported, span_,
                                        {"an algorithm section that differs between the elements of an array"});
      if (value.failed()) return value.failure();
      arguments.push_back(lowering.expression(value));
    }
    return arguments;
  }

  void emit(GroupBuilder& builder, const std::vector<ir::ExprId>& arguments) {
    const AlgorithmSection& section = *writer_.section;
    ir::FlatModel& flat = model_.flat;
    ir::ExprId call = model_.dag().call(program_, arguments);
    std::uint32_t output = 0;
    std::vector<ir::ExprId> roots;
    std::vector<std::vector<ir::RowId>> rows;
    std::vector<std::pair<ir::ExprId, ir::ExprId>> pairs;
    auto rows_in = [&](ir::Section& target) {
      std::vector<ir::RowId> own;
      for (std::size_t i = 0; i < section.space.n; ++i) own.emplace_back(std::size_t{target.n_rows++});
      return own;
    };
    ir::Section& continuous = section.initial ? flat.initial_equations : flat.equations;
    ir::Section& discrete = (section.initial ? flat.initial_discrete_equations : flat.discrete_equations).section;
    for (const Instance* leaf : mentions_.leaves) {
      if (!is_assigned(leaf)) continue;
      for (auto& column : columns_of(*leaf)) {
        ir::ExprId variable = builder.slot(std::move(column)), value = model_.dag().output(call, output++);
        if (is_discrete(model_, *leaf)) {
          pairs.emplace_back(variable, value);
        } else {
          roots.push_back(model_.dag().sub(variable, value));
          rows.push_back(rows_in(continuous));
        }
      }
    }
    for (const AlgorithmSection::Condition& condition : section.conditions) {
      std::vector<std::uint32_t> column(section.space.n);
      for (std::uint32_t i = 0; i < column.size(); ++i) column[i] = provisional::auxiliary | (condition.auxiliary + i);
      pairs.emplace_back(builder.slot(std::move(column)), model_.dag().output(call, output++));
    }
    if (!roots.empty())
      continuous.groups.push_back(builder.finish(std::move(roots), std::move(rows), span_, section.space, section.names));
    if (pairs.empty()) return;
    roots.clear();
    rows.clear();
    for (const auto& [variable, value] : pairs) {
      std::vector<ir::RowId> own = rows_in(discrete);
      roots.insert(roots.end(), {variable, value});
      rows.insert(rows.end(), {own, own});
    }
    discrete.groups.push_back(builder.finish(std::move(roots), std::move(rows), span_, section.space, section.names));
  }

  /// $watch = relation, for the events alone.
  void emit_watched() {
    const AlgorithmSection& section = *writer_.section;
    if (section.initial) return;
    for (const Node* relation : section.watched) {
      const Node* holds = new_condition(model_, section.space.n, section.number, "$watch", relation->span);
      emit_pairs(model_, section.space, *holds, *relation,
                 {&model_.flat.discrete_equations.section, ExpressionPlace::discrete, relation->span, &section.names});
    }
  }

  Model& model_;
  const instance::Scoped<ast::Section<ast::Statement>>& section_;
  Mentions mentions_;
  ProgramWriter writer_;
  Span span_;
  ir::ProgramId program_;
  std::vector<std::pair<Effect, const Node*>> effects_;
};

/// Sections of nothing but calls and of when-statements with calls: these say the same as when-equations.
class CallsInWhen {
 public:
  CallsInWhen(Model& model, const ast::Section<ast::Statement>& section) : model_(model), section_(section) {}

  bool suits() const {
    return std::all_of(section_.items.begin(), section_.items.end(), [](const ast::Statement* s) {
      return s->kind == ast::StatementKind::when &&
             std::all_of(s->branches.begin(), s->branches.end(), [](const auto& branch) {
               return std::all_of(branch.body.begin(), branch.body.end(),
                                  [](const ast::Statement* inner) { return inner->kind == ast::StatementKind::call; });
             });
    });
  }

  void translate(const Context& context) {
    for (const ast::Statement* s : section_.items) {
      auto& branches = model_.made_branches.emplace_back();
      for (const auto& branch : s->branches) {
        auto& body = model_.made_bodies.emplace_back();
        for (const ast::Statement* call : branch.body)
          body.push_back(&model_.made_equations.emplace_back(
              ast::Equation{.kind = ast::EquationKind::call, .left = call->value, .span = call->span}));
        branches.push_back({branch.condition, body, branch.span});
      }
      translate_when(model_,
                     model_.made_equations.emplace_back(
                         ast::Equation{.kind = ast::EquationKind::when, .branches = branches, .span = s->span}),
                     context);
    }
  }

 private:
  Model& model_;
  const ast::Section<ast::Statement>& section_;
};

/// A section of nothing but calls: assertions, functions without outputs. They are effects like those among equations.
bool only_calls(const ast::Section<ast::Statement>& section) {
  return std::all_of(section.items.begin(), section.items.end(),
                     [](const ast::Statement* s) { return s->kind == ast::StatementKind::call; });
}

void translate_calls(Model& model, const Instance& component, const instance::Scoped<ast::Section<ast::Statement>>& section,
                     bool initial) {
  Context context = context_of(model, component, section.scope);
  for (const ast::Statement* s : section.node->items)
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model, work, context);
      std::vector<Effect> effects;
      if (auto done = effect_of(typer, *s->value, false, s->span, effects); !done) return done;
      const Node* when = initial ? model.nodes.flag(Flag::initial, s->span) : nullptr;
      for (const Effect& effect : effects) emit_effect(model, work.space, effect, when, context.names);
      return Done{};
    });
}

}  // namespace

void translate_algorithms(Model& model, const Instance& component) {
  for (bool initial : {false, true})
    for (const auto& section : initial ? component.initial_algorithms : component.algorithms) {
      CallsInWhen whens(model, *section.node);
      if (only_calls(*section.node)) translate_calls(model, component, section, initial);
      else if (!initial && whens.suits()) whens.translate(context_of(model, component, section.scope));
      else SectionTranslator(model, component, section, initial).translate();
    }
}

}  // namespace bolza::flatten
