// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::result {

inline constexpr Code cannot_write{"E951", "cannot write `{0}`: {1}",
                                   "Results are written in the folder of the final file and take its place when they are "
                                   "complete, so a result file is absent, old or complete. Here that failed: the new file "
                                   "could not be created, filled or put in its place; or what the command prints could not "
                                   "be written to the standard output.\n\n"
                                   "Check that the folder exists, that you may write to it, that the disk has room and the "
                                   "system allows files of that size (`ulimit -f`), or choose another place with "
                                   "`--output`."};
inline constexpr Code cannot_read{"E952", "cannot read `{0}`: {1}",
                                  "Result files are Dymola/OpenModelica trajectory files (`.mat`, version 4) or `.csv` "
                                  "files whose first line names the columns "
                                  "and whose column `time` never decreases.\n\n"
                                  "Example of a `.csv`:\n    time,x1,u\n    0,1,0.5\n    0.1,0.98,0.5"};
inline constexpr Code unknown_variable{"E953", "`{0}` has no variable `{1}`",
                                       "A picture was asked of a variable that the result file does not have. `bolza plot "
                                       "FILE` without names lists what is in the file. "
                                       "Derivatives are called `der(x)`, costates `costate(x)`."};
inline constexpr Code unknown_ending{"E954", "`{0}` has an ending that names no file format",
                                     "Results are written as `.mat` or `.csv`, pictures as `.svg`, `.png` or `.html`. The "
                                     "ending of the file name chooses the format."};

inline constexpr std::array all_codes{&cannot_write, &cannot_read, &unknown_variable, &unknown_ending};

}  // namespace bolza::result
