// SPDX-License-Identifier: Apache-2.0
// What the command line says of parameters and observables.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "workflow/codes.h"
#include "workflow/fit/read_data.h"

namespace bolza::workflow {
namespace {

bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// A piece of a text that was added to the sources, without surrounding blanks.
struct StatementPiece {
  std::string text;
  Span span;
};

StatementPiece piece_of(const std::string& text, SourceId file, std::size_t begin, std::size_t end) {
  while (begin < end && is_gap(text[begin])) ++begin;
  while (end > begin && is_gap(text[end - 1])) --end;
  return {text.substr(begin, end - begin), {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}};
}

/// Pieces between commas outside brackets.
std::vector<StatementPiece> pieces_of(const std::string& text, SourceId file, std::size_t begin, std::size_t end) {
  std::vector<StatementPiece> out;
  int depth = 0;
  std::size_t from = begin;
  for (std::size_t k = begin; k <= end; ++k) {
    if (k < end && (text[k] == '[' || text[k] == '(')) ++depth;
    if (k < end && (text[k] == ']' || text[k] == ')')) --depth;
    if (k < end && (text[k] != ',' || depth > 0)) continue;
    StatementPiece piece = piece_of(text, file, from, k);
    if (!piece.text.empty()) out.push_back(std::move(piece));
    from = k + 1;
  }
  return out;
}

/// The bracket that closes a specification: of an index, as in x[1], when it is followed by more or holds a whole number
/// alone.
std::size_t bounds_begin(const std::string& text) {
  if (text.empty() || text.back() != ']') return std::string::npos;
  std::size_t open = text.rfind('[');
  if (open == std::string::npos) return open;
  std::string inside = text.substr(open + 1, text.size() - open - 2);
  bool is_index =
      !inside.empty() && std::all_of(inside.begin(), inside.end(), [](unsigned char c) { return std::isdigit(c); });
  return is_index ? std::string::npos : open;
}

Result<FitParameter> parameter_of(const StatementPiece& piece, Diagnostics& diagnostics) {
  FitParameter p;
  p.span = piece.span;
  std::string text = piece.text;
  auto wrong = [&](const std::string& why) { return diagnostics.error(bad_free, piece.span, {piece.text, why}); };
  if (std::size_t open = bounds_begin(text); open != std::string::npos) {
    std::vector<double> numbers;
    for (const StatementPiece& part : pieces_of(text, piece.span.file, open + 1, text.size() - 1)) {
      if (part.text == "log") p.scale = estimate::Scale::log;
      else if (part.text == "log10") p.scale = estimate::Scale::log10;
      else if (part.text == "lin") p.scale = estimate::Scale::lin;
      else if (auto number = number_in(part.text)) numbers.push_back(*number);
      else return wrong("`" + part.text + "` is neither a number nor `log`, `log10`, `lin`");
    }
    if (numbers.size() == 1 || numbers.size() > 2) return wrong("bounds are two numbers, such as [0, 10]");
    if (numbers.size() == 2) {
      p.lower = numbers[0];
      p.upper = numbers[1];
    }
    text.resize(open);
  }
  std::size_t equals = text.find('=');
  StatementPiece name = piece_of(text, piece.span.file, 0, std::min(equals, text.size()));
  p.name = name.text;
  if (p.name.empty()) return wrong("there is no name");
  if (number_in(p.name)) return wrong("a number stands where a name is wanted; decimals are written with a point");
  if (p.name.find_first_of(" :;(") != std::string::npos && p.name[0] != '\'')
    return wrong("it is of the form `k1=1[0,10]`, with commas between parameters");
  if (equals == std::string::npos) return p;
  StatementPiece value = piece_of(text, piece.span.file, equals + 1, text.size());
  p.value = number_in(value.text);
  if (value.text.empty()) return wrong("there is no start value after `=`; `" + p.name + "[0,10]` leaves it to the model");
  if (!p.value)
    return wrong("`" + value.text + "` is not a number" +
                 (value.text.find('(') != std::string::npos ? "; bounds stand in brackets, [0,10]" : ""));
  return p;
}

struct Equation {
  std::vector<std::string> words;  // before the name
  std::string name, right;
  Span span, right_span;
};

/// "log10 z = A + B".
Result<Equation> equation_of(const std::string& option, const std::string& text, Sources& sources,
                             Diagnostics& diagnostics) {
  SourceId file = sources.add(option, text);
  std::size_t equals = text.find('=');
  Equation e;
  e.span = {file, 0, static_cast<std::uint32_t>(text.size())};
  if (equals == std::string::npos)
    return diagnostics.error(bad_free, e.span, {text, "it is of the form `" + option + " \"name = expression\"`"});
  std::string left = text.substr(0, equals);
  std::string word;
  for (char c : left + " ") {
    if (!is_gap(c)) word += c;
    else if (!word.empty()) e.words.push_back(std::exchange(word, {}));
  }
  StatementPiece right = piece_of(text, file, equals + 1, text.size());
  e.right = std::move(right.text);
  e.right_span = right.span;
  if (e.words.empty() || e.right.empty())
    return diagnostics.error(bad_free, e.span, {text, "a name and an expression are wanted"});
  e.name = e.words.back();
  e.words.pop_back();
  return e;
}

/// "normal(2, 0.5)": the kind and its two numbers.
std::optional<estimate::Prior> prior_in(const std::string& text) {
  using Kind = estimate::Prior::Kind;
  static const std::map<std::string, Kind, std::less<>> kinds{{"normal", Kind::normal},
                                                              {"laplace", Kind::laplace},
                                                              {"lognormal", Kind::log_normal},
                                                              {"loglaplace", Kind::log_laplace}};
  std::size_t open = text.find('('), comma = text.find(',');
  if (open == std::string::npos || comma == std::string::npos || comma < open || text.back() != ')') return {};
  SourceId none{};
  auto kind = kinds.find(piece_of(text, none, 0, open).text);
  auto first = number_in(piece_of(text, none, open + 1, comma).text),
       second = number_in(piece_of(text, none, comma + 1, text.size() - 1).text);
  if (kind == kinds.end() || !first || !second || !std::isfinite(*first) || !std::isfinite(*second)) return {};
  if (!(*second > 0)) return {};
  return estimate::Prior{kind->second, *first, *second, false};
}

}  // namespace

Result<Done> read_priors(std::span<const std::string> priors, FitProblem& problem, Sources& sources,
                         Diagnostics& diagnostics) {
  for (const std::string& text : priors) {
    Result<Equation> e = equation_of("--prior", text, sources, diagnostics);
    if (!e) return diagnostics.already_reported();
    std::optional<estimate::Prior> prior = prior_in(e->right);
    if (!prior || !e->words.empty())
      return diagnostics.error(bad_free, e->span,
                               {text,
                                "it is of the form `k = normal(MEAN, DEVIATION)`; others are `lognormal` (of the natural "
                                "logarithm), `laplace` and `loglaplace` (LOCATION, SCALE)"});
    auto own = std::find_if(problem.parameters.begin(), problem.parameters.end(),
                            [&](const FitParameter& p) { return p.name == e->name; });
    if (own == problem.parameters.end()) {
      std::vector<std::string> known;
      for (const FitParameter& p : problem.parameters) known.push_back(p.name);
      return diagnostics.error(no_such_fit_name, e->span, {e->name, "not a parameter that is estimated"},
                               did_you_mean(e->name, known));
    }
    own->prior = *prior;
  }
  return Done{};
}

Result<Done> read_free(const std::string& text, FitProblem& problem, Sources& sources, Diagnostics& diagnostics) {
  SourceId file = sources.add("--free", text);
  std::set<std::string> here;
  for (const StatementPiece& piece : pieces_of(text, file, 0, text.size())) {
    Result<FitParameter> p = parameter_of(piece, diagnostics);
    if (!p) return diagnostics.already_reported();
    if (!here.insert(p->name).second)
      return diagnostics.error(bad_free, piece.span, {piece.text, "`" + p->name + "` is there twice"});
    auto same = std::find_if(problem.parameters.begin(), problem.parameters.end(),
                             [&](const FitParameter& other) { return other.name == p->name; });
    if (same == problem.parameters.end()) problem.parameters.push_back(*std::move(p));
    else *same = *std::move(p);
  }
  return Done{};
}

Result<Done> read_observables(std::span<const std::string> observe, std::span<const std::string> noise, FitProblem& problem,
                              Sources& sources, Diagnostics& diagnostics) {
  auto place = [&](const Equation& e) -> FitObservable& {
    if (auto known = problem.observable(e.name)) return problem.observables[*known];
    FitObservable& made = problem.observables.emplace_back();
    made.name = e.name;
    made.span = e.span;
    return made;
  };
  for (const std::string& text : observe) {
    Result<Equation> e = equation_of("--observe", text, sources, diagnostics);
    if (!e) return diagnostics.already_reported();
    FitObservable& o = place(*e);
    o.formula = e->right;
    o.formula_span = e->right_span;
    for (const std::string& word : e->words) {
      if (word == "log") o.scale = estimate::Scale::log;
      else if (word == "log10") o.scale = estimate::Scale::log10;
      else if (word != "lin") return diagnostics.error(unknown_word, e->span, {word, "lin, log, log10"});
    }
  }
  for (const std::string& text : noise) {
    Result<Equation> e = equation_of("--noise", text, sources, diagnostics);
    if (!e) return diagnostics.already_reported();
    FitObservable& o = place(*e);
    o.noise = e->right;
    o.noise_span = e->right_span;
    problem.noise_is_known = true;
    for (const std::string& word : e->words) {
      if (word == "laplace") o.distribution = estimate::Noise::laplace;
      else if (word == "huber") o.huber = 1.345;
      else if (word != "normal") return diagnostics.error(unknown_word, e->span, {word, "normal, laplace, huber"});
    }
  }
  return Done{};
}

bool among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::size_t> FitProblem::observable(const std::string& name) const {
  for (std::size_t k = 0; k < observables.size(); ++k)
    if (observables[k].name == name) return k;
  return {};
}

const FitCondition* FitProblem::condition(const std::string& name) const {
  for (const FitCondition& c : conditions)
    if (c.name == name) return &c;
  return nullptr;
}

const FitFormula* FitProblem::formula(const std::string& variable) const {
  for (const FitFormula& f : formulas)
    if (f.variable == variable) return &f;
  return nullptr;
}

}  // namespace bolza::workflow
