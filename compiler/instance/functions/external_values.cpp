// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/functions/external_values_internal.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>

#include "compiler/foreign/library_functions.h"
#include "compiler/instance/functions/external_function.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/library/refusal_internal.h"

namespace bolza::instance {

namespace {

using Call = LibraryCall;
using Results = LibraryResults;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// 0-based place of the first character from `start` (1-based) that is not white space.
std::size_t token_at(const std::string& text, std::int64_t start) {
  auto at = static_cast<std::size_t>(std::max<std::int64_t>(start, 1) - 1);
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::size_t digits(const std::string& text, std::size_t at) {
  std::size_t n = 0;
  while (at + n < text.size() && is_digit(text[at + n])) ++n;
  return n;
}

std::size_t sign_at(const std::string& text, std::size_t at) {
  return at < text.size() && (text[at] == '+' || text[at] == '-') ? 1 : 0;
}

/// Length of `1`, `1.5`, `.5`, `1e-3` without sign; 0 when there is none.
std::size_t real_length(const std::string& text, std::size_t at) {
  std::size_t whole = digits(text, at), n = whole, fraction = 0;
  if (at + n < text.size() && text[at + n] == '.') {
    fraction = digits(text, at + n + 1);
    if (whole + fraction > 0) n += 1 + fraction;
  }
  if (whole + fraction == 0) return 0;
  if (at + n < text.size() && (text[at + n] == 'e' || text[at + n] == 'E')) {
    std::size_t sign = sign_at(text, at + n + 1), exponent = digits(text, at + n + 1 + sign);
    if (exponent > 0) n += 1 + sign + exponent;
  }
  return n;
}

double number_of(std::string text) {
  if (text.starts_with('+')) text.erase(0, 1);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Results length(const Call& c) { return std::vector{integer_value(static_cast<std::int64_t>(c.text(0).size()))}; }

Results substring(const Call& c) {
  auto size = static_cast<std::int64_t>(c.text(0).size());
  std::int64_t first = c.integer(1), last = c.integer(2);
  if (first < 1 || last > size) return std::nullopt;
  if (last < first) last = first;
  return std::vector{
      string_value(c.text(0).substr(static_cast<std::size_t>(first - 1), static_cast<std::size_t>(last - first + 1)))};
}

/// Literal of Modelica.Utilities.Types.Compare: less, equal, greater.
Results compare(const Call& c) {
  int order = ModelicaStrings_compare(c.text(0).c_str(), c.text(1).c_str(), c.inputs[2].number() != 0 ? 1 : 0);
  return std::vector{integer_value(order)};
}

Results skip_white_space(const Call& c) {
  return std::vector{integer_value(static_cast<std::int64_t>(token_at(c.text(0), c.integer(1))) + 1)};
}

/// (nextIndex, value) of the scan functions: nextIndex stays at the start when nothing fits.
std::vector<Value> scanned(std::size_t next, Value value) {
  return {integer_value(static_cast<std::int64_t>(next) + 1), std::move(value)};
}
std::vector<Value> nothing_scanned(const Call& c, Value value) { return {integer_value(c.integer(1)), std::move(value)}; }

Results scan_real(const Call& c) {
  const std::string& text = c.text(0);
  std::size_t at = token_at(text, c.integer(1)), sign = sign_at(text, at), n = real_length(text, at + sign);
  if (n == 0 || (sign > 0 && c.inputs[2].number() != 0)) return nothing_scanned(c, real_value(0));
  return scanned(at + sign + n, real_value(number_of(text.substr(at, sign + n))));
}

Results scan_integer(const Call& c) {
  const std::string& text = c.text(0);
  std::size_t at = token_at(text, c.integer(1)), sign = sign_at(text, at), n = digits(text, at + sign), end = at + sign + n;
  bool is_real = end < text.size() && (text[end] == '.' || text[end] == 'e' || text[end] == 'E');
  if (n == 0 || is_real || (sign > 0 && c.inputs[2].number() != 0)) return nothing_scanned(c, integer_value(0));
  return scanned(end, integer_value(static_cast<std::int64_t>(number_of(text.substr(at, sign + n)))));
}

Results scan_string(const Call& c) {
  const std::string& text = c.text(0);
  std::size_t at = token_at(text, c.integer(1)), end = at + 1;
  if (at >= text.size() || text[at] != '"') return nothing_scanned(c, string_value(""));
  while (end < text.size() && (text[end] != '"' || text[end - 1] == '\\')) ++end;
  if (end >= text.size()) return nothing_scanned(c, string_value(""));
  return scanned(end + 1, string_value(text.substr(at + 1, end - at - 1)));
}

Results scan_identifier(const Call& c) {
  const std::string& text = c.text(0);
  std::size_t at = token_at(text, c.integer(1)), end = at;
  if (at >= text.size() || !is_letter(text[at])) return nothing_scanned(c, string_value(""));
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '_')) ++end;
  return scanned(end, string_value(text.substr(at, end - at)));
}

Results environment_variable(const Call& c) {
  const char* content = std::getenv(c.text(0).c_str());
  return std::vector{string_value(content ? content : ""), boolean_value(content != nullptr)};
}

/// Local time: milliseconds, seconds, minutes, hours, day, month, year.
Results clock_time(const Call&) {
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  std::tm local{};
  ::localtime_r(&now.tv_sec, &local);
  std::vector<Value> out;
  for (long part :
       {now.tv_nsec / 1'000'000, static_cast<long>(local.tm_sec), static_cast<long>(local.tm_min),
        static_cast<long>(local.tm_hour), static_cast<long>(local.tm_mday), local.tm_mon + 1L, local.tm_year + 1900L})
    out.push_back(integer_value(part));
  return out;
}

Results process_id(const Call&) { return std::vector{integer_value(::getpid())}; }

constexpr LibraryFunction string_and_system_functions[] = {
    {"ModelicaStrings_length", "s", length},
    {"ModelicaStrings_substring", "snn", substring},
    {"ModelicaStrings_compare", "ssn", compare},
    {"ModelicaStrings_skipWhiteSpace", "sn", skip_white_space},
    {"ModelicaStrings_scanReal", "snn", scan_real},
    {"ModelicaStrings_scanInteger", "snn", scan_integer},
    {"ModelicaStrings_scanString", "sn", scan_string},
    {"ModelicaStrings_scanIdentifier", "sn", scan_identifier},
    {"ModelicaInternal_getenv", "sn", environment_variable, Reaches::environment},
    {"ModelicaInternal_getTime", "", clock_time},
    {"ModelicaInternal_getpid", "", process_id},
};

bool takes(const LibraryFunction& row, std::span<const Value> inputs) {
  return std::equal(inputs.begin(), inputs.end(), row.inputs.begin(), row.inputs.end(), [](const Value& given, char kind) {
    bool text = given.kind == ValueKind::string;
    return given.scalar() && (kind == 's' ? text : !text && given.numbers.size() == 1);
  });
}

Result<Done> may_look(const LibraryFunction& row, std::span<const Value> inputs, Span at, Library& library, Diagnostics& d) {
  const TrustRules& trust = library.trust();
  if (row.reaches == Reaches::nothing || trust.runs_all()) return Done{};
  std::string name(row.name);
  if (row.reaches == Reaches::environment)
    return refuse_untrusted(trust, name, "it reads the environment for a model", at, d);
  std::string file = file_of(inputs[0].text(), library);
  if (trust.may_read(file, TrustRules::Contents::any)) return Done{};
  return refuse_untrusted(trust, name, "it looks at the file `" + file + "` for a model", at, d);
}

}  // namespace

std::optional<Result<std::vector<Value>>> apply_library_function(std::string_view name, std::span<const Value> inputs,
                                                                 Span at, Library& library, Diagnostics& d) {
  for (std::span<const LibraryFunction> table :
       {std::span<const LibraryFunction>(string_and_system_functions), file_functions()})
    for (const LibraryFunction& row : table) {
      if (row.name != name || row.inputs.size() != inputs.size()) continue;
      auto printed = [&] {
        std::string out;
        for (const Value& input : inputs) out += (out.empty() ? "" : ", ") + print(input);
        return out;
      };
      if (!takes(row, inputs))
        return d.error(codes::undefined_result, at, {name, "it does not take arguments like (" + printed() + ")"});
      if (auto allowed = may_look(row, inputs, at, library, d); !allowed) return d.already_reported();
      LibraryResults results = row.compute({inputs, library});
      if (results) return std::move(*results);
      return d.error(codes::undefined_result, at, {name, "its arguments are (" + printed() + ")"});
    }
  return std::nullopt;
}

}  // namespace bolza::instance
