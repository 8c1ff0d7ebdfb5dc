// SPDX-License-Identifier: Apache-2.0
// The table of passes and the one runner. Here and not in compiler/driver, so that tests run the passes without the front
// end.
#include "compiler/passes/pass_table.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/expects.h"
#include "compiler/passes/assemble.h"
#include "compiler/passes/check_units.h"
#include "compiler/passes/events/delayed_values.h"
#include "compiler/passes/events/extract_events.h"
#include "compiler/passes/events/initial_discrete.h"
#include "compiler/passes/events/integer_choices.h"
#include "compiler/passes/events/smooth.h"
#include "compiler/passes/events/sort_discrete.h"
#include "compiler/passes/events/watch_assertions.h"
#include "compiler/passes/index/control_rates.h"
#include "compiler/passes/index/reduce_index.h"
#include "compiler/passes/interior/cut_horizon.h"
#include "compiler/passes/modes/complementarity.h"
#include "compiler/passes/modes/cut_by_modes.h"
#include "compiler/passes/optimization/lower_optimization.h"
#include "compiler/passes/optimization/promote_constraints.h"
#include "compiler/passes/optimization/stated_starts.h"
#include "compiler/passes/optimization/treat_static.h"
#include "compiler/passes/parameters/evaluate_parameters.h"
#include "compiler/passes/phases/assign_phases.h"
#include "compiler/passes/shapes/group_shapes.h"
#include "compiler/passes/simplify/eliminate_aliases.h"
#include "compiler/passes/simplify/eliminate_explicit.h"
#include "compiler/passes/simplify/inline_functions.h"
#include "compiler/passes/simplify/semi_linear.h"
#include "compiler/passes/simplify/vanishing_sums.h"
#include "compiler/passes/simplify/vanishing_terms.h"
#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/structure/initial_values.h"
#include "compiler/passes/structure/sort_equations.h"

namespace bolza::passes {

namespace {

Result<Done> insert_parameters(System& system, Diagnostics&) {
  Composer composer(system.dag());
  insert_definitions(system, composer);
  return Done{};
}

constexpr std::array passes{
    Pass{"check-units", check_units, "what is added and equated has one unit", true},
    Pass{"cut-modes", cut_by_modes, "pieces in which relations keep their sides (only with --nonsmooth)"},
    Pass{"cut-horizon", cut_horizon, "pieces between times that are free: x(t1), `time < t1`"},
    Pass{"evaluate-parameters", evaluate_parameters, "values of parameters and attributes"},
    Pass{"assign-phases", assign_phases, "which phase every variable and integrand belongs to"},
    Pass{"initial-parameters", free_initial_parameters, "parameters that initial equations determine"},
    Pass{"watch-assertions", watch_assertions, "what functions assert becomes what the model asserts"},
    Pass{"extract-events", extract_events, "relations that make events become discrete variables"},
    Pass{"inline-functions", inline_functions, "calls of functions become expressions where they can"},
    Pass{"integer-choices", choose_by_integers, "what integer controls decide by jumps becomes smooth in them"},
    Pass{"complementarity", make_complementary, "complementarity in the place of relations (only with --nonsmooth)"},
    Pass{"smooth", smooth, "smooth functions in the place of relations (only with --smooth)"},
    Pass{"control-rates", control_rates, "controls whose derivatives are read become states"},
    Pass{"delayed-values", name_delayed_values, "delayed expressions that are not linear become variables"},
    Pass{"split-rows", split_rows, "one equation per row"},
    Pass{"group", group_shapes, "equations of equal shape become one group", true},
    Pass{"insert-parameters", insert_parameters, "what depends on free parameters"},
    Pass{"static", treat_static, "static problems have no derivatives"},
    Pass{"promote-constraints", promote_constraints, "path equalities that determine what no equation does"},
    Pass{"vanishing-terms", drop_vanishing_terms, "terms that parameters make zero leave the equations", true},
    Pass{"eliminate-aliases", eliminate_aliases, "variables that equal others, up to sign and a constant", true},
    Pass{"vanishing-sums", find_vanishing_sums, "states that two sums show to be zero", true},
    Pass{"semi-linear", rewrite_semi_linear, "what flows where a flow may vanish: chains and junctions of semiLinear", true},
    Pass{"check-balance", check_balance, "as many equations as unknowns"},
    Pass{"reduce-index", reduce_index, "equations that constrain states are differentiated, states chosen"},
    Pass{"inline-reduced", inline_reduced, "calls that waited for index reduction become expressions"},
    Pass{"sort-equations", sort_equations, "matching, blocks, tearing"},
    Pass{"eliminate-explicit", eliminate_explicit, "rates, and algebraics that an expression gives"},
    Pass{"sort-discrete", sort_discrete, "what determines each discrete variable, in which order"},
    Pass{"initial-discrete", sort_initial_discrete, "what initial equations between discrete values determine"},
    Pass{"initial-values", complete_initial_values, "which states start at their start values"},
    Pass{"lower-optimization", lower_optimization, "objective and constraints as rows"},
    Pass{"stated-starts", guess_stated_starts, "guesses of states whose starts only constraints tell", true},
    Pass{"assemble", assemble, "the standard form; fuses small groups (disable with `fuse`)"},
};

bool known(std::string_view name) {
  return name == "fuse" || std::any_of(passes.begin(), passes.end(), [&](const Pass& pass) { return pass.name == name; });
}

}  // namespace

std::span<const Pass> pass_table() { return passes; }

Result<Done> run_passes(System& system, Diagnostics& diagnostics, std::vector<PassTime>& times, const RunOptions& options) {
  for (const std::string& name : system.options.disabled) expects(known(name), "disabled passes exist");
  for (const Pass& pass : passes) {
    if (pass.can_be_disabled && !system.options.enabled(pass.name)) continue;
    auto begin = Clock::now();
    Result<Done> done = pass.run(system, diagnostics);
    times.push_back({pass.name, seconds_since(begin)});
    if (!done) return done;
    verify(system);
    if (options.print_after == pass.name && options.print) options.print(system);
    if (options.last == pass.name) break;
  }
  return Done{};
}

Result<ir::Problem> lower(ir::FlatModel model, const PassOptions& options, Diagnostics& diagnostics) {
  System system(std::move(model), options);
  std::vector<PassTime> times;
  Result<Done> done = run_passes(system, diagnostics, times);
  if (!done) return diagnostics.already_reported();
  return std::move(system.problem);
}

}  // namespace bolza::passes
