// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/overloads.h"

#include <algorithm>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/lookup.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/instance/values/evaluator_internal.h"

namespace bolza::instance {

namespace {

/// How well arguments fit: their number and names only, Integers also where Reals are asked for, or in all.
enum class Match : std::uint8_t { names, widened, exact };

/// The classes in an operator record of that name: an operator function, or the functions of an operator.
Result<std::vector<Resolved>> classes_of(InstanceTree& tree, const Resolved& record, std::string_view name, Diagnostics& d) {
  auto found = member_class(tree, record, name, d);
  if (!found) return d.already_reported();
  if (!found->definition) return std::vector<Resolved>{};
  if (real_class(tree.store(), *found->definition).ast->kind != ast::ClassKind::operator_) return std::vector{*found};
  std::vector<Resolved> all;
  for (const std::string& member : tree.library().member_names(real_class(tree.store(), *found->definition))) {
    auto function = member_class(tree, *found, member, d);
    if (!function) return d.already_reported();
    if (function->definition) all.push_back(*function);
  }
  return all;
}

Result<std::vector<const Instance*>> functions_of(InstanceTree& tree, const Resolved& record, std::string_view name,
                                                  Span used_at, Diagnostics& d) {
  auto classes = classes_of(tree, record, name, d);
  if (!classes) return d.already_reported();
  std::vector<const Instance*> functions;
  for (const Resolved& one : *classes) {
    auto function = instance_of(tree, *one.definition, one.enclosing, used_at, d);
    if (!function) return d.already_reported();
    functions.push_back(*function);
  }
  return functions;
}

Resolved record_of(const Definition& record, const Instance* enclosing = nullptr) {
  return {.kind = ResolvedKind::class_, .definition = &record, .enclosing = enclosing};
}

bool fits(const Instance& input, const OperandType& operand, Match match = Match::widened) {
  if (match == Match::names) return true;
  if (input.rank() != operand.rank) return false;
  if (input.type == Type::none) return operand.type == Type::none && input.definition == operand.definition;
  bool widened = match == Match::widened && input.type == Type::real && operand.type == Type::integer;
  return input.type == operand.type || widened;
}

/// Whether the inputs from `first` on have values of their own.
bool others_given(const std::vector<const Instance*>& inputs, std::size_t first) {
  return std::all_of(inputs.begin() + static_cast<std::ptrdiff_t>(first), inputs.end(),
                     [](const Instance* input) { return bool(input->binding); });
}

/// The constructor of the input's record that takes just the operand; null where it is not exactly one.
Result<const Instance*> conversion_to(InstanceTree& tree, const Instance& input, const OperandType& operand, Span used_at,
                                      Diagnostics& d) {
  const Instance* none = nullptr;
  if (input.type != Type::none || input.rank() != operand.rank || !input.definition) return none;
  auto constructors = functions_of(tree, record_of(*input.definition, input.enclosing), "'constructor'", used_at, d);
  if (!constructors) return d.already_reported();
  OperandType scalar = operand;
  scalar.rank = 0;
  std::vector<const Instance*> good;
  for (const Instance* constructor : *constructors) {
    std::vector<const Instance*> inputs = inputs_of(*constructor);
    if (!inputs.empty() && fits(*inputs[0], scalar) && others_given(inputs, 1)) good.push_back(constructor);
  }
  return good.size() == 1 ? good[0] : none;
}

Result<std::optional<Overload>> converted(InstanceTree& tree, const Instance& function,
                                          std::span<const OperandType> operands, Span used_at, Diagnostics& d) {
  std::vector<const Instance*> inputs = inputs_of(function);
  Overload overload{&function, std::vector<const Instance*>(operands.size())};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (fits(*inputs[k], operands[k])) continue;
    auto conversion = conversion_to(tree, *inputs[k], operands[k], used_at, d);
    if (!conversion) return d.already_reported();
    if (!*conversion) return std::optional<Overload>();
    overload.conversions[k] = *conversion;
  }
  return std::optional(std::move(overload));
}

std::string texts_of(std::span<const OperandType> operands) {
  std::string text;
  for (const OperandType& operand : operands) text += (text.empty() ? "" : ", ") + text_of(operand);
  return text;
}

Reported refuse_several(std::string_view name, std::span<const OperandType> operands, const Instance& one,
                        const Instance& other, Span at, Diagnostics& d) {
  return d.error(codes::ambiguous_operator, at, {name, texts_of(operands)},
                 {{one.span, "this function fits"}, {other.span, "and this one"}});
}

/// Of the functions of all records among the operands, those that could take as many operands.
Result<std::vector<const Instance*>> candidates(InstanceTree& tree, std::string_view name,
                                                std::span<const OperandType> operands, Span used_at, Diagnostics& d) {
  std::vector<const Definition*> records;
  for (const OperandType& operand : operands)
    if (operand.is_operator_record() && std::find(records.begin(), records.end(), operand.definition) == records.end())
      records.push_back(operand.definition);
  std::vector<const Instance*> all;
  for (const Definition* record : records) {
    auto functions = functions_of(tree, record_of(*record), name, used_at, d);
    if (!functions) return d.already_reported();
    for (const Instance* function : *functions) {
      std::vector<const Instance*> inputs = inputs_of(*function);
      if (inputs.size() >= operands.size() && others_given(inputs, operands.size())) all.push_back(function);
    }
  }
  return all;
}

/// Whether a call with these arguments could be one of the function.
bool takes(const Instance& function, std::span<const OperandType> positional, std::span<const NamedOperand> named,
           Match match) {
  std::vector<const Instance*> inputs = inputs_of(function);
  if (positional.size() > inputs.size()) return false;
  std::size_t given = positional.size();
  for (std::size_t k = 0; k < given; ++k)
    if (!fits(*inputs[k], positional[k], match)) return false;
  std::vector<const Instance*> rest(inputs.begin() + static_cast<std::ptrdiff_t>(given), inputs.end());
  for (const auto& [name, operand] : named) {
    auto at = std::find_if(rest.begin(), rest.end(), [&](const Instance* input) { return input->name == name; });
    if (at == rest.end() || !fits(**at, operand, match)) return false;
    rest.erase(at);
  }
  return others_given(rest, 0);
}

/// The one of the functions that takes the arguments; null where none does. Errors E263.
Result<const Instance*> only_one(const std::vector<const Instance*>& functions, std::string_view name,
                                 std::span<const OperandType> positional, std::span<const NamedOperand> named, Match match,
                                 Span used_at, Diagnostics& d) {
  const Instance* found = nullptr;
  for (const Instance* function : functions) {
    if (!takes(*function, positional, named, match)) continue;
    if (found) return refuse_several(name, positional, *found, *function, used_at, d);
    found = function;
  }
  return found;
}

}  // namespace

bool OperandType::is_operator_record() const {
  return type == Type::none && definition && definition->ast->kind == ast::ClassKind::operator_record;
}

std::string text_of(const OperandType& operand) {
  std::string text =
      operand.type == Type::none && operand.definition ? full_name(*operand.definition) : std::string(name_of(operand.type));
  for (std::size_t k = 0; k < operand.rank; ++k) text += k == 0 ? "[:" : ", :";
  return text + (operand.rank > 0 ? "]" : "");
}

Result<std::optional<Overload>> overload_of(InstanceTree& tree, std::string_view name, std::span<const OperandType> operands,
                                            Span used_at, Diagnostics& d) {
  auto all = candidates(tree, name, operands, used_at, d);
  if (!all) return d.already_reported();
  for (Match match : {Match::exact, Match::widened}) {
    auto one = only_one(*all, name, operands, {}, match, used_at, d);
    if (!one) return d.already_reported();
    if (*one) return std::optional(Overload{*one, std::vector<const Instance*>(operands.size())});
  }
  std::optional<Overload> by_conversion;
  for (const Instance* function : *all) {
    auto one = converted(tree, *function, operands, used_at, d);
    if (!one) return one;
    if (*one && by_conversion) return refuse_several(name, operands, *by_conversion->function, *function, used_at, d);
    if (*one) by_conversion = std::move(*one);
  }
  return by_conversion;
}

Result<const Instance*> zero_of(InstanceTree& tree, const Definition& record, Span used_at, Diagnostics& d) {
  auto all = functions_of(tree, record_of(record), "'0'", used_at, d);
  if (!all) return d.already_reported();
  return all->empty() ? nullptr : all->front();
}

Result<const Instance*> constructor_of(InstanceTree& tree, const Definition& record, const Instance* enclosing,
                                       std::span<const OperandType> positional, std::span<const NamedOperand> named,
                                       Span used_at, Diagnostics& d) {
  const Instance* none = nullptr;
  auto all = functions_of(tree, record_of(record, enclosing), "'constructor'", used_at, d);
  if (!all) return d.already_reported();
  for (Match match : {Match::exact, Match::widened}) {
    auto one = only_one(*all, "'constructor'", positional, named, match, used_at, d);
    if (!one || *one) return one;
  }
  std::erase_if(*all, [&](const Instance* f) { return !takes(*f, positional, named, Match::names); });
  return all->size() == 1 ? all->front() : none;
}

Result<bool> has_constructors(InstanceTree& tree, const Definition& record, Diagnostics& d) {
  if (record.ast->kind != ast::ClassKind::operator_record) return false;
  auto all = classes_of(tree, record_of(record), "'constructor'", d);
  if (!all) return d.already_reported();
  return !all->empty();
}

}  // namespace bolza::instance
