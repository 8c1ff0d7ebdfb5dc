// SPDX-License-Identifier: Apache-2.0
// C functions of shared libraries, called at compile time.
#include <algorithm>

#include "compiler/foreign/library_functions.h"
#include "compiler/instance/functions/external_function.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {
namespace {

using foreign::CArgument;
using foreign::CType;

std::vector<std::size_t> sizes(const Value& value) { return {value.dimensions.begin(), value.dimensions.end()}; }

/// The numbers of a record, member by member.
void set_numbers(Value& value, const double*& next) {
  for (ValueField& field : value.fields) set_numbers(field.value, next);
  if (value.kind != ValueKind::record) value.numbers = {*next++};
}

}  // namespace

/// The arguments are evaluated, outputs and protected variables too: what they are before the call is what their
/// declarations say, 0 without a binding.
struct Evaluator::ExternalCall {
  foreign::CFunction c;
  std::vector<double> inputs;
  std::vector<const Instance*> written;  ///< [arguments]: output or protected variable behind it
  const Instance* result = nullptr;
  std::size_t n_outputs = 0, n_texts = 0;

  void push(const Value& value, CType type, CArgument::From from) {
    CArgument a{.from = from,
                .type = type,
                .dims = sizes(value),
                .is_array = !value.dimensions.empty(),
                .first = inputs.size(),
                .text = {}};
    for (double x : value.numbers) inputs.push_back(x == x ? x : 0);
    if (type == CType::text && value.scalar()) {
      a.from = CArgument::From::constant;
      a.text = value.text();
    }
    c.arguments.push_back(std::move(a));
  }

  /// The numbers of a record, member by member; those that were not set are 0.
  void push_numbers(const Value& value) {
    for (const ValueField& field : value.fields) push_numbers(field.value);
    if (value.kind != ValueKind::record) inputs.push_back(value.numbers[0] == value.numbers[0] ? value.numbers[0] : 0);
  }

  void push_record(const Value& value, foreign::CStruct layout, bool writes) {
    CArgument a{.from = writes ? CArgument::From::both : CArgument::From::input,
                .type = CType::record,
                .dims = {},
                .first = inputs.size(),
                .text = {},
                .layout = std::move(layout)};
    push_numbers(value);
    if (writes) place(a);
    c.arguments.push_back(std::move(a));
  }

  void place(CArgument& a) {
    std::size_t size = a.type == CType::record ? a.layout.fields.size() : 1;
    for (std::size_t d : a.dims) size *= d;
    std::size_t& n = a.type == CType::text ? n_texts : n_outputs;
    a.first_output = n;
    n += size;
  }
};

Result<Evaluator::ExternalCall> Evaluator::prepared_call(const Instance& function, Span span) {
  ExternalClause clause = clause_of(function);
  std::string text = full_name(*function.definition);
  ExternalCall call;
  call.c.name = clause.function;
  call.c.fortran = clause.fortran;
  auto refuse = [&](const std::string& what) {
    return d_.error(codes::not_computable, span, {text, what + " cannot be passed to an external function"});
  };
  for (const ExternalArgument& argument : clause.arguments) {
    const Instance* component = argument.component;
    bool writes = component && component->causality != ast::Causality::input && argument.size_of_dimension == 0;
    if (writes && component->type == Type::string) writes = component->causality == ast::Causality::output;
    call.written.push_back(writes ? component : nullptr);
    if (component == nullptr) {
      auto v = value(*argument.expr);
      if (!v) return d_.already_reported();
      CType type = v->kind == ValueKind::string ? CType::text : v->kind == ValueKind::real ? CType::real : CType::integer;
      if (v->kind == ValueKind::record) return refuse("the record `" + syntax::print(*argument.expr) + "`");
      call.push(*v, type, CArgument::From::input);
      continue;
    }
    auto v = local(*component, span);
    if (!v) return d_.already_reported();
    if (argument.size_of_dimension > 0) {
      call.push(integer_value((*v)->dimensions[argument.size_of_dimension - 1]), CType::integer, CArgument::From::input);
      continue;
    }
    CType type = c_type(*component);
    if (type == CType::record) {
      auto layout = component->rank() == 0 && !call.c.fortran ? struct_of(*component) : std::nullopt;
      if (!layout) return refuse("`" + std::string(component->name) + "`");
      call.push_record(**v, std::move(*layout), writes);
      continue;
    }
    if (type == CType::object && (*v)->object != nullptr) {
      call.c.arguments.push_back(
          {.from = CArgument::From::constant, .type = type, .dims = {}, .text = {}, .object = (*v)->object});
      continue;
    }
    bool text_array = type == CType::text && !(*v)->scalar();
    if (type == CType::none || type == CType::object || text_array) return refuse("`" + std::string(component->name) + "`");
    call.push(**v, type, writes ? CArgument::From::both : CArgument::From::input);
    if (writes && type == CType::text) call.c.arguments.back().from = CArgument::From::output;
    if (writes) call.place(call.c.arguments.back());
  }
  if (clause.result) {
    call.result = clause.result;
    call.c.result.type = c_type(*clause.result);
    if (clause.result->rank() > 0 || call.c.result.type == CType::none || call.c.result.type == CType::record)
      return refuse("the result `" + std::string(clause.result->name) + "`");
    if (call.c.result.type != CType::object) call.place(call.c.result);
  }
  if (!find_external(tree_, function, clause, Needed::now, span, d_, call.c) ||
      !permit_effects(tree_, function, call.c, span, d_))
    return d_.already_reported();
  return call;
}

Result<std::vector<Value>> Evaluator::shared_library_result(const Instance& function, Span span) {
  bool waits = !budget_.may_act && foreign::acts_outside(clause_of(function).function.c_str());
  if (waits && outputs_of(function).empty()) return std::vector<Value>{};
  if (waits)
    return d_.error(codes::not_computable, span,
                    {full_name(*function.definition), "it acts outside, which waits until the model runs"});
  auto call = prepared_call(function, span);
  if (!call) return d_.already_reported();
  if (call->c.result.type == CType::object)
    return d_.error(codes::not_computable, span, {full_name(*function.definition), "it makes an external object"});
  std::vector<double> outputs(call->n_outputs);
  std::vector<std::string> texts(call->n_texts);
  if (auto failure = foreign::call(call->c, call->inputs, outputs, texts))
    return d_.error(codes::external_failed, span, {full_name(*function.definition), *failure});
  std::vector<Value> results;
  for (const Instance* output : outputs_of(function)) {
    const CArgument* a = output == call->result ? &call->c.result : nullptr;
    for (std::size_t k = 0; k < call->written.size(); ++k)
      if (call->written[k] == output) a = &call->c.arguments[k];
    auto before = local(*output, span);
    if (!before) return d_.already_reported();
    Value result = **before;
    if (a && a->type == CType::record) {
      const double* next = outputs.data() + a->first_output;
      set_numbers(result, next);
    } else if (a && a->type == CType::text) result.strings = {texts[a->first_output]};
    else if (a)
      std::copy_n(outputs.begin() + static_cast<std::ptrdiff_t>(a->first_output), result.numbers.size(),
                  result.numbers.begin());
    results.push_back(std::move(result));
  }
  return results;
}

Result<void*> Evaluator::constructed(const Instance& constructor, const ast::Expr& call, Span span) {
  auto given = arguments_of(constructor, call.arguments, span);
  Frame callee{.function = &constructor};
  if (!given || !pass_arguments(callee, *given)) return d_.already_reported();
  Evaluator inside(tree_, scope_of(constructor), d_, budget_);
  inside.frame = &callee;
  auto prepared = inside.prepared_call(constructor, span);
  if (!prepared) return d_.already_reported();
  foreign::CObject made = foreign::construct(prepared->c, prepared->inputs);
  if (made.failure) return d_.error(codes::external_failed, span, {full_name(*constructor.definition), *made.failure});
  return made.pointer;
}

namespace {

/// The constructor or destructor of an external object's class.
Result<const Instance*> member_function(InstanceTree& tree, const Definition& object, std::string_view name, Span used_at,
                                        Diagnostics& d) {
  auto found = class_member(tree.store(), object, name, d);
  if (!found) return d.already_reported();
  if (*found == nullptr) return d.error(codes::no_such_element, used_at, {name, full_name(object)});
  return instance_of(tree, **found, nullptr, used_at, d);
}

}  // namespace

Result<std::shared_ptr<void>> construct_object(InstanceTree& tree, const Instance& object,
                                               std::span<const std::int64_t> indices, Span used_at, Diagnostics& d) {
  auto constructor = member_function(tree, *object.definition, "constructor", used_at, d);
  auto destructor = member_function(tree, *object.definition, "destructor", used_at, d);
  if (!constructor || !destructor) return d.already_reported();
  bool external = (*constructor)->external && (*destructor)->external && object.binding &&
                  object.binding.expr->kind == ast::ExprKind::call;
  if (!external)
    return d.error(codes::not_computable, used_at, {full_name(*object.definition), "its constructor is not external"});
  if (!tree.library().trust().runs())
    return std::shared_ptr<void>(std::make_shared<char>());  // nothing is called that would look into it
  EvaluationBudget budget;
  Evaluator evaluator(tree, object.binding.scope, d, budget);
  evaluator.indices.assign(indices.begin(), indices.end());
  auto pointer = evaluator.constructed(**constructor, *object.binding.expr, used_at);
  if (!pointer) return d.already_reported();
  foreign::CFunction end{.name = clause_of(**destructor).function, .address = nullptr, .arguments = {}};
  if (!find_external(tree, **destructor, clause_of(**destructor), Needed::now, used_at, d, end)) return d.already_reported();
  end.arguments.push_back(
      {.from = CArgument::From::constant, .type = CType::object, .dims = {}, .text = {}, .object = *pointer});
  return std::shared_ptr<void>(*pointer, [end](void*) { (void)foreign::call(end, {}, {}, {}); });
}

bool is_own_failure(const Diagnostics& diagnostics) {
  if (diagnostics.all().empty()) return false;
  const Code* code = diagnostics.all().back().code;
  return code == &codes::failed_assertion || code == &codes::external_failed || code == &codes::external_not_found ||
         code == &codes::foreign_refused;
}

bool is_broken_off(const Diagnostics& diagnostics) {
  if (diagnostics.all().empty()) return false;
  const Code* code = diagnostics.all().back().code;
  return code == &codes::undefined_result || code == &codes::too_long;
}

}  // namespace bolza::instance
