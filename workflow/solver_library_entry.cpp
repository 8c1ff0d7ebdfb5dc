#include "runtime/transcribe/solve.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {
namespace {

abi::Solution solve_direct(bolza_problem& problem, const transcribe::TranscribeOptions& options, const abi::Solution* guess) {
  return transcribe::solve(problem, options, guess);
}

constexpr SolverLibrary library{solver_library_version, solve_direct, transcribe::solve_single_shooting, integrate::simulate, integrate::name_of,
                                transcribe::resimulate, transcribe::add_to_log};

}  // namespace
}  // namespace bolza::workflow

extern "C" __attribute__((visibility("default"))) const bolza::workflow::SolverLibrary* bolza_solver_library() {
  return &bolza::workflow::library;
}
