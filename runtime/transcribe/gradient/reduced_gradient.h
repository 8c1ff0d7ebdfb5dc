// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime/transcribe/shooting/single_shooting.h"

namespace bolza::transcribe {

/// The ways to derivatives by what determines the trajectory.
enum class GradientWay : std::uint8_t {
  adjoint,      ///< of the continuous equations: CVODES backwards over checkpoints; cost does not grow with the directions
  forward,      ///< sensitivity equations, staggered, with error control; one system for each direction
  discrete,     ///< adjoint of the steps of a Runge–Kutta method, exact for the numbers computed, the steps' lengths held
  differences,  ///< central difference quotients: two simulations for each direction; an oracle
};
constexpr const char* name_of(GradientWay way) {
  switch (way) {
    case GradientWay::adjoint:
      return "adjoint";
    case GradientWay::forward:
      return "forward";
    case GradientWay::discrete:
      return "discrete";
    case GradientWay::differences:
      return "differences";
  }
  return "";
}

struct GradientOptions {
  std::vector<GradientWay> ways{GradientWay::adjoint};
  std::vector<std::size_t> rows{0};         ///< of the point function, what is differentiated: 0 the objective, then
                                            ///< constraints, residuals
  double rtol = 1e-8;                       ///< of the integrations
  std::string integrator = "radau5";        ///< of the discrete way; differences then hold its steps, too
  bool idas = false;                        ///< IDAS in the place of CVODES, of the first way: adjoint or forward
  const bolza_problem* written = nullptr;   ///< integrated by the steps of `integrator`, see ShootingOptions
  bool forward_of_steps = false;            ///< the forward way, too, is that of the integrator's own steps
  double fixed_step = 0;                    ///< seconds, of the discrete way; 0: error control
  bool hessian = false;                     ///< second derivatives as well
  bool check_hessian = false;               ///< second derivatives are compared with the other form's and with differences
  std::map<std::string, double> times;      ///< a direction by GradientDirection::name: the Hessian times it as well
  std::vector<std::string> by;              ///< variables whose directions are wanted, as GradientDirection::of; empty: all
  std::vector<std::string> without;         ///< variables that have no directions
  integrate::MethodOptions method_options;  ///< those of sensitivities and checkpoints
  /// Hears what is being done: "differences", direction 12 of 40. May be empty.
  std::function<void(const char* what, std::size_t done, std::size_t of)> progress;
};

/// One direction: a free parameter "k", an initial value "x(0)", a value of a control "u(0.4)".
struct GradientDirection {
  std::string name, of;  ///< `of`: the variable without its time
  double value = 0;      ///< where the derivative is taken
};

struct WayResult {
  GradientWay way = GradientWay::adjoint;
  bool good = false;
  bool refused = false;          ///< the model cannot be treated this way
  std::vector<double> gradient;  ///< [rows × directions]; empty where derivatives along probes stand for it
  std::vector<double> along;     ///< [rows × probes]
  double memory = 0;             ///< bytes: the largest resident size of the process so far
  double seconds = 0;            ///< with the forward run it needs; the shortest of a few runs when these are short
};

struct ReducedGradient {
  std::string objection;       ///< empty: it can be had
  std::string unknown;         ///< of the variables asked for: it has no direction; then `directions` are all that there are
  abi::Finding trouble;        ///< of the integration, when a way is not good
  double objective = 0;        ///< the first row; minimised: −J for `maximize J`
  std::vector<double> values;  ///< [rows]
  std::vector<GradientDirection> directions;
  std::vector<WayResult> ways;
  /// With more than `many_directions`, ways whose cost grows with them are taken along a few: random combinations of all
  /// (each moves by ± its size, or by ± 1 when it is 0), and those in which the objective moves most.
  std::vector<std::string> probes;
  /// [rows × directions × directions], empty: not asked for. Sensitivity form when the first way is `forward` on the
  /// continuous equations, else forward over the adjoint of what is integrated.
  std::vector<double> hessian;
  GradientWay hessian_by = GradientWay::adjoint;  ///< the form: forward, adjoint or discrete
  struct Comparison {
    GradientWay way;         ///< differences: of gradients
    double difference = -1;  ///< largest of an entry, over its row's largest; each times the sizes of its two directions
  };
  std::vector<Comparison> hessian_check;  ///< with the other form where it can be had, with differences
  std::vector<double> product;            ///< [rows × directions] Hessian times a direction, empty: not asked for
  double seconds_simulation = 0;          ///< one evaluation of the objective, measured alike
};

inline constexpr std::size_t many_directions = 40, random_probes = 10, largest_probes = 10;
/// With more directions the adjoint form is not compared with the sensitivity form, whose cost goes with their square.
inline constexpr std::size_t many_in_second_order = 20;

/// Derivatives of the objective of `problem`, or of other rows of its point function, at its guess in the reduced space:
/// states follow by integration from the initial values, controls are constant or linear between mesh points. Where initial
/// equations determine initial values, these depend on the parameters (implicit function theorem) and are not directions of
/// their own; nor is what a later phase begins with, or a time of it, where a link says so (shooting/links.h).
///
/// @param options  mesh, mesh_fractions, control_constant; one interval when the models have no inputs and no mesh is given
/// Cost  adjoint: one forward integration and one backward for each row; forward: one integration of n_x (1 + directions)
/// equations, whatever the rows.
ReducedGradient reduced_gradient(bolza_problem& problem, const TranscribeOptions& options, const GradientOptions& gradient);

}  // namespace bolza::transcribe
