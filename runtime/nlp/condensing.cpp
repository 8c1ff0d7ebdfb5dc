// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/condensing.h"

#include <algorithm>

namespace bolza::nlp {

namespace {

constexpr double most_numbers = 2.5e7;  // of Z: 200 MB

std::size_t count_following(const Nlp& nlp) {
  return static_cast<std::size_t>(
      std::count_if(nlp.follows.begin(), nlp.follows.end(), [](auto row) { return row != global; }));
}

}  // namespace

std::string objection_to_condensing(const Nlp& nlp) {
  std::size_t states = count_following(nlp), rest = nlp.n() - states;
  if (states == 0) return "condensing eliminates the states of multiple shooting; here no variable follows from others";
  if (static_cast<double>(states) * static_cast<double>(rest) > most_numbers)
    return "condensing would eliminate " + std::to_string(states) + " states in favour of a dense program in " +
           std::to_string(rest) +
           " variables, more than 25 million numbers; fewer intervals make it smaller, and without "
           "it the programs of `hqp` are sparse";
  return {};
}

}  // namespace bolza::nlp
