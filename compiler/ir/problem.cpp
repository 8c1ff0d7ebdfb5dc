// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/problem.h"

#include <algorithm>

#include "base/expects.h"

namespace bolza::ir {
namespace {

void verify_function(const Dag& dag, const Function& function) {
  std::uint32_t n_inputs = function.n_point + function.n_shared;
  verify(dag, function.section, n_inputs);
  for (const Group& group : function.section.groups)
    for (const Column& column : group.slots)
      for (std::size_t i = 1; i < group.n; ++i)
        expects((column[i].value < function.n_point) == (column[0].value < function.n_point),
                "a slot reads point values or shared values, the same class in all instances");
}

void verify_counts(const Problem& p) {
  std::size_t n_point = 1 + p.x.size() + p.z.size() + p.u.size();
  expects(p.shared.size() >= 2 && p.n_global >= 2 && p.n_global <= p.shared.size(),
          "shared inputs begin with startTime and finalTime");
  expects(p.shared_values.size() == p.shared.size() && p.shared_numbers.size() == p.shared.size(),
          "every shared input has a value");
  expects(p.x_numbers.size() == p.x.size() && p.z_numbers.size() == p.z.size() && p.u_numbers.size() == p.u.size(),
          "every variable has its numbers");
  for (const Function* f : {&p.rates, &p.residuals, &p.initial, &p.outputs, &p.integrand_residuals}) {
    bool unused = f->section.groups.empty() && f->section.n_rows == 0;
    expects(unused || (f->n_point == n_point && f->n_shared == p.shared.size()),
            "model functions see time, x, z, u and the shared inputs");
  }
  expects(p.rates.section.n_rows == p.x.size() + p.n_q, "there is a rate for every state and every integral");
  expects(p.residuals.section.n_rows == p.z.size() + p.n_g,
          "there is a residual for every algebraic and every path constraint");
  expects(p.residual_rows.size() == p.residuals.section.n_rows && p.initial_rows.size() == p.initial.section.n_rows &&
              p.point_rows.size() == p.n_k,
          "every row says what it means");
}

void verify_point(const Problem& p) {
  bool unused = p.point.section.groups.empty() && p.point.section.n_rows == 0;
  if (unused) return;
  expects(p.point.section.n_rows == 1 + p.n_k + p.n_r,
          "the point function has the objective, the constraints and the residuals");
  expects(p.point.n_point == p.values.size() && p.point.n_shared == p.shared.size(),
          "the point function sees V, Q and the shared inputs");
}

void verify_values(const Problem& p) {
  for (const PointValue& value : p.values) {
    bool integral = value.quantity == PointQuantity::integral;
    expects(integral || value.place < p.places.size(), "point values name existing places");
    std::size_t phase = integral ? value.place : p.places[value.place].phase;
    expects(phase < std::max<std::size_t>(1, p.models.size()), "places are in phases that exist");
    const Problem& m = p.models.empty() ? p : p.models[phase];
    std::size_t n = 0;
    switch (value.quantity) {
      case PointQuantity::state:
      case PointQuantity::rate:
        n = m.x.size();
        break;
      case PointQuantity::algebraic:
        n = m.z.size();
        break;
      case PointQuantity::control:
        n = m.u.size();
        break;
      case PointQuantity::integral:
        n = m.n_q;
        break;
    }
    expects(value.index < n, "point values name existing quantities");
  }
}

void verify_hybrid(const Problem& p, const Dag& dag) {
  if (!p.hybrid) return;
  const EventPart& h = *p.hybrid;
  std::size_t n_point = 1 + p.x.size() + p.z.size() + p.u.size();
  for (Function EventPart::* member : hybrid_functions()) {
    const Function& f = h.*member;
    verify_function(dag, f);
    bool unused = f.section.groups.empty() && f.section.n_rows == 0;
    expects(unused || (f.n_point == n_point && f.n_shared == p.shared.size()),
            "event functions see what the model's functions see");
  }
  expects(h.update.section.n_rows == h.discrete.size(), "every discrete value has its row of update");
  for (const DiscreteValue& m : h.discrete) {
    expects(m.now >= p.n_global && m.now < p.shared.size() && m.before.value_or(0) < p.shared.size(),
            "discrete values are shared inputs");
    std::uint32_t rows = m.role == DiscreteRole::part ? 2 : 1;
    expects(!m.indicator || *m.indicator + rows <= h.indicators.section.n_rows, "indicators of discrete values exist");
  }
  expects(h.reinit.section.n_rows == 2 * h.reinit_states.size(), "every reinit has a condition and a value");
  for (std::uint32_t state : h.reinit_states) expects(state < p.x.size(), "reinit sets states");
  expects(h.initial_update.section.n_rows == h.initial_targets.size(), "initial updates have targets");
  std::size_t rows = h.assertions.size() + h.terminations.size();
  for (const auto* list : {&h.assertions, &h.terminations})
    for (const EventMessage& message : *list) rows += message.n_values;
  expects(h.conditions.section.n_rows == rows, "conditions have a row for every message and its values");
  std::size_t n = delays_of(h), profiles = 0;
  for (const EventPart::Transport& transport : h.transports) {
    profiles += 2 * transport.n_places;
    expects(transport.first + 1 < n, "a transport gives two delayed values");
  }
  expects(3 * n + profiles == h.delays.section.n_rows && n <= p.u.size(), "delayed values are inputs");
}

}  // namespace

std::vector<const Problem*> models_of(const Problem& problem) {
  std::vector<const Problem*> models;
  for (const Problem& model : problem.models) models.push_back(&model);
  if (models.empty()) models.push_back(&problem);
  return models;
}

std::vector<Function EventPart::*> hybrid_functions() {
  return {&EventPart::update,         &EventPart::indicators, &EventPart::reinit,
          &EventPart::initial_update, &EventPart::conditions, &EventPart::delays};
}

std::size_t delays_of(const EventPart& hybrid) {
  std::size_t profiles = 0;
  for (const EventPart::Transport& transport : hybrid.transports) profiles += 2 * transport.n_places;
  return (hybrid.delays.section.n_rows - profiles) / 3;
}

static void verify_model(const Problem& model, const Dag& dag) {
  for (const Function* f :
       {&model.rates, &model.residuals, &model.initial, &model.outputs, &model.integrand_residuals, &model.guesses})
    verify_function(dag, *f);
  verify_counts(model);
  verify_hybrid(model, dag);
}

void verify(const Problem& problem) {
  verify(problem.flat.expressions);
  const Dag& dag = problem.flat.expressions.dag;
  verify_function(dag, problem.point);
  verify_model(problem, dag);
  expects(problem.models.size() == problem.phases.size(), "every phase has its model");
  for (std::size_t k = 0; k < problem.models.size(); ++k) {
    verify_model(problem.models[k], dag);
    expects(problem.phases[k].parameter.size() == problem.models[k].n_global, "every decision of a phase is the problem's");
    for (std::uint32_t parameter : problem.phases[k].parameter)
      expects(parameter < problem.n_global, "every decision of a phase is the problem's");
  }
  verify_point(problem);
  verify_values(problem);
}

}  // namespace bolza::ir
