// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/condition_terms.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

/// Blanks between two words stay, as one: these are not one name.
std::string without_blanks(std::string_view text) {
  auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string out;
  bool blank = false;
  for (char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      blank = true;
      continue;
    }
    if (blank && !out.empty() && (in_word(out.back()) || out.back() == ']') && in_word(c)) out += ' ';
    out += c;
    blank = false;
  }
  return out;
}

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("_.[]").find(c) == std::string_view::npos)
      return false;
  return true;
}

/// "c2^2" with the sign that * or / gives it. False: it cannot be read.
bool add_factor(std::string_view factor, int sign, ConditionTerm& term) {
  if (factor == "1") return true;
  std::size_t hat = factor.find('^');
  std::string_view name = factor.substr(0, hat);
  int exponent = 1;
  if (hat != std::string_view::npos) {
    std::string_view digits = factor.substr(hat + 1);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error != std::errc() || end != digits.data() + digits.size()) return false;
  }
  if (!is_name(name)) return false;
  term.power.emplace_back(name, sign * exponent);
  return true;
}

bool read_term(std::string_view text, ConditionTerm& term) {
  term.name = text;
  int sign = 1;
  for (;;) {
    std::size_t end = text.find_first_of("*/");
    if (!add_factor(text.substr(0, end), sign, term)) return false;
    if (end == std::string_view::npos) return true;
    sign = text[end] == '*' ? 1 : -1;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Result<TermList> read_terms(const std::string& text, Sources& sources, Diagnostics& diagnostics) {
  TermList list;
  std::string line = "--terms " + text;
  SourceId file = sources.add("command line", line);
  list.span = {file, 0, static_cast<std::uint32_t>(line.size())};
  std::size_t equals = text.find('='), begin = equals == std::string::npos ? 0 : equals + 1;
  if (begin > 0) list.parameter = without_blanks(std::string_view(text).substr(0, equals));
  while (begin <= text.size()) {
    std::size_t end = std::min(text.find(',', begin), text.size());
    std::string one = without_blanks(std::string_view(text).substr(begin, end - begin));
    ConditionTerm term;
    if (!read_term(one, term)) {
      auto at = static_cast<std::uint32_t>(begin + 8);
      return diagnostics.error(bad_term, {file, at, static_cast<std::uint32_t>(std::max(end, begin + 1) + 8)}, {one});
    }
    list.terms.push_back(std::move(term));
    begin = end + 1;
  }
  return list;
}

double value_of(const ConditionTerm& term, const std::map<std::string, double>& conditions) {
  double value = 1;
  for (const auto& [name, exponent] : term.power) value *= std::pow(conditions.at(name), exponent);
  return value;
}

}  // namespace bolza::workflow
