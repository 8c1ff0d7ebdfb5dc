// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::driver {

inline constexpr Code unknown_option{
    "E901", "there is no option `{0}`",
    "An option on the command line, in a chain or in `annotation(...)` has a name that is in no table.\n"
    "Names are the same in all three places: `--mesh 100`, `radau(mesh=100)`, `annotation(mesh = 100)`.\n"
    "`bolza methods` lists them. Options of IPOPT are written `--ipopt NAME=VALUE`."};
inline constexpr Code bad_option_value{"E902", "option `{0}` cannot be `{1}`: it needs {2}",
                                       "The value of an option does not have the form that the option needs. `bolza "
                                       "methods` lists the forms and the defaults."};
inline constexpr Code unknown_method{
    "E903", "there is no method `{0}`",
    "A method is a transcription (`radau`, `trapezoidal`, …) or a classical name for a combination (`ipopt+cvodes`).\n"
    "`bolza methods` lists them."};
inline constexpr Code not_for_models{
    "E967", "the model may not set the option `{0}`",
    "A model says how it is solved, and not which files are written or which libraries are opened. Of the options of IPOPT "
    "and BONMIN an annotation may set those that steer the iterations (`tol`, `mu_strategy`, `max_iter`, …). All others "
    "are given on the command line: `--ipopt output_file=log.txt`."};
inline constexpr Code not_when_untrusted{
    "E950", "with `--trust none` the option `{0}` may not be set",
    "With `--trust none` a run touches no files but those of the model and its results, whoever wrote its options: of those "
    "of IPOPT and BONMIN there may be the ones that steer the iterations (`tol`, `mu_strategy`, `max_iter`, …), and none "
    "that name files or libraries. `--trust libraries`, the default, takes all."};

inline constexpr std::array option_codes{&not_for_models, &not_when_untrusted, &unknown_option, &bad_option_value,
                                         &unknown_method};

}  // namespace bolza::driver
