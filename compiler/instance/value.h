// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "compiler/instance/instance.h"

namespace bolza::instance {

enum class ValueKind : std::uint8_t { real, integer, boolean, string, enumeration, record, function };

struct ValueField;

/// A value known at compile time: a scalar, or an array in row-major order.
/// Invariants: `numbers` (or `strings`, for strings) has one entry per element; a record has `fields` instead, each with the
/// record's dimensions in front of its own. A function has as fields the inputs that are given already. An external object
/// is a record without fields.
struct Value {
  ValueKind kind = ValueKind::real;
  std::vector<std::int64_t> dimensions;  ///< empty for a scalar
  std::vector<double> numbers;           ///< Booleans 0 and 1; enumerations from 1; integers are exact up to 2^53
  std::vector<std::string> strings;
  std::vector<ValueField> fields;
  const Definition* definition = nullptr;  ///< of an enumeration or record
  const Instance* function = nullptr;      ///< of kind function
  const void* object = nullptr;            ///< of an external object: what its constructor made; whose owner outlives this

  bool scalar() const { return dimensions.empty(); }
  std::int64_t size() const;  ///< number of elements
  double number() const;      ///< of a numeric scalar (any kind but string and record)
  std::int64_t integer() const { return static_cast<std::int64_t>(number()); }
  const std::string& text() const;  ///< of a string scalar
  const Value* field(std::string_view name) const;
};

struct ValueField {
  std::string name;
  Value value;
};

/// Of the values of a component of this type.
ValueKind kind_of(Type type);

Value real_value(double value);
Value integer_value(std::int64_t value);
Value boolean_value(bool value);
Value string_value(std::string value);
Value enumeration_value(const Definition& enumeration, std::int64_t literal);

/// Element of the first `indices.size()` dimensions (1-based); expects that they are in range.
Value element(const Value& array, std::span<const std::int64_t> indices);
/// Builds an array from elements of equal kind and dimensions; `dimensions` come in front. Integers become Reals where
/// mixed.
Value stack(std::vector<Value> elements, std::span<const std::int64_t> dimensions);
/// One subscript with its value: a scalar takes its dimension away, a list keeps it.
struct Selector {
  bool scalar = false;
  std::vector<std::int64_t> indices;  ///< 1-based
};
/// The chosen part of an array; selectors may be fewer than the dimensions. Expects indices in range.
Value select_part(const Value& array, std::span<const Selector> selectors);
/// Overwrites the chosen part. Expects that `part` has its size.
void assign_part(Value& array, std::span<const Selector> selectors, const Value& part);
/// An array of the given dimensions, all elements 0, false, "" or the first literal.
Value filled(ValueKind kind, std::vector<std::int64_t> dimensions, double number = 0.0);
/// Overwrites the numbers of a value with the first of `numbers`, which then begins after them; those of a record are those
/// of its fields, one field after the other.
void take_numbers(Value& value, std::span<const double>& numbers);
/// Appends them in the same order.
void append_numbers(const Value& value, std::vector<double>& numbers);
/// Real values where Integers stand.
Value as_real(Value value);
bool equal(const Value& a, const Value& b);
/// Whether the two have the same dimensions and kinds (numbers are one kind), fields included: then they may stand in one
/// array.
bool stackable(const Value& a, const Value& b);
/// "[2, 3]", "none (a scalar)".
std::string dimensions_text(std::span<const std::int64_t> dimensions);
/// `{1.5, 2}`, `"a"`, `R(x = 1)`.
std::string print(const Value& value);
/// "Real", "Integer", … and "Real[2, 3]".
std::string type_name(const Value& value);

}  // namespace bolza::instance
