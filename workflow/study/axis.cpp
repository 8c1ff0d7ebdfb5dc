// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/axis.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/normal_distribution.h"
#include "base/numbers.h"
#include "base/text_table.h"
#include "workflow/study_codes.h"

namespace bolza::workflow {
namespace {

/// The words that give several values, and how many arguments they take.
struct AxisWord {
  std::string_view name;
  std::size_t least, most;
  const char* form;
};
constexpr std::array axis_words{AxisWord{"range", 2, 3, "range(from, to, count)"},
                                AxisWord{"logrange", 3, 3, "logrange(from, to, count)"},
                                AxisWord{"choices", 1, most_listed, "choices(a, b, …)"},
                                AxisWord{"uniform", 2, 2, "uniform(low, high)"},
                                AxisWord{"loguniform", 2, 2, "loguniform(low, high)"},
                                AxisWord{"triangular", 3, 3, "triangular(low, mode, high)"},
                                AxisWord{"normal", 2, 4, "normal(mean, deviation) or normal(mean, deviation, low, high)"},
                                AxisWord{"lognormal", 2, 4, "lognormal(mean, deviation), both of the logarithm"}};

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::string trimmed(std::string_view text) {
  std::size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

/// A word with its arguments within a setting.
struct Call {
  const AxisWord* word = nullptr;
  std::size_t begin = 0, end = 0;      ///< of `range(…)` in the setting
  std::vector<std::string> arguments;  ///< trimmed
};

/// Reads `(a, b, …)` from its bracket on; commas within brackets or quotes separate nothing. False: it is not closed.
bool read_arguments(std::string_view text, std::size_t open, Call& call) {
  int depth = 0;
  bool quoted = false;
  std::size_t from = open + 1;
  for (std::size_t k = open; k < text.size(); ++k) {
    char c = text[k];
    if (c == '"' && text[k - 1] != '\\') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    bool closes = depth == 0;
    if (!closes && !(c == ',' && depth == 1)) continue;
    call.arguments.push_back(trimmed(text.substr(from, k - from)));
    from = k + 1;
    call.end = k + 1;
    if (closes) return true;
  }
  return false;
}

/// The first of the words that follows a `=` as the whole of a value.
std::optional<Call> find_call(std::string_view setting, std::size_t from) {
  for (std::size_t at = setting.find('=', from); at != std::string_view::npos; at = setting.find('=', at + 1)) {
    std::size_t begin = setting.find_first_not_of(' ', at + 1), end = begin;
    while (end < setting.size() && is_part_of_name(setting[end])) ++end;
    std::size_t open = setting.find_first_not_of(' ', end);
    if (open == std::string_view::npos || setting[open] != '(') continue;
    auto word = std::ranges::find(axis_words, setting.substr(begin, end - begin), &AxisWord::name);
    if (word == axis_words.end()) continue;
    Call call{&*word, begin, open, {}};
    if (!read_arguments(setting, open, call)) call.end = std::string_view::npos;
    return call;
  }
  return {};
}

/// Why the numbers of a distribution do not make one; "" they do.
std::string mistake_in(const Distribution& d) {
  using Kind = Distribution::Kind;
  bool is_normal = d.kind == Kind::normal || d.kind == Kind::lognormal;
  if (is_normal && !(d.second > 0)) return "the standard deviation has to be positive";
  if (!is_normal && !(d.first < (d.kind == Kind::triangular ? d.third : d.second)))
    return "its lower end is not below its upper end";
  if (d.kind == Kind::triangular && !(d.first <= d.second && d.second <= d.third)) return "the mode lies outside";
  if (d.kind == Kind::loguniform && !(d.first > 0)) return "a logarithm needs positive ends";
  if (d.least && !(*d.least < *d.most)) return "its lower end is not below its upper end";
  if (d.least && d.kind == Kind::lognormal && !(*d.most > 0)) return "a logarithm needs positive ends";
  return "";
}

Distribution distribution_of(std::string_view word, const std::vector<double>& n) {
  using Kind = Distribution::Kind;
  Distribution d{.first = n[0], .second = n[1]};
  d.kind = word == "loguniform"   ? Kind::loguniform
           : word == "triangular" ? Kind::triangular
           : word == "normal"     ? Kind::normal
           : word == "lognormal"  ? Kind::lognormal
                                  : Kind::uniform;
  if (word == "triangular") d.third = n[2];
  if (n.size() == 4) {
    d.least = n[2];
    d.most = n[3];
  }
  return d;
}

class AxisReader {
 public:
  AxisReader(std::string_view setting, Diagnostics& diagnostics) : setting_(setting), diagnostics_(diagnostics) {}

  Result<std::optional<StudyAxis>> read() {
    std::optional<Call> call = find_call(setting_, 0);
    if (!call) return std::optional<StudyAxis>();
    if (call->end == std::string_view::npos) return wrong("a bracket is not closed");
    if (find_call(setting_, call->end)) return wrong("a setting has one range: write one `--set` for each");
    if (call->arguments.size() < call->word->least || call->arguments.size() > call->word->most)
      return wrong(std::string("it is written ") + call->word->form);
    axis_.before = setting_.substr(0, call->begin);
    axis_.after = setting_.substr(call->end);
    axis_.text = setting_.substr(call->begin, call->end - call->begin);
    axis_.name = trimmed(axis_.before.substr(0, axis_.before.rfind('='))) + trimmed(axis_.after);
    return call->word->name == "choices" ? read_choices(*call) : read_numbers(*call);
  }

 private:
  Reported wrong(const std::string& why) { return diagnostics_.error(bad_axis, {}, {setting_, why}); }

  Result<std::optional<StudyAxis>> read_choices(const Call& call) {
    for (const std::string& text : call.arguments) {
      if (text.empty()) return wrong("one of the choices is empty");
      std::optional<double> number = number_in(text);
      if (number && !std::isfinite(*number)) return wrong("`" + text + "` is not a finite number");
    }
    axis_.choices = call.arguments;
    return std::optional(std::move(axis_));
  }

  Result<std::optional<StudyAxis>> read_numbers(const Call& call) {
    std::vector<double> n;
    for (const std::string& text : call.arguments) {
      std::optional<double> number = number_in(text);
      if (!number || !std::isfinite(*number)) return wrong("`" + text + "` is not a finite number");
      n.push_back(*number);
    }
    bool is_list = call.word->name == "logrange" || (call.word->name == "range" && n.size() == 3);
    return is_list ? list(n, call.word->name == "logrange") : draw(call.word->name, n);
  }

  Result<std::optional<StudyAxis>> list(const std::vector<double>& n, bool by_ratio) {
    if (!(n[2] >= 1 && n[2] <= static_cast<double>(most_listed)) || n[2] != std::floor(n[2]))
      return wrong("the count is an integer from 1 to " + std::to_string(most_listed));
    if (n[2] == 1 && n[0] != n[1]) return wrong("one value cannot be both " + shown(n[0]) + " and " + shown(n[1]));
    if (by_ratio && !(n[0] * n[1] > 0)) return wrong("equal ratios need two ends of the same sign");
    axis_.range = {n[0], n[1], static_cast<std::size_t>(n[2]), by_ratio};
    return std::optional(std::move(axis_));
  }

  Result<std::optional<StudyAxis>> draw(std::string_view word, const std::vector<double>& n) {
    if (n.size() == 3 && word != "triangular") return wrong("both ends are needed, or none");
    axis_.drawn = distribution_of(word, n);
    if (std::string mistake = mistake_in(*axis_.drawn); !mistake.empty()) return wrong(mistake);
    return std::optional(std::move(axis_));
  }

  std::string_view setting_;
  Diagnostics& diagnostics_;
  StudyAxis axis_;
};

double quantile_of_triangle(const Distribution& d, double share) {
  double width = d.third - d.first, left = d.second - d.first;
  if (share * width <= left) return d.first + std::sqrt(share * width * left);
  return d.third - std::sqrt((1 - share) * width * (d.third - d.second));
}

/// Of a normal distribution between two ends, on its own scale.
double quantile_of_normal(const Distribution& d, double share) {
  bool is_log = d.kind == Distribution::Kind::lognormal;
  if (!d.least) return d.first + d.second * normal_quantile(share);
  auto standard = [&](double end) { return ((is_log ? std::log(std::max(end, 0.0)) : end) - d.first) / d.second; };
  return d.first + d.second * normal_quantile_between(standard(*d.least), standard(*d.most), share);
}

}  // namespace

double Distribution::quantile(double share) const {
  double value = 0;
  switch (kind) {
    case Kind::uniform:
      value = first + share * (second - first);
      break;
    case Kind::loguniform:
      value = first * std::pow(second / first, share);
      break;
    case Kind::triangular:
      value = quantile_of_triangle(*this, share);
      break;
    case Kind::normal:
      value = quantile_of_normal(*this, share);
      break;
    case Kind::lognormal:
      value = std::exp(quantile_of_normal(*this, share));
      break;
  }
  if (kind == Kind::uniform || kind == Kind::loguniform) return std::clamp(value, first, second);
  return least ? std::clamp(value, *least, *most) : value;
}

double NumberRange::at(std::size_t k) const {
  if (k == 0 || k + 1 == count) return k == 0 ? from : to;  // the ends without rounding
  double share = static_cast<double>(k) / static_cast<double>(count - 1);
  return by_ratio ? from * std::pow(to / from, share) : from + (to - from) * share;
}

std::string StudyAxis::value(std::size_t k) const { return choices.empty() ? exact_text(range.at(k)) : choices[k]; }

double StudyAxis::number(std::size_t k) const {
  if (choices.empty()) return range.at(k);
  return number_in(choices[k]).value_or(std::numeric_limits<double>::quiet_NaN());
}

bool StudyAxis::is_numeric() const {
  return std::ranges::all_of(choices, [](const std::string& text) { return number_in(text).has_value(); });
}

Result<std::optional<StudyAxis>> read_axis(std::string_view setting, Diagnostics& diagnostics) {
  return AxisReader(setting, diagnostics).read();
}

}  // namespace bolza::workflow
