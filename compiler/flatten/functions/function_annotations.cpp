// SPDX-License-Identifier: Apache-2.0
// What the author of a function says about it besides its algorithm: `derivative`, `inverse`, `smoothOrder`, `Inline`.
#include "compiler/flatten/functions/function_annotations_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/functions/specialise_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/lookup.h"
#include "compiler/ir/program.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {
namespace {

using ir::ExprId;
using ir::GivenDerivative;
using Takes = GivenDerivative::Takes;

std::vector<const Instance*> chosen(const Instance& function, bool (*wanted)(const Instance&)) {
  std::vector<const Instance*> result;
  std::copy_if(function.children.begin(), function.children.end(), std::back_inserter(result),
               [&](const Instance* child) { return wanted(*child); });
  return result;
}

bool only_reals(const Instance& component) {
  auto leaves = leaves_of(component);
  return !leaves.empty() &&
         std::all_of(leaves.begin(), leaves.end(), [](const Instance* leaf) { return leaf->type == instance::Type::real; });
}

/// A Program that calls another: every argument a local of its own.
class CallBuilder {
 public:
  CallBuilder(Model& model, const ir::Program& like, std::string name) : model_(model) {
    made.name = std::move(name);
    made.span = like.span;
    made.blocks.emplace_back();
  }

  /// Locals for the arguments that a Program takes.
  std::vector<std::uint32_t> inputs_like(const ir::Program& program, const char* stem) {
    std::vector<std::uint32_t> result;
    for (const ir::Program::Port& port : program.inputs) {
      ir::ScalarType type = port.is_array ? program.arrays[port.id].type : program.locals[port.id].type;
      for (std::uint32_t e = 0; e < (port.is_array ? program.arrays[port.id].size : 1); ++e) {
        result.push_back(local(stem, type));
        made.inputs.push_back({false, result.back()});
      }
    }
    return result;
  }
  std::uint32_t local(const char* name, ir::ScalarType type = ir::ScalarType::real) {
    made.locals.push_back({name, type});
    return static_cast<std::uint32_t>(made.locals.size() - 1);
  }
  std::vector<std::uint32_t> call(ir::ProgramId program, const std::vector<std::uint32_t>& arguments) {
    ir::Statement s{ir::StatementKind::call, made.span};
    s.program = program;
    for (std::uint32_t k : arguments) s.arguments.push_back(model_.dag().slot(k));
    for (std::size_t k = 0; k < ir::output_count(model_.flat.expressions.programs[program.index()]); ++k)
      s.targets.push_back(local("y"));
    made.blocks[0].push_back(s);
    return s.targets;
  }
  ir::ProgramId finish() {
    auto& programs = model_.flat.expressions.programs;
    programs.push_back(std::move(made));
    return ir::ProgramId(programs.size() - 1);
  }

  ir::Program made;

 private:
  Model& model_;
};

class FunctionAnnotations {
 public:
  FunctionAnnotations(Model& model, Frame& frame) : model_(model), frame_(frame), function_(*frame.function) {}

  void read() {
    std::vector<const ast::Modification*> annotations;
    std::vector<const instance::Definition*> written_in;
    for (const instance::ClassAnnotation& of_class : function_.annotations) {
      annotations.push_back(of_class.annotation);
      written_in.push_back(of_class.definition);
    }
    if (function_.external) {
      annotations.push_back(function_.external->annotation);
      written_in.push_back(function_.definition);
    }
    for (std::size_t k = 0; k < annotations.size(); ++k) {
      if (annotations[k] == nullptr) continue;
      scope_ = {&function_, written_in[k]};
      for (const ast::Argument* argument : annotations[k]->arguments) one(*argument);
    }
  }

 private:
  ir::Program& program() { return model_.flat.expressions.programs[frame_.program.index()]; }

  void one(const ast::Argument& argument) {
    if (argument.kind != ast::ArgumentKind::modification || !argument.name || !argument.modification) return;
    std::string name = syntax::print(*argument.name);
    const ast::Modification& given = *argument.modification;
    if (name == "derivative") return derivative(argument);
    if (name == "inverse")
      for (const ast::Argument* inner : given.arguments) inverse(*inner);
    if (given.value == nullptr) return;
    auto value = instance::try_evaluate(model_.tree, *given.value, scope_);
    if (!value || !value->scalar() || value->numbers.empty()) return;
    if (name == "smoothOrder") program().smooth_order = static_cast<int>(value->integer());
    bool yes = value->numbers[0] != 0;
    if (name == "Inline") program().inlining = yes ? ir::Inlining::always : ir::Inlining::never;
    if (name == "LateInline" && yes) program().inlining = ir::Inlining::never;  // the machine code inlines it
    if (name == "InlineAfterIndexReduction" && yes) program().inlining = ir::Inlining::after_index_reduction;
  }

  // -------------------------------------------------------------- derivatives

  /// A warning; gives false, so that what is looked for is none.
  bool unused(const ast::Argument& argument, const char* what, const std::string& why) {
    if (model_.unused_annotations.insert(&argument).second)
      model_.diagnostics.warning(annotation_not_used, argument.span, {what, function_.name, why});
    return false;
  }

  const Instance* function_named(const ast::Expr* name) {
    if (name == nullptr || name->reference == nullptr) return nullptr;
    Diagnostics quiet;
    auto resolved = instance::lookup(model_.tree, scope_, *name->reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::class_) return nullptr;
    auto made = instance::instance_of(model_.tree, *resolved->definition, resolved->enclosing, name->span, quiet);
    return made && (*made)->class_kind == ast::ClassKind::function ? *made : nullptr;
  }

  /// The Program of another function whose inputs are the parts of ours; null where it cannot be translated, no mistake.
  const Frame* specialised(CallShape shape, const std::map<const Instance*, const Instance*>& part_of, Span span) {
    Diagnostics before = model_.diagnostics;  // a function that cannot be translated is no mistake of the model
    Outcome<Specialised> made = specialise(model_, shape, span);
    while (made && made->asks()) {
      for (const Instance* input : made->needed) {
        auto ours = part_of.find(input);
        auto value = ours == part_of.end() ? frame_.values.end() : frame_.values.find(ours->second);
        if (value == frame_.values.end()) {
          model_.diagnostics = std::move(before);
          return nullptr;
        }
        shape.values.emplace_back(input, value->second);
      }
      made = specialise(model_, shape, span);
    }
    if (made) return made->frame;
    model_.diagnostics = std::move(before);
    return nullptr;
  }

  /// What the annotation says of our inputs; nothing, after a warning, when it names something that is none.
  std::optional<std::map<const Instance*, Takes>> exclusions(const ast::Argument& argument, int& order) {
    std::map<const Instance*, Takes> result;
    for (const ast::Argument* inner : argument.modification->arguments) {
      if (inner->kind != ast::ArgumentKind::modification || !inner->name || !inner->modification) continue;
      std::string name = syntax::print(*inner->name);
      const ast::Expr* value = inner->modification->value;
      if (name == "order" && value) {
        auto known = instance::try_evaluate(model_.tree, *value, scope_);
        if (known && known->scalar() && !known->numbers.empty()) order = static_cast<int>(known->integer());
        continue;
      }
      bool zero = name == "zeroDerivative";
      if ((!zero && name != "noDerivative") || !value || !value->reference) continue;
      const Instance* input = function_.child(value->reference->parts[0].identifier);
      if (input == nullptr || !is_input(*input)) {
        unused(argument, "derivative", "`" + syntax::print(*value) + "` is not an input of it");
        return {};
      }
      result[input] = zero ? Takes::zero : Takes::assumed;
    }
    return result;
  }

  /// Whether the inputs fit those of the derivative; a warning says why not.
  bool derivative_inputs(const ast::Argument& argument, const Instance& df, const std::map<const Instance*, Takes>& excluded,
                         int order, std::vector<const Instance*>& moving, std::vector<const Instance*>& of) {
    std::vector<const Instance*> ours = chosen(function_, is_input), theirs = chosen(df, is_input);
    for (const Instance* input : ours)
      if (!excluded.contains(input) && only_reals(*input)) moving.push_back(input);
    if (order > 1 && !moving.empty()) {  // x, dx, …: the last part has directions of its own, the others have the next part
      std::size_t each = moving.size() / static_cast<std::size_t>(order);
      if (each * static_cast<std::size_t>(order) != moving.size())
        return unused(argument, "derivative",
                      "its inputs are not values and derivatives of order " + std::to_string(order - 1));
      of.assign(moving.begin(), moving.end() - static_cast<std::ptrdiff_t>(each));
      same_.clear();
      for (std::size_t k = 0; k < of.size(); ++k) same_[of[k]] = moving[k + each];
      moving.erase(moving.begin(), moving.end() - static_cast<std::ptrdiff_t>(each));
    }
    if (theirs.size() != ours.size() + moving.size())
      return unused(argument, "derivative",
                    "`" + std::string(df.name) + "` has " + std::to_string(theirs.size()) + " inputs instead of " +
                        std::to_string(ours.size() + moving.size()));
    auto match = [](const Instance& a, const Instance& b) { return a.type == b.type && a.rank() == b.rank(); };
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      const Instance& like = k < ours.size() ? *ours[k] : *moving[k - ours.size()];
      if (!match(like, *theirs[k]))
        return unused(argument, "derivative",
                      "input `" + std::string(theirs[k]->name) + "` of `" + std::string(df.name) + "` is not like `" +
                          std::string(like.name) + "`");
    }
    return true;
  }

  void derivative(const ast::Argument& argument) {
    const Instance* df = function_named(argument.modification->value);
    if (df == nullptr) {
      unused(argument, "derivative", "what it names is not a function");
      return;
    }
    int order = 1;
    auto excluded = exclusions(argument, order);
    std::vector<const Instance*> moving, before;
    same_.clear();
    if (!excluded || order < 1 || !derivative_inputs(argument, *df, *excluded, order, moving, before)) return;
    CallShape shape;
    shape.function = df;
    std::map<const Instance*, const Instance*> part_of;
    std::vector<const Instance*> ours = chosen(function_, is_input), theirs = chosen(*df, is_input);
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      const Instance* like = k < ours.size() ? ours[k] : moving[k - ours.size()];
      shape.dims.push_back(frame_.dims.at(like));
      if (k < ours.size()) {
        part_of[theirs[k]] = like;
        if (auto value = frame_.values.find(like); value != frame_.values.end())
          shape.values.emplace_back(theirs[k], value->second);
        if (auto text = frame_.texts.find(like); text != frame_.texts.end()) shape.texts[theirs[k]] = text->second;
        if (auto object = frame_.objects.find(like); object != frame_.objects.end())
          shape.objects[theirs[k]] = object->second;
      }
    }
    const Frame* made = specialised(std::move(shape), part_of, argument.span);
    if (made == nullptr) {
      unused(argument, "derivative", "`" + std::string(df->name) + "` cannot be translated");
      return;
    }
    wrap(argument, *made, *excluded, moving, before);
  }

  /// One of our inputs: the first of its entries among the arguments, and how many there are.
  struct Place {
    std::uint32_t first = 0, size = 0;
  };
  std::map<const Instance*, Place> places(const std::vector<const Instance*>& components, const Frame& frame) {
    std::map<const Instance*, Place> result;
    std::uint32_t at = 0;
    for (const Instance* component : components) {
      std::uint32_t size = 0;
      for (const Instance* leaf : leaves_of(*component))
        if (leaf->type != instance::Type::string) size += static_cast<std::uint32_t>(size_of(dims_in(frame, *leaf)));
      result[component] = {at, size};
      at += size;
    }
    return result;
  }

  void wrap(const ast::Argument& argument, const Frame& df, const std::map<const Instance*, Takes>& excluded,
            const std::vector<const Instance*>& moving, const std::vector<const Instance*>& before) {
    auto inputs = chosen(function_, is_input), outputs = chosen(function_, is_output);
    auto at = places(inputs, frame_);
    CallBuilder b(model_, program(), "given derivative of " + program().name);
    std::vector<std::uint32_t> x = b.inputs_like(program(), "x"), d = b.inputs_like(program(), "d");
    GivenDerivative given;
    given.arguments.assign(x.size(), {Takes::nothing, 0});
    std::vector<std::uint32_t> arguments = x;
    auto each = [&](const Instance* input, auto set) {
      for (std::uint32_t e = 0; e < at[input].size; ++e) set(at[input].first + e, e);
    };
    for (const Instance* input : moving)
      each(input, [&](std::uint32_t k, std::uint32_t) {
        given.arguments[k].takes = Takes::direction;
        arguments.push_back(d[k]);
      });
    for (const Instance* input : before)
      each(input, [&](std::uint32_t k, std::uint32_t e) { given.arguments[k] = {Takes::same, at[same_[input]].first + e}; });
    for (const auto& [input, takes] : excluded)
      if (only_reals(*input)) each(input, [&](std::uint32_t k, std::uint32_t) { given.arguments[k].takes = takes; });
    auto place = places(outputs, frame_);
    std::size_t n_real = 0;
    for (const Instance* output : outputs) n_real += only_reals(*output) ? place[output].size : 0;
    if (arguments.size() != ir::argument_count(model_.flat.expressions.programs[df.program.index()]) ||
        n_real != df.n_outputs) {
      unused(argument, "derivative", "`" + std::string(df.function->name) + "` has outputs or sizes that do not fit");
      return;
    }
    std::vector<std::uint32_t> results = b.call(df.program, arguments);
    std::size_t next = 0;
    for (const Instance* output : outputs)
      for (std::uint32_t e = 0; e < place[output].size; ++e)
        b.made.outputs.push_back({false, only_reals(*output) ? results[next++] : b.local("none")});
    given.program = b.finish();
    program().derivatives.push_back(std::move(given));
  }

  // -------------------------------------------------------------- inverses

  static bool real_scalar(const Instance& component) {
    return component.type == instance::Type::real && component.rank() == 0;
  }

  void inverse(const ast::Argument& argument) {
    if (argument.kind != ast::ArgumentKind::modification || !argument.name || !argument.modification) return;
    auto inputs = chosen(function_, is_input), outputs = chosen(function_, is_output);
    const ast::Expr* call = argument.modification->value;
    const Instance* wanted = function_.child(syntax::print(*argument.name));
    bool fits = call && call->kind == ast::ExprKind::call && wanted && is_input(*wanted) && real_scalar(*wanted) &&
                outputs.size() == 1 && real_scalar(*outputs[0]) && call->arguments->named.empty();
    const Instance* back = fits ? function_named(call) : nullptr;
    if (back == nullptr) {
      unused(argument, "inverse", "it is not `input = function(output, inputs…)` with a scalar output");
      return;
    }
    CallShape shape;
    shape.function = back;
    std::vector<const Instance*> given, theirs = chosen(*back, is_input);
    std::map<const Instance*, const Instance*> part_of;
    for (const ast::Expr* e : call->arguments->positional) {
      const Instance* child =
          e->reference && e->reference->simple() ? function_.child(e->reference->parts[0].identifier) : nullptr;
      if (child == nullptr || child == wanted || (!is_input(*child) && child != outputs[0]) ||
          given.size() >= theirs.size()) {
        unused(argument, "inverse", "`" + syntax::print(*e) + "` is neither its output nor another input");
        return;
      }
      part_of[theirs[given.size()]] = child;
      given.push_back(child);
      shape.dims.push_back(child == outputs[0] ? std::vector<std::int64_t>{} : frame_.dims.at(child));
    }
    const Frame* made = given.size() == theirs.size() ? specialised(std::move(shape), part_of, argument.span) : nullptr;
    if (made == nullptr || made->n_outputs != 1) {
      unused(argument, "inverse", "`" + std::string(back->name) + "` cannot be translated for these inputs");
      return;
    }
    auto at = places(inputs, frame_);
    CallBuilder b(model_, program(), "given inverse of " + program().name);
    std::vector<std::uint32_t> x = b.inputs_like(program(), "x"), arguments;
    for (const Instance* child : given) {
      Place place = child == outputs[0] ? at[wanted] : at[child];
      for (std::uint32_t e = 0; e < place.size; ++e) arguments.push_back(x[place.first + e]);
    }
    std::vector<std::uint32_t> result = b.call(made->program, arguments);
    b.made.outputs.push_back({false, result[0]});
    ir::ProgramId id = b.finish();
    program().inverses.push_back({at[wanted].first, id});
  }

  Model& model_;
  Frame& frame_;
  const Instance& function_;
  Scope scope_;
  std::map<const Instance*, const Instance*> same_;  ///< of second derivatives: the input that is the derivative of one
};

}  // namespace

void read_function_annotations(Model& model, Frame& frame) { FunctionAnnotations(model, frame).read(); }

}  // namespace bolza::flatten
