// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/growth_findings.h"

#include <cmath>
#include <utility>

#include "base/numbers.h"

namespace bolza::transcribe {
namespace {

abi::Finding finding_of(const Growth& growth, std::string text) {
  abi::Finding finding;
  finding.kind = abi::Finding::Kind::unstable;
  finding.name = growth.name;
  finding.time = growth.time;
  finding.value = growth.factor;
  finding.text = std::move(text);
  return finding;
}

bool is_lost(const Growth& growth, double rtol) { return growth.known && growth.factor * rtol >= lost_state; }

}  // namespace

std::optional<abi::Finding> unstable(const Growth& growth, double rtol) {
  if (!is_lost(growth, rtol)) return {};
  abi::Finding finding = finding_of(
      growth, "one integration over the horizon, to a tolerance of " + shown(rtol, 1) +
                  ", says nothing of where it ends: `--method multiple-shooting` and collocation (`--method radau`) have "
                  "states at the mesh points, from which errors start anew");
  finding.bound = 1 / rtol;
  finding.amount = growth.factor * rtol;
  return finding;
}

std::optional<abi::Finding> stiff(ShootingNodes& at, nlp::Functions& functions, const MakeProblem& implicit) {
  const integrate::Method* method = at.method();
  if (!method || method->stiff || !functions.constraints()) return {};
  Growth growth = growth_of_errors(at);
  if (!is_lost(growth, at.rtol)) return {};
  ShootingProblem beside = implicit(at.rtol);
  if (!beside.nodes || !beside.nodes->objection().empty() || beside.nodes->w.size() != at.w.size()) return {};
  beside.functions->move_to(at.w);
  if (!beside.functions->constraints()) return {};
  Growth model = growth_of_errors(*beside.nodes);
  if (!model.known || is_lost(model, at.rtol)) return {};
  std::string name(method->name);
  abi::Finding finding = finding_of(
      growth, "the model is stiff: steps of `" + name + "` multiply errors of `" + growth.name + "` by " +
                  shown(growth.factor, 2) + ", where the model itself multiplies " + "errors by " + shown(model.factor, 2) +
                  ". `--integrator radau5` and `--integrator cvodes` have implicit steps");
  finding.name.clear();
  finding.time = std::nan("");
  return finding;
}

abi::Finding creeping(const Growth& growth) {
  return finding_of(
      growth,
      "an optimum of controls alone lies in a curved valley then, along which iterations creep: the lifted form "
      "(`--lift true`), `--method multiple-shooting` and collocation (`--method radau`) have states at the mesh "
      "points");
}

}  // namespace bolza::transcribe
