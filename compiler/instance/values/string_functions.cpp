// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"

/// The primitives that `Modelica.Utilities.Strings` is made of. Positions count characters of UTF-8 text from 1.
namespace bolza::instance {
namespace {

using Arguments = std::span<const Value>;

bool is_first_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::int64_t length_of(std::string_view text) { return std::count_if(text.begin(), text.end(), is_first_byte); }

/// Byte at which a character begins; the text's size for one past the last.
std::size_t offset_of(std::string_view text, std::int64_t character) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (is_first_byte(text[at]) && --character == 0) return at;
  return at;
}

Result<Value> string_length(Arguments a, Span, Diagnostics&) { return integer_value(length_of(a[0].text())); }

Result<Value> string_substring(Arguments a, Span at, Diagnostics& d) {
  const std::string& text = a[0].text();
  std::int64_t first = a[1].integer(), last = a[2].integer();
  if (first < 1 || last > length_of(text) || last < first - 1) {
    return d.error(codes::not_computable, at,
                   {"substring", "characters " + std::to_string(first) + " to " + std::to_string(last) +
                                     " are not all in \"" + text + "\""});
  }
  std::size_t begin = offset_of(text, first);
  return string_value(text.substr(begin, offset_of(text, last + 1) - begin));
}

struct StringFunction {
  std::string_view name, kinds;  ///< of the arguments: s string, n number
  Result<Value> (*apply)(Arguments, Span, Diagnostics&);
};
constexpr std::array string_functions{StringFunction{"stringLength", "s", string_length},
                                      StringFunction{"stringSubstring", "snn", string_substring}};

bool fits(const StringFunction& f, Arguments a) {
  if (a.size() != f.kinds.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].scalar() || (a[i].kind == ValueKind::string) != (f.kinds[i] == 's')) return false;
  return true;
}

}  // namespace

std::optional<Result<Value>> apply_string_function(std::string_view name, Arguments arguments, Span at, Diagnostics& d) {
  for (const StringFunction& f : string_functions)
    if (f.name == name && fits(f, arguments)) return f.apply(arguments, at, d);
  return std::nullopt;
}

}  // namespace bolza::instance
