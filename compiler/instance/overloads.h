// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/instance/instance.h"

/// Operator records: which of their functions an operator or a constructor call means. [MLS, 14].
namespace bolza::instance {

/// What decides between the functions of an operator.
struct OperandType {
  Type type = Type::none;                  ///< none: a record
  const Definition* definition = nullptr;  ///< of the record
  std::size_t rank = 0;

  bool is_operator_record() const;
};

/// An argument with its name.
using NamedOperand = std::pair<std::string_view, OperandType>;

/// A function, and for each operand the constructor that makes it fit; null where it fits as it is.
struct Overload {
  const Instance* function = nullptr;
  std::vector<const Instance*> conversions;
};

/// The function that an operator means for operands of these types: one that takes them as they are, else one that takes
/// them converted by constructors with one argument. Nothing where none of the records has one.
/// @param name  as it is declared: "'+'", "'-'" (of one operand, too), "'0'", "'String'", …
/// Errors  E263 where more than one fits.     Cost  instances of its functions are made once.
Result<std::optional<Overload>> overload_of(InstanceTree& tree, std::string_view name, std::span<const OperandType> operands,
                                            Span used_at, Diagnostics& diagnostics);
/// The function `'0'` of an operator record: what a sum over nothing is; null where it has none.
Result<const Instance*> zero_of(InstanceTree& tree, const Definition& record, Span used_at, Diagnostics& diagnostics);
/// The function that a call `R(…)` of an operator record with these arguments means; null: the record's own constructor.
/// Errors  E263.
Result<const Instance*> constructor_of(InstanceTree& tree, const Definition& record, const Instance* enclosing,
                                       std::span<const OperandType> positional, std::span<const NamedOperand> named,
                                       Span used_at, Diagnostics& diagnostics);
/// Whether an operator record declares constructors.
Result<bool> has_constructors(InstanceTree& tree, const Definition& record, Diagnostics& diagnostics);

/// "Complex", "Real[2]": for messages.
std::string text_of(const OperandType& operand);

}  // namespace bolza::instance
