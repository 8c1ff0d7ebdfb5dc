#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::workflow {

inline constexpr Code bad_chain{
    "E905", "the chain cannot be read here: {0}",
    "A chain is a list of stages joined by `->`; a stage is a method with settings in parentheses:\n"
    "    --chain \"euler(n=20, tol=1e-3) -> radau(mesh=100) -> ipopt+cvodes\"\n"
    "Each stage starts from what the one before it found."};
inline constexpr Code library_missing{
    "E906", "`{0}` cannot be opened: {1}",
    "bolza loads its compiler back end (libbolza_jit.so) and its solvers (libbolza_solver.so) when they are first needed, "
    "from\n"
    "the folder lib next to the one that holds the program. The installation is not complete, or files were moved apart."};
inline constexpr Code guess_unreadable{"E907", "`{0}` cannot be the initial guess: {1}",
                                       "`--init-from` reads a result file (.mat or .csv) that bolza wrote. Variables are "
                                       "matched by name; at least one state, control\n"
                                       "or algebraic variable of the model must be in the file."};
inline constexpr Code guess_incomplete{"W907", "`{0}` has no `{1}`: its guess or start value is used",
                                       "The result file given with `--init-from` lacks a variable of the model. The solve "
                                       "goes on with the variable's own guess."};
inline constexpr Code not_an_optimization{"E908", "`{0}` states no optimisation problem",
                                          "`bolza solve` needs an objective: an `optimization` class, a `minimize` element, "
                                          "or a model with `isMayer` or `isLagrange`\n"
                                          "annotations. A plain model can be checked and simulated: `bolza simulate FILE`."};
inline constexpr Code cannot_combine{"E910", "these settings do not go together: {0}",
                                     "Not every method can be combined with every setting; the message says which and why."};
inline constexpr Code without_effect{"W910", "the option `{0}` has no effect: {1}",
                                     "The option belongs to methods other than the chosen one. One-step schemes such as "
                                     "`trapezoidal` have their own points and\n"
                                     "an order that is fixed; `--points` counts for `radau`, `gauss` and `lobatto`. More "
                                     "intervals (`--mesh`) make them more exact."};
inline constexpr Code input_missing{"E914", "`{0}` has no column `{1}`",
                                    "`--input` reads a .csv (or .mat) with a column `time` and one for every input of the "
                                    "model, which is linear between the times."};
inline constexpr Code empty_horizon{
    "E915", "the stop time {1} comes before the start time {0}",
    "`--start` and `--stop`, or the `experiment` annotation, give the horizon of a simulation. Where both are the same the "
    "model\n"
    "is initialised, the events of that time happen, and the result has its values only."};
inline constexpr Code refinement_stopped{"W918",
                                         "the mesh was not refined to {0}: {1}; the error left is {2}, of `{3}` at t = {4}",
                                         "`refine` estimates how well the solution satisfies the model between its "
                                         "collocation points, cuts the intervals where it does\n"
                                         "not, and solves again. It stops at `max-refinements` rounds, at `max-mesh` "
                                         "intervals, or when a finer mesh is not solved; the\n"
                                         "result is then that of the last mesh that was. Beside a jump of the control the "
                                         "error falls only in proportion to the interval:\n"
                                         "more rounds help, or `--control constant`."};
inline constexpr Code no_such_direction{
    "E916", "there is no free parameter, state or control `{0}` to differentiate by",
    "`--with-respect-to` names parameters, states (which stand for their initial values) and controls of the model. A "
    "parameter\n"
    "is freed for the purpose; an initial value that an initial equation determines is not a direction of its own."};
inline constexpr Code no_such_way{
    "E917", "there is no way `{0}` to a gradient",
    "`--by adjoint` integrates the adjoint of the continuous equations backwards, `--by forward` the sensitivity "
    "equations,\n"
    "`--by discrete` takes the adjoint of the integrator's own steps, `--by differences` takes difference quotients."};
inline constexpr Code no_such_output{
    "E919", "`{0}` has no derivatives here: {1}",
    "`--of` names what is differentiated: `objective`, `constraints` (all point constraints of the model), `residuals` (of "
    "a "
    "sum of\n"
    "squares), or expressions of values at a time: `x(2.5)`, `y(finalTime) - 2*k`. A name alone stands for its value at the "
    "final time.\n"
    "An integral over the horizon is `integral(x^2)`."};
inline constexpr Code assertion_in_solution{
    "W920", "an assertion does not hold in the solution at t = {0}: {1}",
    "An optimiser does not see assertions: it looks for the best point of the equations, bounds and constraints. After the\n"
    "solution they are looked at while the model is integrated with the optimal controls; each is reported once, at the "
    "first\n"
    "time. A constraint that says the same keeps the solution where the model holds."};
inline constexpr Code not_a_class_name{
    "E922", "`{0}` cannot be the name of a class",
    "`bolza new NAME` writes the class NAME to NAME.mop. A name begins with a letter or `_`, goes on with letters, digits "
    "and `_`,\nand is not a word of the language, such as `model`."};
inline constexpr Code file_exists{"E923", "`{0}` is there already, and stays as it is",
                                  "`bolza new` never writes over a file. Choose another name, or take the file away first."};
inline constexpr Code file_not_written{"E924", "`{0}` cannot be written",
                                       "The folder is not there, or its permissions do not allow to write in it."};
inline constexpr std::array all_codes_of_workflow{
    &not_a_class_name,  &file_exists,         &file_not_written,   &bad_chain,      &library_missing,      &guess_unreadable,
    &guess_incomplete,  &not_an_optimization, &cannot_combine,     &without_effect, &input_missing,        &empty_horizon,
    &no_such_direction, &no_such_way,         &refinement_stopped, &no_such_output, &assertion_in_solution};

}  // namespace bolza::workflow
