// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::driver {

inline constexpr Code no_class{
    "E911", "`{0}` contains no model that could be used",
    "The file has only packages, functions, connectors, types or partial models. Name a class after the file:\n"
    "    bolza solve FILE Package.Model"};
inline constexpr Code several_classes{
    "E912", "`{0}` contains several models: {1}",
    "When there is more than one optimisation class (or, without any, more than one model that is not a local class of "
    "another), say which one is meant:\n"
    "    bolza solve FILE Package.Model"};
inline constexpr Code unknown_pass{"E913", "there is no pass `{0}`",
                                   "`bolza flatten FILE --after=PASS` prints the equations after one pass. The passes are "
                                   "listed by `bolza flatten --help`."};

inline constexpr Code sample_interval{
    "E975", "the interval of `sample` is {0}, and has to be a positive number",
    "`sample(start, interval)` is true at start, start + interval, start + 2 interval, … An interval of zero would stop "
    "the time. For one event at a time write `when time >= start then`."};

inline constexpr std::array compile_codes{&no_class, &several_classes, &unknown_pass, &sample_interval};

}  // namespace bolza::driver
