// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "cli/arguments.h"

namespace bolza::cli {

/// Exit codes of every command: 0 solved (or fine), 1 not solved (with a report), 2 the input is wrong, 3 our bug,
/// 4 solved, but what was found is not to be trusted as it is: a coarse mesh, a re-simulation that stopped. Ctrl-C: 130,
/// SIGTERM: 143, of studies
/// 75, after which schedulers start a task again.
enum ExitCode : int { fine = 0, not_solved = 1, bad_input = 2, our_bug = 3, warned = 4 };

int run_overview(const Arguments&);  ///< `bolza FILE`: what is in it and what to type next
int run_new(const Arguments&);
int run_completion(const Arguments&);
int run_check(const Arguments&);
int run_flatten(const Arguments&);
int run_compile(const Arguments&);
int run_solve(const Arguments&);
int run_simulate(const Arguments&);
int run_gradient(const Arguments&);
int run_fit(const Arguments&);
int run_identify(const Arguments&);
int run_import(const Arguments&);
int run_export_sbml(const Arguments&);
int run_petab(const Arguments&);  ///< `petab check`
int run_verify(const Arguments&);
int run_sweep(const Arguments&);
int run_study(const Arguments&);
int run_plot(const Arguments&);
int run_methods(const Arguments&);
int run_explain(const Arguments&);
int run_cache(const Arguments&);
int run_version(const Arguments&);
int run_serve(const Arguments&);
int run_worker(const Arguments&);
int run_jobs(const Arguments&);

struct Command {
  std::string_view name;
  int (*run)(const Arguments&);
};

inline constexpr std::array command_table{
    Command{"", run_overview},
    Command{"check", run_check},
    Command{"flatten", run_flatten},
    Command{"compile", run_compile},
    Command{"solve", run_solve},
    Command{"simulate", run_simulate},
    Command{"gradient", run_gradient},
    Command{"fit", run_fit},
    Command{"identify", run_identify},
    Command{"sweep", run_sweep},
    Command{"study", run_study},
    Command{"verify", run_verify},
    Command{"petab", run_petab},
    Command{"import", run_import},
    Command{"export-sbml", run_export_sbml},
    Command{"plot", run_plot},
    Command{"methods", run_methods},
    Command{"new", run_new},
    Command{"completion", run_completion},
    Command{"explain", run_explain},
    Command{"cache", run_cache},
    Command{"version", run_version},
    Command{"serve", run_serve},
    Command{"worker", run_worker},
    Command{"jobs", run_jobs},
};

}  // namespace bolza::cli
