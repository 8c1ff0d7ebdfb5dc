// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "workflow/solve/attempts/attempt_table.h"
#include "workflow/solve/attempts/horizons.h"

namespace bolza::workflow {
namespace {

constexpr const char* later_final_time = "a later final time";
constexpr double latest = 1e8;      ///< the largest multiple of the usual one: a year compared with a second
constexpr double too_short = 0.01;  ///< of the guess of a horizon

bool is_short_of_time(const Climb& climb) {
  return climb.status() != abi::SolveStatus::evaluation_error &&
         shrunk_horizon(climb.task().problem, climb.so_far(), too_short);
}

bool needs_later_final_time(const Climb& climb) {
  return is_short_of_time(climb) || climb.status() == abi::SolveStatus::infeasible;
}

void try_later_final_time(Climb& climb) {
  bool short_of_time = is_short_of_time(climb);
  std::vector<double> before;
  for (double factor = much_later; factor <= latest && climb.goes_on(); factor *= much_later * much_later) {
    if (!short_of_time && climb.status() != abi::SolveStatus::infeasible) continue;
    const abi::Solution* later = climb.with_end_at(factor);
    if (!later || later->parameters == before) return;  // the latest that bounds allow was tried
    before = later->parameters;
    climb.attempt(later_final_time, climb.usual(), later);
  }
}

}  // namespace

extern const AttemptRow later_final_time_row;
const AttemptRow later_final_time_row{.name = later_final_time,
                                      .difference =
                                          "10, 1e3, 1e5 and 1e7 times as late, where a free final time has no guess and the "
                                          "attempts so far were infeasible, or left "
                                          "less than a hundredth of the guessed horizon",
                                      .applies = needs_later_final_time,
                                      .make = try_later_final_time};

}  // namespace bolza::workflow
