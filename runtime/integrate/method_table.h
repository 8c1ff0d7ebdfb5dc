#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "runtime/integrate/simulate.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// What an integrator works on; outlives it.
struct Setup {
  nonlinear::ModelAt& model;
  const Inputs& inputs;
  double rtol = 1e-6;
  std::vector<double> atol_x, atol_z, atol_q;
  std::size_t max_steps = 0;
  std::function<SimulateStatus(double t)> after_step;  ///< finished: go on; anything else stops with that status
  SimulateReport& report;                              ///< counters are added; message and finding on failure
};

struct State {
  double t = 0;
  std::vector<double> x, z, q;
};

/// One integration; between `start` calls the input is one smooth piece.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Begins (again) at a consistent state with a piece of the inputs; will not step past `stop`.
  virtual SimulateStatus start(const State& state, std::size_t piece, double stop) = 0;
  /// Goes to t <= stop and gives the state there.
  virtual SimulateStatus advance(double t, State& state) = 0;
};

/// One row per integrator.
struct Method {
  std::string_view name, description;
  bool algebraics = false;  ///< takes models with 0 = h(t, x, z, u)
  bool stiff = true;
  bool adjoint = false;  ///< offers adjoint and forward sensitivities
  int order_low = 1, order_high = 5;
  bool (*available)() = nullptr;
  std::unique_ptr<Integrator> (*make)(const Setup& setup) = nullptr;
};

std::span<const Method* const> methods();
/// Null when there is no such row.
const Method* find_method(std::string_view name);

}  // namespace bolza::integrate
