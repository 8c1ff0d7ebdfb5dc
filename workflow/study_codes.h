// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::workflow {

inline constexpr Code bad_axis{
    "E984", "`{0}` gives no values to a study: {1}",
    "What a parameter ranges over in `bolza sweep` is one of\n\n"
    "  --set k=range(0.1, 2, 20)       20 values from 0.1 to 2; logrange in equal ratios\n"
    "  --set n=choices(1, 5, 9)        these values, whatever the model takes\n"
    "  --set k=uniform(0, 1)           drawn: uniform, loguniform, triangular(low, mode, high),\n"
    "                                  normal(mean, deviation), lognormal(mean, deviation of the logarithm),\n"
    "                                  each with `, low, high` after it where draws are to stay between\n\n"
    "Drawn values need `--draws N`. Other settings are the same at every point."};
inline constexpr Code bad_plan{
    "E985", "the study cannot be planned: {0}",
    "A study has as many points as its values can be combined, times `--draws` where some are drawn, times `--guesses`. "
    "A continuation follows the numbers of one `--set`."};
inline constexpr Code study_refused{
    "E986", "`{0}` cannot be used: {1}",
    "The folder of a study belongs to one model, one set of options and one plan, of which `study.json` has the digests: "
    "results of another model or of other options would look alike in its tables. Name another folder with `-o`, or "
    "change back what was changed."};
inline constexpr Code study_not_written{
    "E987", "the study `{0}` cannot be written: {1}",
    "Results are appended to files in the folder `results` of the study. What was written before stays and counts; once "
    "there is room, `bolza study run FOLDER` goes on."};
inline constexpr Code not_in_studies{
    "E988", "a study cannot have `{0}`: {1}",
    "Every point of a study is one solve, simulation or fit of its own, whose numbers are a row of the study's table. "
    "Files of each point are written by `--keep-trajectories` alone."};
inline constexpr Code no_scheduler{"E989", "`{0}` could not be asked: {1}",
                                   "A study on a cluster calls sbatch, and its status squeue, of Slurm. `--print` prints "
                                   "the script and leaves it to you to "
                                   "submit it. What is in the folder of the study is known without them."};

inline constexpr std::array all_codes_of_studies{&bad_axis,          &bad_plan,       &study_refused,
                                                 &study_not_written, &not_in_studies, &no_scheduler};

}  // namespace bolza::workflow
