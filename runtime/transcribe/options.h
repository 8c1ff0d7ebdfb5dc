// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/limit.h"

namespace bolza::transcribe {

/// A value that was not finite, where it was seen last: enough to evaluate the function's trace kernel there.
struct NonfiniteReport {
  bool seen = false;
  std::string function;        ///< name of the bolza_function
  std::int32_t row = -1;       ///< of the function
  std::int32_t column = -1;    ///< of a derivative; -1: the value itself
  std::int32_t phase = -1;     ///< -1: the point function
  double time = 0;             ///< NaN for the point function
  std::vector<double> point;   ///< [n_point] inputs at that point
  std::vector<double> shared;  ///< [n_shared]
  bool at_start = false;       ///< at the initial guess
  int kernel_status = 0;       ///< bits of the kernel
};

struct TranscribeOptions {
  std::string transcription = "radau";  ///< a row of `schemes()`
  std::uint32_t points = 0;             ///< per interval; 0: the method's default
  std::uint32_t mesh = 50;              ///< intervals of every phase
  std::vector<double> mesh_fractions;   ///< instead of `mesh`: 0 … 1
  std::vector<std::pair<std::string, std::uint32_t>>
      phase_mesh;                                           ///< intervals of single phases, by name; `lap`: of `lap[k]`
  std::vector<std::pair<std::string, bool>> phase_control;  ///< `control_constant` of single phases, by name
  std::vector<std::vector<double>> phase_fractions;  ///< [n_phases] 0 … 1, instead of all of these; none: as these say
  bool control_constant = false;                     ///< one value per interval; else one per collocation point
  std::uint32_t control_intervals = 0;               ///< of the grid on which controls have their values; 0: the mesh
  std::vector<std::pair<std::string, std::uint32_t>> control_grid;  ///< and of single controls, by name
  /// [n_phases][controls that are not delayed values] The points of these grids in shooting, 0 … 1, instead of even ones;
  /// empty: as the numbers above say
  std::vector<std::vector<std::vector<double>>> control_fractions;
  bool lines_to_end =
      false;                ///< without a guess: states run straight to what end conditions ask for, else they are constant
  double perturbation = 0;  ///< of the start, by random functions of this share of the sizes (perturb_start.h); 0: none
  std::uint32_t seed = 1;   ///< of those functions
  std::vector<Limit> let_go;  ///< constraints and bounds that need not hold
  double widened = 0;  ///< share of what the start breaks constraints and bounds by, by which they are moved (limits.h)
  bool meet_places = false;  ///< the mesh gets a point at every time slot, instead of evaluating the polynomial there
  unsigned threads = 1;      ///< of kernel evaluation; results have the same bits
  nlp::EngineOptions nlp;
  /// Called once, before solve returns, when a value was not finite; may return text for the finding ("" none).
  std::string (*explain)(void* context, const NonfiniteReport&) = nullptr;
  void* explain_context = nullptr;
  /// Called after every nonlinear program with its solution.
  void (*solved)(void* context, const abi::Solution&) = nullptr;
  void* solved_context = nullptr;

  void tell(const abi::Solution& solution) const {
    if (solved) solved(solved_context, solution);
  }
};

}  // namespace bolza::transcribe
