#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::workflow {

inline constexpr Code bad_chain{"E905", "the chain cannot be read here: {0}",
    "A chain is a list of stages joined by `->`; a stage is a method with settings in parentheses:\n"
    "    --chain \"euler(n=20, tol=1e-3) -> radau(mesh=100) -> ipopt+cvodes\"\n"
    "Each stage starts from what the one before it found."};
inline constexpr Code library_missing{"E906", "`{0}` cannot be opened: {1}",
    "bolza loads its compiler back end (libbolza_jit.so) and its solvers (libbolza_solver.so) when they are first needed, from\n"
    "the folder lib beside the one that holds the program. The installation is not complete, or files were moved apart."};
inline constexpr Code guess_unreadable{"E907", "`{0}` cannot be the initial guess: {1}",
    "`--init-from` reads a result file (.mat or .csv) that bolza wrote. Variables are matched by name; at least one state, control\n"
    "or algebraic variable of the model must be in the file."};
inline constexpr Code not_an_optimization{"E908", "`{0}` states no optimisation problem",
    "`bolza solve` needs an objective: an `optimization` class, a `minimize` element, or a model with `isMayer` or `isLagrange`\n"
    "annotations. A plain model can be checked and simulated: `bolza simulate FILE`."};
inline constexpr Code cannot_write{"E909", "`{0}` cannot be written: {1}",
    "A result is written beside its final name and renamed when complete. The folder must exist and be writable."};
inline constexpr Code cannot_combine{"E910", "these settings do not go together: {0}",
    "Not every method can be combined with every setting; the message says which and why."};
inline constexpr Code kernel_failed{"E501", "the kernels could not be compiled: {0}",
    "The code generator refused its input. This is a defect of bolza; please report it with the model file."};

inline constexpr std::array all_codes{&bad_chain, &library_missing, &guess_unreadable, &not_an_optimization, &cannot_write,
                                      &cannot_combine, &kernel_failed};

}  // namespace bolza::workflow
