// SPDX-License-Identifier: Apache-2.0
// External functions: C functions of shared libraries as Programs without statements, and the external objects they take.
#include "compiler/flatten/functions/external_calls_internal.h"

#include <algorithm>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/statements/statements_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/functions/external_function.h"
#include "compiler/instance/library/codes.h"

namespace bolza::flatten {
namespace {

using foreign::CArgument;
using foreign::CType;

/// What a foreign Program holds on to.
struct Bound {
  foreign::CFunction function;
  std::size_t n_inputs = 0, n_outputs = 0;
  std::vector<std::shared_ptr<void>> objects;
};

int call_bound(const void* self, const double* arguments, double* outputs) {
  const Bound& bound = *static_cast<const Bound*>(self);
  return foreign::call(bound.function, {arguments, bound.n_inputs}, {outputs, bound.n_outputs}, {}) ? 1 : 0;
}

/// Decides how the C function gets what the Program gets.
class ForeignWriter {
 public:
  ForeignWriter(Model& model, Frame& frame, Span used_at)
      : model_(model),
        frame_(frame),
        function_(*frame.function),
        used_at_(used_at),
        writer_(model, frame.function),
        clause_(instance::clause_of(*frame.function)) {}

  Outcome<Done> write() {
    bound_->function.name = clause_.function;
    bound_->function.fortran = clause_.fortran;
    if (auto done = ports(); !done) return done;
    for (const instance::ExternalArgument& a : clause_.arguments)
      if (auto done = argument(a); !done) return done;
    if (clause_.result)
      if (auto done = result(*clause_.result); !done) return done;
    if (!instance::find_external(model_.tree, function_, clause_, instance::Needed::at_run_time, used_at_,
                                 model_.diagnostics, bound_->function) ||
        !instance::permit_effects(model_.tree, function_, bound_->function, used_at_, model_.diagnostics))
      return model_.diagnostics.already_reported();
    if (std::string why = foreign::misfit(bound_->function, bound_->n_inputs); !why.empty())
      return model_.diagnostics.error(instance::codes::external_failed, used_at_, {function_.name, why},
                                      {{function_.external->span, "declared external here"}});
    writer_.program.span = function_.span;
    writer_.program.foreign = ir::Foreign{clause_.function, identity_, call_bound, bound_};
    frame_.program = ir::ProgramId(model_.flat.expressions.programs.size());
    model_.flat.expressions.programs.push_back(std::move(writer_.program));
    return started_.empty() ? Done{} : start_values();
  }

 private:
  Reported refuse(const std::string& what) {
    return model_.diagnostics.error(unsupported, used_at_,
                                    {what + " of the external function `" + std::string(function_.name) + "`"},
                                    {{function_.external->span, "declared external here"}});
  }

  const std::string& text_of(const Instance& input) { return frame_.texts.at(&input).front(); }

  Outcome<Done> ports() {
    identity_ = instance::full_name(*function_.definition) + " " + clause_.function;
    for (const Instance* child : function_.children) {
      if (!is_input(*child) && !is_output(*child)) continue;
      bool fixed = child->type == instance::Type::string || child->external_object;
      if (is_input(*child) && child->type == instance::Type::string) identity_ += " \"" + text_of(*child) + "\"";
      if (is_input(*child) && child->external_object) {
        identity_ += " " + frame_.objects[child].name;
        bound_->objects.push_back(frame_.objects[child].pointer);
      }
      if (fixed && is_input(*child) && child->rank() == 0) continue;
      if (instance::c_type(*child) == CType::record) {
        if (auto done = record(*child); !done) return done;
        continue;
      }
      if (fixed || child->type == instance::Type::none) return refuse("`" + std::string(child->name) + "`");
      std::vector<std::int64_t> dims = frame_.dims.at(child);
      identity_ += dims_text(dims);
      std::size_t& n = is_input(*child) ? bound_->n_inputs : bound_->n_outputs;
      first_[child] = n;
      n += static_cast<std::size_t>(size_of(dims));
      writer_.declare(*child, dims);
      const ProgramWriter::Storage& storage = writer_.storage_of(*child);
      (is_input(*child) ? writer_.program.inputs : writer_.program.outputs)
          .push_back({storage.is_array, storage.id, unit_of(model_, *child)});
    }
    frame_.n_outputs = static_cast<std::uint32_t>(bound_->n_outputs);
    return Done{};
  }

  /// A record is passed as a struct; the Program takes or gives its members one by one.
  Outcome<Done> record(const Instance& child) {
    auto layout = child.rank() == 0 && !bound_->function.fortran ? instance::struct_of(child) : std::nullopt;
    if (!layout) return refuse("`" + std::string(child.name) + "`, a record with arrays or Strings");
    std::size_t& n = is_input(child) ? bound_->n_inputs : bound_->n_outputs;
    first_[&child] = n;
    n += layout->fields.size();
    layouts_[&child] = std::move(*layout);
    for (const Instance* leaf : leaves_of(child)) {
      writer_.declare(*leaf, {});
      const ProgramWriter::Storage& storage = writer_.storage_of(*leaf);
      (is_input(child) ? writer_.program.inputs : writer_.program.outputs)
          .push_back({storage.is_array, storage.id, unit_of(model_, *leaf)});
    }
    return Done{};
  }

  CArgument like(const Instance& component, CArgument::From from) {
    CArgument a{.from = from, .type = instance::c_type(component), .dims = {}, .text = {}};
    if (a.type == CType::record) {
      a.layout = layouts_.at(&component);
      return a;
    }
    for (std::int64_t d : frame_.dims.at(&component)) a.dims.push_back(static_cast<std::size_t>(d));
    a.is_array = !a.dims.empty();
    return a;
  }

  void constant(CType type, double number, std::string text = {}, const void* object = nullptr) {
    bound_->function.arguments.push_back({.from = CArgument::From::constant,
                                          .type = type,
                                          .dims = {},
                                          .number = number,
                                          .text = std::move(text),
                                          .object = object});
  }

  Outcome<Done> argument(const instance::ExternalArgument& given) {
    const Instance* component = given.component;
    if (component == nullptr) return expression(*given.expr);
    if (given.size_of_dimension > 0) {
      constant(CType::integer, static_cast<double>(frame_.dims.at(component)[given.size_of_dimension - 1]));
      return Done{};
    }
    if (is_input(*component) && component->type == instance::Type::string) {
      constant(CType::text, 0, text_of(*component));
      return Done{};
    }
    if (is_input(*component) && component->external_object) {
      constant(CType::object, 0, {}, frame_.objects[component].pointer.get());
      return Done{};
    }
    if (is_input(*component)) {
      bound_->function.arguments.push_back(like(*component, CArgument::From::input));
      bound_->function.arguments.back().first = first_[component];
      return Done{};
    }
    if (component->binding && component->rank() == 0 && !is_output(*component)) return expression(*given.expr);
    bool is_record = is_output(*component) && layouts_.contains(component);
    if ((component->binding && is_record) || (component->type == instance::Type::none && !is_record) ||
        component->type == instance::Type::string)
      return refuse("`" + std::string(component->name) + "`");
    CArgument a = like(*component, is_output(*component) ? CArgument::From::output : CArgument::From::workspace);
    if (component->binding) start(*component, a);
    if (is_output(*component)) a.first_output = first_[component];
    bound_->function.arguments.push_back(std::move(a));
    return Done{};
  }

  /// What the declaration of an output or a work array says is there when the function is called: further inputs.
  void start(const Instance& component, CArgument& a) {
    a.from = is_output(component) ? CArgument::From::both : CArgument::From::input;
    a.first = bound_->n_inputs;
    auto n = static_cast<std::size_t>(size_of(frame_.dims.at(&component)));
    std::uint32_t id = a.is_array ? writer_.new_array("start", n) : writer_.new_local("start");
    writer_.program.inputs.push_back({a.is_array, id});
    bound_->n_inputs += n;
    started_.push_back(&component);
  }

  /// A Program around the one that calls the function, which computes what the declarations say.
  Outcome<Done> start_values() {
    ProgramWriter outer(model_, &function_);
    outer.program.span = function_.span;
    std::vector<const Instance*> inputs, outputs;
    for (const Instance* child : function_.children)
      for (const Instance* leaf : leaves_of(*child)) {
        bool is_constant = leaf->variability == instance::Variability::constant && leaf->binding && !is_input(*child);
        if (leaf->type == instance::Type::string || is_constant) continue;
        outer.declare(*leaf, dims_in(frame_, *leaf));
        if (!is_input(*child) && !is_output(*child)) continue;
        const ProgramWriter::Storage& storage = outer.storage_of(*leaf);
        (is_input(*child) ? outer.program.inputs : outer.program.outputs)
            .push_back({storage.is_array, storage.id, unit_of(model_, *leaf)});
        (is_input(*child) ? inputs : outputs).push_back(leaf);
      }
    StatementWriter statements(model_, outer, &frame_, instance::scope_of(function_));
    for (const Instance* child : function_.children)
      if (!is_input(*child) && outer.has(*child))
        if (auto done = statements.initialise(*child); !done) return done;
    inputs.insert(inputs.end(), started_.begin(), started_.end());
    call(outer, inputs, outputs);
    auto& entry = outer.program.blocks[0];
    entry.insert(entry.begin(), outer.prologue.begin(), outer.prologue.end());
    frame_.program = ir::ProgramId(model_.flat.expressions.programs.size());
    model_.flat.expressions.programs.push_back(std::move(outer.program));
    return Done{};
  }

  void call(ProgramWriter& outer, const std::vector<const Instance*>& inputs, const std::vector<const Instance*>& outputs) {
    ir::Dag& dag = model_.dag();
    ir::Statement s{ir::StatementKind::call, function_.span};
    s.program = frame_.program;
    for (const Instance* leaf : inputs) {
      const ProgramWriter::Storage& storage = outer.storage_of(*leaf);
      for (std::int64_t e = 0; e < size_of(storage.dims); ++e)
        s.arguments.push_back(storage.is_array ? outer.load(storage.id, dag.number(static_cast<double>(e)), s.span)
                                               : dag.slot(storage.id));
    }
    for (const Instance* leaf : outputs) {
      const ProgramWriter::Storage& storage = outer.storage_of(*leaf);
      for (std::int64_t e = 0; e < size_of(storage.dims); ++e)
        s.targets.push_back(storage.is_array ? outer.new_local(std::string(leaf->name)) : storage.id);
    }
    std::vector<std::uint32_t> targets = s.targets;
    outer.push(std::move(s));
    auto target = targets.begin();
    for (const Instance* leaf : outputs) {
      const ProgramWriter::Storage& storage = outer.storage_of(*leaf);
      for (std::int64_t e = 0; e < size_of(storage.dims); ++e, ++target)
        if (storage.is_array) outer.store(storage.id, dag.number(static_cast<double>(e)), dag.slot(*target), function_.span);
    }
  }

  Outcome<Done> expression(const ast::Expr& expr) {
    Work work;
    Typer typer(model_, work, instance::scope_of(function_), &frame_);
    auto value = typer.expression(expr);
    if (!value) return value.failure();
    if (value->kind == NodeKind::text) {
      constant(CType::text, 0, value->text);
      return Done{};
    }
    bool number = value->dims.empty() && value->basic != Basic::string;
    auto now = number ? typer.known(*value) : std::optional<Known>();
    if (!now) return now.failure();
    const std::optional<Known>& known = *now;
    if (!known || !known->is_uniform()) return refuse("this argument");
    constant(value->basic == Basic::real ? CType::real : CType::integer, known->uniform());
    identity_ += " " + std::to_string(known->uniform());
    return Done{};
  }

  Outcome<Done> result(const Instance& output) {
    bound_->function.result = like(output, CArgument::From::output);
    bound_->function.result.first_output = first_[&output];
    if (output.rank() == 0 && output.type != instance::Type::none) return Done{};
    return refuse("the result `" + std::string(output.name) + "`");
  }

  Model& model_;
  Frame& frame_;
  const Instance& function_;
  Span used_at_;
  ProgramWriter writer_;
  instance::ExternalClause clause_;
  std::shared_ptr<Bound> bound_ = std::make_shared<Bound>();
  std::map<const Instance*, std::size_t> first_;  ///< among the inputs or the outputs
  std::map<const Instance*, foreign::CStruct> layouts_;
  std::vector<const Instance*> started_;  ///< outputs and work arrays with a binding, in the order of the arguments
  std::string identity_;
};

}  // namespace

Outcome<Done> write_foreign(Model& model, Frame& frame, Span used_at) {
  return ForeignWriter(model, frame, used_at).write();
}

}  // namespace bolza::flatten
