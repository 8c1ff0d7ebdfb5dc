// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"

namespace bolza {

inline constexpr Code table_unreadable{
    "E930", "`{0}` cannot be read as a table: {1}",
    "Measurements, conditions, parameters, scenarios and inputs are tables of text in UTF-8: a header line, then rows of as "
    "many cells,\nseparated by tabs, semicolons, commas or blanks. The header says which."};
inline constexpr Code table_malformed{
    "E931", "the table is not as it should be: {0}",
    "Every row has as many cells as the header, every column a name of its own, and nothing is said twice.\n"
    "Tabs separate where the header has one outside of quotes, else semicolons, else commas, else blanks. Lines that begin "
    "with `#`\nare left out, empty cells are not measurements."};
inline constexpr Code number_expected{
    "E932", "`{0}` stands where a number is wanted",
    "Numbers are written as 12, 0.5 or 1e-3, with a point. A cell without a measurement is empty, `NA` or "
    "`NaN`; a time\ncannot be missing. `inf` as a time is the steady state."};
inline constexpr Code column_missing{
    "E933", "`{0}` has no column `{1}`",
    "A table of measurements has a column `time` (or `t`) and either one for every observable, or "
    "`observable` and `value`;\na table of inputs and a result have `time`, a table of conditions has `condition`, one of "
    "parameters `parameter`."};

}  // namespace bolza
