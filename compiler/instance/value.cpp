// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/value.h"

#include <algorithm>

#include "base/expects.h"
#include "base/numbers.h"

namespace bolza::instance {

namespace {

std::int64_t product(std::span<const std::int64_t> dimensions) {
  std::int64_t out = 1;
  for (std::int64_t d : dimensions) out *= d;
  return out;
}

Value scalar(ValueKind kind, double number) {
  Value v{.kind = kind};
  v.numbers.push_back(number);
  return v;
}

}  // namespace

std::int64_t Value::size() const { return product(dimensions); }

double Value::number() const {
  expects(numbers.size() == 1, "only a numeric scalar is read as a number");
  return numbers[0];
}

const std::string& Value::text() const {
  expects(strings.size() == 1, "only a string scalar is read as a text");
  return strings[0];
}

const Value* Value::field(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

ValueKind kind_of(Type type) {
  switch (type) {
    case Type::real:
      return ValueKind::real;
    case Type::integer:
      return ValueKind::integer;
    case Type::boolean:
      return ValueKind::boolean;
    case Type::string:
      return ValueKind::string;
    case Type::enumeration:
      return ValueKind::enumeration;
    case Type::clock:
      return ValueKind::boolean;
    case Type::none:
      return ValueKind::record;
  }
  return ValueKind::real;
}

Value real_value(double value) { return scalar(ValueKind::real, value); }
Value integer_value(std::int64_t value) { return scalar(ValueKind::integer, static_cast<double>(value)); }
Value boolean_value(bool value) { return scalar(ValueKind::boolean, value ? 1.0 : 0.0); }
Value string_value(std::string value) {
  Value v{.kind = ValueKind::string};
  v.strings.push_back(std::move(value));
  return v;
}
Value enumeration_value(const Definition& enumeration, std::int64_t literal) {
  Value v = scalar(ValueKind::enumeration, static_cast<double>(literal));
  v.definition = &enumeration;
  return v;
}

Value filled(ValueKind kind, std::vector<std::int64_t> dimensions, double number) {
  Value v{.kind = kind, .dimensions = std::move(dimensions)};
  auto n = static_cast<std::size_t>(v.size());
  if (kind == ValueKind::string) v.strings.resize(n);
  else v.numbers.assign(n, number);
  return v;
}

namespace {

/// Flat positions of the chosen part, and its dimensions.
struct Chosen {
  std::vector<std::size_t> positions;
  std::vector<std::int64_t> dimensions;
};

Chosen choose(const std::vector<std::int64_t>& dimensions, std::span<const Selector> selectors) {
  expects(selectors.size() <= dimensions.size(), "an array has at most as many subscripts as dimensions");
  Chosen chosen{.positions = {0}};
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    auto n = static_cast<std::size_t>(dimensions[k]);
    std::vector<std::size_t> next;
    bool given = k < selectors.size();
    std::size_t count = given ? selectors[k].indices.size() : n;
    next.reserve(chosen.positions.size() * count);
    for (std::size_t base : chosen.positions) {
      for (std::size_t i = 0; i < count; ++i) {
        auto index = given ? static_cast<std::size_t>(selectors[k].indices[i] - 1) : i;
        expects(index < n, "an index is in range");
        next.push_back(base * n + index);
      }
    }
    if (!given || !selectors[k].scalar) chosen.dimensions.push_back(static_cast<std::int64_t>(count));
    chosen.positions = std::move(next);
  }
  return chosen;
}

}  // namespace

Value select_part(const Value& array, std::span<const Selector> selectors) {
  if (selectors.empty()) return array;
  Value out{.kind = array.kind, .definition = array.definition};
  Chosen chosen = choose(array.dimensions, selectors);
  out.dimensions = std::move(chosen.dimensions);
  if (array.kind == ValueKind::record) {
    for (const auto& [name, value] : array.fields) out.fields.emplace_back(name, select_part(value, selectors));
  } else if (array.kind == ValueKind::string) {
    for (std::size_t p : chosen.positions) out.strings.push_back(array.strings[p]);
  } else {
    out.numbers.reserve(chosen.positions.size());
    for (std::size_t p : chosen.positions) out.numbers.push_back(array.numbers[p]);
  }
  return out;
}

void assign_part(Value& array, std::span<const Selector> selectors, const Value& part) {
  if (array.kind == ValueKind::record) {
    for (auto& [name, value] : array.fields) {
      if (const Value* given = part.field(name)) assign_part(value, selectors, *given);
    }
    return;
  }
  Chosen chosen = choose(array.dimensions, selectors);
  for (std::size_t i = 0; i < chosen.positions.size(); ++i) {
    if (array.kind == ValueKind::string) array.strings[chosen.positions[i]] = part.strings[i];
    else array.numbers[chosen.positions[i]] = part.numbers[i];
  }
}

Value element(const Value& array, std::span<const std::int64_t> indices) {
  std::vector<Selector> selectors;
  for (std::int64_t i : indices) selectors.push_back({true, {i}});
  return select_part(array, selectors);
}

void take_numbers(Value& value, std::span<const double>& numbers) {
  for (ValueField& field : value.fields) take_numbers(field.value, numbers);
  std::copy_n(numbers.begin(), value.numbers.size(), value.numbers.begin());
  numbers = numbers.subspan(value.numbers.size());
}

void append_numbers(const Value& value, std::vector<double>& numbers) {
  for (const ValueField& field : value.fields) append_numbers(field.value, numbers);
  numbers.insert(numbers.end(), value.numbers.begin(), value.numbers.end());
}

Value as_real(Value value) {
  if (value.kind == ValueKind::integer) value.kind = ValueKind::real;
  return value;
}

Value stack(std::vector<Value> elements, std::span<const std::int64_t> dimensions) {
  Value out{.kind = ValueKind::real};
  out.dimensions.assign(dimensions.begin(), dimensions.end());
  if (elements.empty()) return out;
  out.kind = elements[0].kind;
  out.definition = elements[0].definition;
  for (const Value& e : elements) {
    if (e.kind == ValueKind::real && out.kind == ValueKind::integer) out.kind = ValueKind::real;
  }
  const auto& own = elements[0].dimensions;
  out.dimensions.insert(out.dimensions.end(), own.begin(), own.end());
  for (std::size_t f = 0; f < elements[0].fields.size(); ++f) {
    std::vector<Value> column;
    for (Value& e : elements) column.push_back(std::move(e.fields[f].value));
    out.fields.emplace_back(elements[0].fields[f].name, stack(std::move(column), dimensions));
  }
  for (Value& e : elements) {
    out.numbers.insert(out.numbers.end(), e.numbers.begin(), e.numbers.end());
    for (std::string& s : e.strings) out.strings.push_back(std::move(s));
  }
  return out;
}

bool equal(const Value& a, const Value& b) {
  if (a.dimensions != b.dimensions || a.numbers != b.numbers || a.strings != b.strings || a.fields.size() != b.fields.size())
    return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i].name != b.fields[i].name || !equal(a.fields[i].value, b.fields[i].value)) return false;
  }
  return true;
}

bool stackable(const Value& a, const Value& b) {
  auto numeric = [](const Value& v) { return v.kind == ValueKind::real || v.kind == ValueKind::integer; };
  if (a.dimensions != b.dimensions || (a.kind != b.kind && !(numeric(a) && numeric(b))) ||
      a.fields.size() != b.fields.size())
    return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i].name != b.fields[i].name || !stackable(a.fields[i].value, b.fields[i].value)) return false;
  }
  return true;
}

namespace {

std::string print_scalar(const Value& v, std::size_t at) {
  switch (v.kind) {
    case ValueKind::real:
    case ValueKind::integer:
      return exact_text(v.numbers[at]);
    case ValueKind::boolean:
      return v.numbers[at] != 0.0 ? "true" : "false";
    case ValueKind::string:
      return "\"" + v.strings[at] + "\"";
    case ValueKind::enumeration: {
      auto k = static_cast<std::size_t>(v.numbers[at]);
      if (!v.definition || k < 1 || k > v.definition->ast->literals.size()) return exact_text(v.numbers[at]);
      return full_name(*v.definition) + "." + std::string(v.definition->ast->literals[k - 1].name);
    }
    case ValueKind::record:
    case ValueKind::function:
      return "";
  }
  return "";
}

std::string print_array(const Value& v, std::size_t dimension, std::size_t& at) {
  if (dimension == v.dimensions.size()) return print_scalar(v, at++);
  std::string out = "{";
  for (std::int64_t i = 0; i < v.dimensions[dimension]; ++i) out += (i ? ", " : "") + print_array(v, dimension + 1, at);
  return out + "}";
}

}  // namespace

std::string print(const Value& value) {
  if (value.kind == ValueKind::record) {
    std::string out = value.definition ? full_name(*value.definition) + "(" : "(";
    for (const auto& [name, field] : value.fields)
      out += (&name == &value.fields[0].name ? "" : ", ") + name + " = " + print(field);
    return out + ")";
  }
  std::size_t at = 0;
  return print_array(value, 0, at);
}

std::string dimensions_text(std::span<const std::int64_t> dimensions) {
  if (dimensions.empty()) return "none (a scalar)";
  std::string out = "[";
  for (std::int64_t d : dimensions) out += (out.size() > 1 ? ", " : "") + std::to_string(d);
  return out + "]";
}

std::string type_name(const Value& value) {
  std::string out;
  switch (value.kind) {
    case ValueKind::real:
      out = "Real";
      break;
    case ValueKind::integer:
      out = "Integer";
      break;
    case ValueKind::boolean:
      out = "Boolean";
      break;
    case ValueKind::string:
      out = "String";
      break;
    case ValueKind::enumeration:
    case ValueKind::record:
      out = value.definition ? full_name(*value.definition) : "record";
      break;
    case ValueKind::function:
      out = "function " + full_name(*value.function->definition);
      break;
  }
  return value.scalar() ? out : out + dimensions_text(value.dimensions);
}

}  // namespace bolza::instance
