// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/other_languages.h"

#include <algorithm>
#include <array>

namespace bolza::syntax {
namespace {

using enum WordPlace;

struct Row {
  WordPlace place;
  std::string_view words;  ///< separated by blanks
  std::string_view note;
};

constexpr std::string_view derivative = "the derivative of `x` is written `der(x)`",
                           objective =
                               "the objective is `objective = x(finalTime)`, or `objectiveIntegrand = u^2` for an "
                               "integral; it is minimised: to maximise, put a minus sign before it";

constexpr std::array rows{
    Row{expression, "t Time TIME", "the time of a model is called `time`"},
    Row{expression, "tf t_f tF Tf tfinal t_final final_time tend t_end stopTime StopTime",
        "the end of the horizon is called `finalTime`"},
    Row{expression, "t0 t_0 tstart t_start start_time StartTime", "the start of the horizon is called `startTime`"},
    Row{expression, "diff Diff d D dt ddt deriv derivative Derivative differentiate Dt Der DER gradient", derivative},
    Row{expression, "integrate int_ Int quad Integral",
        "an integral over the horizon is `integral(e)` in objectives and constraints, or a state: `der(q) = e`"},
    Row{expression, "ln LN Ln loge", "the natural logarithm is called `log`, that to the base of 10 `log10`"},
    Row{expression, "pow power Pow", "a power is written `x^y`"},
    Row{expression, "sqr square", "a square is written `x^2`"},
    Row{expression, "pi Pi PI", "it is `Modelica.Constants.pi`: `constant Real pi = Modelica.Constants.pi;`"},
    Row{expression, "inf Inf INF infinity Infinity", "a bound that is left out is infinite"},
    Row{expression, "e E", "the base of natural logarithms is `exp(1)`"},
    Row{expression, "fabs Abs ABS", "an absolute value is written `abs(x)`"},
    Row{expression, "arctan atn Atan", "it is called `atan`, of two arguments `atan2`"},
    Row{expression, "arcsin asn", "it is called `asin`"},
    Row{expression, "arccos acs", "it is called `acos`"},
    Row{expression, "tg", "it is called `tan`"},
    Row{expression, "round nint rint", "a rounded value is `floor(x + 0.5)`"},
    Row{expression, "int trunc", "the whole number below is `integer(x)`"},
    Row{expression, "True TRUE", "it is written `true`"},
    Row{expression, "False FALSE", "it is written `false`"},
    Row{expression, "heaviside Heaviside step unitstep", "a step is written `if time < 1 then 0 else 1`"},
    Row{type, "double float real REAL number Number scalar float64 Double Float state State variable Variable",
        "numbers are `Real`"},
    Row{type, "int INTEGER integer long Int int32 int64 unsigned", "whole numbers are `Integer`"},
    Row{type, "bool Bool logical boolean BOOLEAN", "truth values are `Boolean`"},
    Row{type, "string str char text Text", "texts are `String`"},
    Row{type, "constraints Constraints Constraint constrain subject", "the section is called `constraint`"},
    Row{type, "equations Equations Equation", "the section is called `equation`"},
    Row{prefix, "control Control controls Input In", "a control is an `input`"},
    Row{prefix, "const Const CONST", "it is called `constant`"},
    Row{prefix, "param Param par params Parameter", "it is called `parameter`"},
    Row{prefix, "var variable state let Var Variable State states variables double static auto",
        "a variable has its type alone before its name: `Real x;`"},
    Row{prefix, "Output out Out", "it is called `output`"},
    Row{section, "constraints Constraints Constraint CONSTRAINT constrain restrictions subject st such limits bounds",
        "the section is called `constraint`"},
    Row{section, "equations Equations Equation EQUATION dynamics ode odes model_equations",
        "the section is called `equation`"},
    Row{section, "algorithms Algorithm Algorithms code", "the section is called `algorithm`"},
    Row{section, "minimise Minimize min minimize", objective},
    Row{section, "maximise Maximize max maximize", objective},
    Row{attribute,
        "maximize maximise minimize minimise max min cost goal Objective objectiveFunction target criterion J "
        "objective_function costFunction minimum maximum",
        objective},
    Row{attribute, "integrand Integrand lagrange Lagrange stageCost running_cost lagrangeTerm",
        "an objective that is an integral is given by `objectiveIntegrand`"},
    Row{attribute, "mayer Mayer terminalCost endCost", "an objective at the end is `objective = x(finalTime)`"},
    Row{attribute, "tf t_f tfinal T tend horizon duration stopTime StopTime endTime FinalTime final_time",
        "the end of the horizon is given by `finalTime`"},
    Row{attribute, "t0 t_0 tstart StartTime begin beginTime start_time", "the start of the horizon is given by `startTime`"},
    Row{character, "&", "both of two conditions is written `a and b`"},
    Row{character, "|", "one of two conditions is written `a or b`"},
    Row{character, "!", "the opposite is written `not a`, unequal `a <> b`"},
    Row{character, "# %", "a comment begins with `//`"},
    Row{character, "?", "a choice is written `if c then a else b`"},
    Row{character, "\u2264 \u2a7d", "it is written `<=`"},
    Row{character, "\u2265 \u2a7e", "it is written `>=`"},
    Row{character, "\u2260", "it is written `<>`"},
    Row{character, "\u2212 \u2013 \u2014", "the minus sign is `-`"},
    Row{character, "\u00b7 \u00d7 \u2022 \u22c5", "a product is written `a*b`"},
    Row{character, "\u00f7", "a quotient is written `a/b`"},
    Row{character, "\u221a", "a root is written `sqrt(x)`"},
    Row{character, "\u222b", "an integral over the horizon is `integral(e)`, or `objectiveIntegrand = e`"},
    Row{character, "\u00b2 \u00b3", "a power is written `x^2`"},
    Row{character, "\u03c0", "it is `Modelica.Constants.pi`"},
    Row{character, "\u201c \u201d \u201e", "texts stand between `\"`"},
};

/// Whether `words` has this one.
bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t begin = 0; begin <= words.size();) {
    std::size_t end = std::min(words.find(' ', begin), words.size());
    if (words.substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

/// "x" of "dx", "d_x", "xdot", "x_dot", "dx_dt", "dxdt", where it exists.
std::string differentiated(std::string_view name, const std::vector<std::string>& existing) {
  auto exists = [&](std::string_view x) { return std::ranges::find(existing, x) != existing.end(); };
  std::string_view inner = name;
  for (std::string_view end : {"_dot", "dot", "_dt", "dt", "Dot"})
    if (inner.size() > end.size() && inner.ends_with(end)) {
      inner.remove_suffix(end.size());
      break;
    }
  for (std::string_view begin : {"", "d_", "d", "D"})
    if (std::string_view x = inner; x.size() > begin.size() && x.starts_with(begin)) {
      x.remove_prefix(begin.size());
      if (x != name && exists(x)) return std::string(x);
    }
  return {};
}

}  // namespace

std::vector<Note> note_on_word(std::string_view word, WordPlace place) {
  for (const Row& row : rows)
    if (row.place == place && has_word(row.words, word)) return {{{}, std::string(row.note)}};
  return {};
}

std::vector<Note> note_on_name(std::string_view name, const std::vector<std::string>& existing, WordPlace place) {
  if (std::vector<Note> known = note_on_word(name, place); !known.empty()) return known;
  if (place == expression)
    if (std::string x = differentiated(name, existing); !x.empty())
      return {{{}, "the derivative of `" + x + "` is written `der(" + x + ")`"}};
  return did_you_mean(name, existing);
}

}  // namespace bolza::syntax
