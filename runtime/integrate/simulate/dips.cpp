// SPDX-License-Identifier: Apache-2.0
// States that sink below their absolute tolerance and grow out of it by themselves: x' = r(t) x with r < 0 and r > 0 after
// it. What they grow from is the error that the tolerance allows, and no error test sees it.
#include <algorithm>
#include <cmath>

#include "runtime/integrate/failure.h"
#include "runtime/integrate/simulate/run_internal.h"

namespace bolza::integrate {
namespace {

constexpr double grown = 30, lost = 1e4;  // tolerances: looked at from here on, said from there on
constexpr double share = 0.1;             // of a rate, that may be due to other variables

}  // namespace

void Run::look_for_dips() {
  if (!options.measures_sizes || setup == nullptr) return;
  dips.resize(model.n_x);
  for (std::size_t i = 0; i < model.n_x; ++i) {
    double size = std::fabs(state.x[i]), tolerance = setup->atol_x[i];
    Dip& dip = dips[i];
    if (size < tolerance && (dip.stood || dip.sunk)) dip = {.sunk = true, .time = state.t, .tolerance = tolerance};
    else if (dip.sunk && size > grown * dip.tolerance)
      dip = {.by_itself = grows_by_itself(i), .time = dip.time, .tolerance = dip.tolerance};
    else if (dip.by_itself && size > lost * dip.tolerance) say_dip(i);
    else if (!dip.sunk && !dip.by_itself && size > grown * tolerance) dip.stood = true;
  }
}

void Run::forget_dips(std::span<const double> before) {
  for (std::size_t i = 0; i < dips.size(); ++i)
    if (state.x[i] != before[i]) dips[i] = {};
}

// x' = a x, nearly, with a > 0: a = df/dx by a difference, everything else held.
bool Run::grows_by_itself(std::size_t i) {
  constexpr double step = 1e-3;
  if (!model.rates || !at.value(nonlinear::ModelAt::Part::rates, point(), rows)) return false;
  double rate = rows[i], x = state.x[i];
  if (rate * x <= 0) return false;
  state.x[i] = (1 + step) * x;
  bool good = at.value(nonlinear::ModelAt::Part::rates, point(), rows);
  state.x[i] = x;
  return good && std::fabs((rows[i] - rate) / step - rate) <= share * std::fabs(rate);
}

void Run::say_dip(std::size_t i) {
  abi::Finding f;
  f.kind = abi::Finding::Kind::unstable;
  const bolza_variable& x = model.x[i];
  f.name = x.name ? x.name : "";
  place(f, x.source);
  f.time = dips[i].time;
  f.bound = dips[i].tolerance;
  dips[i] = {};
  auto same = [&](const abi::Finding& other) { return other.kind == f.kind && other.name == f.name; };
  if (std::ranges::none_of(out.report.undecided, same)) out.report.undecided.push_back(std::move(f));
}

}  // namespace bolza::integrate
