// SPDX-License-Identifier: Apache-2.0
// String(value, …): [MLS, 3.7.1.1].
#include <algorithm>
#include <cstdio>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/overloads.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {
namespace {

/// The options of a call of `String`, with their defaults.
struct Format {
  std::int64_t significant_digits = 6, minimum_length = 0;
  bool left_justified = true;
  std::string text;  ///< as of printf without `%`; empty: none was given
};

/// "[flags][width][.precision]conversion" with a conversion that takes a number of the kind; nothing else reaches printf.
bool is_format(const std::string& format, bool real) {
  std::size_t at = format.find_first_not_of("-+ #0");
  auto skip_digits = [&] {
    std::size_t digits = 0;
    while (at < format.size() && format[at] >= '0' && format[at] <= '9') {
      ++at;
      ++digits;
    }
    return digits <= 3;
  };
  if (at == std::string::npos || !skip_digits()) return false;
  if (at < format.size() && format[at] == '.' && (++at, !skip_digits())) return false;
  return at + 1 == format.size() && std::string_view(real ? "fFeEgG" : "dioxXu").find(format[at]) != std::string_view::npos;
}

template <class Number>
std::string printed(const std::string& format, Number number) {
  std::string out(static_cast<std::size_t>(std::snprintf(nullptr, 0, format.c_str(), number)), ' ');
  std::snprintf(out.data(), out.size() + 1, format.c_str(), number);
  return out;
}

std::string justified(std::string text, const Format& format) {
  auto length = static_cast<std::int64_t>(text.size());
  if (length >= format.minimum_length) return text;
  std::string blanks(static_cast<std::size_t>(std::min<std::int64_t>(format.minimum_length, 10000) - length), ' ');
  return format.left_justified ? text + blanks : blanks + text;
}

}  // namespace

Result<Value> Evaluator::string_call(const ast::Expr& expr) {
  const ast::Arguments& given = *expr.arguments;
  auto wrong = [&](const std::string& why) { return d_.error(codes::wrong_arguments, expr.span, {"String", why}); };
  if (given.positional.empty()) return wrong("it needs a value");
  auto v = value(*given.positional[0]);
  if (!v || v->kind == ValueKind::string) return v;
  if (v->kind == ValueKind::record && v->scalar()) {
    OperandType record{.type = Type::none, .definition = v->definition, .rank = 0};
    auto overload = overload_of(tree_, "'String'", std::span(&record, 1), expr.span, d_);
    if (!overload) return d_.already_reported();
    if (*overload) {
      auto results = call_function(*(*overload)->function, &given, expr.span);
      if (!results) return d_.already_reported();
      return std::move(results->front());
    }
  }
  if (!v->scalar() || v->kind == ValueKind::record) return string_value(print(*v));
  bool real = v->kind == ValueKind::real;
  Format format;
  std::vector<std::pair<std::string_view, const ast::Expr*>> options;
  for (std::size_t k = 1; k < given.positional.size(); ++k) {
    static constexpr std::string_view of_reals[] = {"significantDigits", "minimumLength", "leftJustified"};
    std::size_t place = k - 1 + (real ? 0 : 1);
    if (place > 2) return wrong("it has too many arguments");
    options.emplace_back(of_reals[place], given.positional[k]);
  }
  for (const ast::NamedArgument& named : given.named) options.emplace_back(named.name, named.value);
  for (const auto& [name, of] : options) {
    auto option = value(*of);
    if (!option) return option;
    bool number = option->kind == ValueKind::integer && option->scalar();
    if (name == "significantDigits" && real && number) format.significant_digits = option->integer();
    else if (name == "minimumLength" && number) format.minimum_length = option->integer();
    else if (name == "leftJustified" && option->kind == ValueKind::boolean) format.left_justified = option->numbers[0] != 0;
    else if (name == "format" && option->kind == ValueKind::string) format.text = option->text();
    else return wrong("`" + std::string(name) + "` is not an option of it, or has a value of another type");
  }
  if (!format.text.empty()) {
    if (v->kind != ValueKind::real && v->kind != ValueKind::integer) return wrong("only numbers take a format");
    bool as_real = is_format(format.text, true);
    if (!as_real && (real || !is_format(format.text, false)))
      return wrong("`" + format.text + "` is not a format of a number");
    if (as_real) return string_value(printed("%" + format.text, v->number()));
    std::string conversion = "%" + format.text.substr(0, format.text.size() - 1) + "ll" + format.text.back();
    return string_value(printed(conversion, static_cast<long long>(v->integer())));
  }
  std::string text = print(*v);
  if (real)
    text = printed("%." + std::to_string(std::clamp<std::int64_t>(format.significant_digits, 1, 60)) + "g", v->number());
  if (v->kind == ValueKind::enumeration)
    text = std::string(v->definition->ast->literals[static_cast<std::size_t>(v->integer()) - 1].name);
  return string_value(justified(std::move(text), format));
}

}  // namespace bolza::instance
