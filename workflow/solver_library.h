// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "runtime/abi/neighbours.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/events/action.h"
#include "runtime/integrate/method_options.h"

// What is called through the table includes the header of what it calls: declarations are enough here.
namespace bolza::integrate {
struct LaneRequest;
struct LaneRuns;
struct SimulateOptions;
struct Simulation;
enum class SimulateStatus : std::uint8_t;
}  // namespace bolza::integrate

namespace bolza::transcribe {
struct BetterControls;
struct BranchJump;
struct ControlError;
struct GradientOptions;
struct Limit;
struct MeshError;
struct ReducedGradient;
struct Resimulation;
struct ShootingOptions;
struct TranscribeOptions;
struct TrajectorySensitivity;
struct Violation;
}  // namespace bolza::transcribe

namespace bolza::verify {
struct Certificate;
struct VerifyOptions;
}  // namespace bolza::verify

namespace bolza::estimate {
struct Analysis;
struct AnalysisOptions;
struct EstimateRequest;
struct EstimateResult;
struct Estimation;
struct Identification;
struct IdentifyRequest;
struct ProfileOptions;
struct ProfileResult;
struct SearchOptions;
struct SearchResult;
}  // namespace bolza::estimate

namespace bolza::workflow {

/// One row of a table of the solver library, for `bolza methods` and for checking names.
struct TableRow {
  std::string_view name, description;
  bool available = true;
  std::vector<std::pair<std::string_view, std::string_view>> options;  ///< of an engine: name, what it is
  // of an engine
  bool takes_integers = false;  ///< problems with whole-number variables
  bool squares_only = false;    ///< the objective has to be a sum of squares
  bool lbfgs = false;           ///< can do without second derivatives
  bool bounds_only = false;     ///< takes problems without constraints
  bool dense = false;           ///< an iteration costs the cube of the number of variables
  // of an integrator
  bool differentiable = false;  ///< gives derivatives: shooting can take it
  bool stiff = false, fixed_steps = false;
  bool samples = false;              ///< gives states between mesh points, for the squares of an integral
  int order = 0, highest_index = 0;  ///< the highest order; index of the equations that it takes as they are written
};

/// What libbolza_solver.so offers. It carries IPOPT and SUNDIALS, so it is opened when first needed:
/// `open_symbol("bolza_solver", solver_library_symbol)` gives a function `const SolverLibrary *()`. Both sides are built
/// together and share class layouts; the version only catches a stale file.
struct SolverLibrary {
  std::uint32_t version;
  abi::Solution (*solve)(bolza_problem& problem, const transcribe::TranscribeOptions& options, const abi::Solution* guess);
  abi::Solution (*solve_single_shooting)(bolza_problem& problem, const transcribe::TranscribeOptions& options,
                                         const transcribe::ShootingOptions& shooting, const abi::Solution* guess);
  abi::Solution (*solve_multiple_shooting)(bolza_problem& problem, const transcribe::TranscribeOptions& options,
                                           const transcribe::ShootingOptions& shooting, const abi::Solution* guess);
  integrate::Simulation (*simulate)(const bolza_problem& problem, std::size_t phase,
                                    const integrate::SimulateOptions& options);
  const char* (*name_of)(integrate::SimulateStatus status);
  transcribe::Resimulation (*resimulate)(bolza_problem& problem, const abi::Solution& solution, double rtol,
                                         const std::vector<std::vector<double>>& look_at, const integrate::Act& act);
  transcribe::Violation (*constraint_violation)(bolza_problem& problem, const abi::Solution& solution, double part);
  std::optional<transcribe::BranchJump> (*branch_jump)(const bolza_problem& problem, const abi::Solution& solution);
  std::optional<transcribe::BetterControls> (*better_controls)(bolza_problem& problem, const abi::Solution& solution);
  std::vector<transcribe::Limit> (*find_conflict)(bolza_problem& problem, const transcribe::TranscribeOptions& options,
                                                  const abi::Solution* guess);
  bool (*is_convex)(bolza_problem& problem, const std::vector<double>& parameters);
  void (*add_hamiltonian)(bolza_problem& problem, abi::Solution& solution);
  transcribe::MeshError (*mesh_error)(bolza_problem& problem, const abi::Solution& solution);
  std::vector<std::vector<double>> (*refined_mesh)(const transcribe::MeshError& error, const abi::Solution& solution,
                                                   double tol, double share, std::size_t most);
  transcribe::ControlError (*control_error)(bolza_problem& problem, const transcribe::TranscribeOptions& options,
                                            const transcribe::ShootingOptions& shooting, const abi::Solution& solution);
  std::vector<std::vector<std::vector<double>>> (*refined_controls)(const transcribe::ControlError& error,
                                                                    const abi::Solution& solution, double allowed,
                                                                    std::size_t most);
  transcribe::TranscribeOptions (*on_control_grids)(const bolza_problem& problem,
                                                    const transcribe::TranscribeOptions& options,
                                                    const abi::Solution& solution,
                                                    std::vector<std::vector<std::vector<double>>> grids);
  abi::Solution (*simulated_guess)(bolza_problem& problem, const Budget& budget, const abi::Solution* own,
                                   const abi::Solution* sized, double place);
  abi::Solution (*data_guess)(bolza_problem& problem);
  double (*natural_horizon)(bolza_problem& problem);
  std::vector<double> (*guessed_parameters)(const bolza_problem& problem, const abi::Solution* guess);
  void (*add_to_log)(const transcribe::Resimulation& resimulation, abi::Solution& solution);
  std::vector<TableRow> (*integrators)();
  std::vector<TableRow> (*engines)();
  transcribe::ReducedGradient (*gradient)(bolza_problem& problem, const transcribe::TranscribeOptions& options,
                                          const transcribe::GradientOptions& gradient);
  estimate::EstimateResult (*estimate)(const bolza_problem& problem, const estimate::Estimation& estimation,
                                       const estimate::EstimateRequest& request);
  estimate::SearchResult (*search)(const bolza_problem& problem, const estimate::Estimation& estimation,
                                   const estimate::EstimateRequest& request, const estimate::SearchOptions& options);
  estimate::ProfileResult (*profile)(const bolza_problem& problem, const estimate::Estimation& estimation,
                                     const estimate::EstimateRequest& request, std::span<const double> optimum,
                                     const estimate::ProfileOptions& options);
  estimate::Analysis (*analyse)(const bolza_problem& problem, const estimate::Estimation& estimation,
                                const estimate::EstimateRequest& request, const estimate::EstimateResult& result,
                                const estimate::AnalysisOptions& options);
  estimate::Identification (*identify)(const bolza_problem& problem, const estimate::Estimation& estimation,
                                       const estimate::IdentifyRequest& request);
  std::span<const integrate::MethodOption> (*method_options)();
  integrate::OptionSet (*set_method_option)(integrate::MethodOptions& options, std::string_view name,
                                            std::string_view value);
  std::vector<double> (*objective_slopes)(bolza_problem& problem, const abi::Solution& stored,
                                          std::span<const abi::NeighbourProblems> neighbours);
  transcribe::TrajectorySensitivity (*trajectory_sensitivity)(bolza_problem& problem, const abi::Solution& stored,
                                                              std::span<const abi::NeighbourProblems> neighbours);
  verify::Certificate (*verify)(bolza_problem& problem, const abi::Solution& stored, const verify::VerifyOptions& options);
  std::string (*objection_to_lanes)(const bolza_problem& problem);
  integrate::LaneRuns (*run_lanes)(const bolza_problem& problem, const integrate::LaneRequest& request);
  std::vector<double> (*radau_points)(std::size_t n);
  std::vector<double> (*lagrange_values)(std::span<const double> nodes, double t);
};

inline constexpr std::uint32_t solver_library_version = 32;
inline constexpr const char* solver_library_symbol = "bolza_solver_library";
using SolverLibraryFunction = const SolverLibrary* (*)();

}  // namespace bolza::workflow
