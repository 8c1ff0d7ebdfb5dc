// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "workflow/fit/fit_problem.h"

namespace bolza::workflow {

/// A formula of the user in the text of the class that a fit loads.
struct PlacedFormula {
  std::string text;                   ///< as it stands there
  std::string of;                     ///< whose it is: "`z`", "the noise of `z`"
  std::string variable;               ///< what the class calls its value
  std::uint32_t first = 0, last = 0;  ///< of its declaration, in that text
  std::uint32_t begin = 0;            ///< of the formula itself
  Span span;                          ///< where the user wrote it; of the same length: letter by letter
};

/// The part [begin, end) of a formula where the user wrote it, or all of it when it was translated.
Span place_of(const PlacedFormula& formula, std::uint32_t begin, std::uint32_t end, const Sources& sources);

/// Messages about the class as messages about the formulas: E982 at the option or the cell. Messages after those of
/// `before` are meant; they stay as they are when some of them are about something else.
/// @param path  what the text of the class is called
void tell_of_formulas(const std::vector<PlacedFormula>& formulas, const std::string& path, const std::string& model,
                      const Sources& sources, const Diagnostics& before, Diagnostics& diagnostics);

/// A text about variables of the class as one about formulas.
std::string in_formulas(const FitProblem& problem, std::string text);

}  // namespace bolza::workflow
