// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/model_at.h"

#include <algorithm>
#include <cmath>

namespace bolza::nonlinear {

ModelAt::ModelAt(const bolza_problem& problem, const bolza_model& model, std::vector<double> values)
    : shared(std::move(values)),
      problem_(&problem),
      model_(&model) {
  shared.resize(std::max<std::size_t>(model.n_shared, 1));
}

bolza_function* ModelAt::function(Part part) const {
  const bolza_hybrid* hybrid = model_->hybrid;
  switch (part) {
    case Part::rates:
      return model_->rates;
    case Part::residuals:
      return model_->residuals;
    case Part::initial:
      return model_->initial;
    case Part::outputs:
      return model_->outputs;
    case Part::integrand:
      return model_->integrand_residuals;
    case Part::update:
      return hybrid ? hybrid->update : nullptr;
    case Part::indicators:
      return hybrid ? hybrid->indicators : nullptr;
    case Part::reinit:
      return hybrid ? hybrid->reinit : nullptr;
    case Part::initial_update:
      return hybrid ? hybrid->initial_update : nullptr;
    case Part::conditions:
      return hybrid ? hybrid->conditions : nullptr;
    case Part::delays:
      return hybrid ? hybrid->delays : nullptr;
  }
  return nullptr;
}

bool ModelAt::Watched::Watch::ends() {
  constexpr unsigned of_the_clock = 16;  // reading it takes 20 ns, the smallest kernels 50 ns
  if (!budget || has_ended) return has_ended;
  has_ended = budget->interrupted() || (evaluations++ % of_the_clock == 0 && budget->over());
  return has_ended;
}

bool ModelAt::may_be_read(Part part, Kind kind) const {
  return !watch_.has_ended && kernels_[static_cast<std::size_t>(part)].kernel[kind].available();
}

KernelAt* ModelAt::run(Part part, Kind kind, const Point& p, std::span<const double> weight) {
  Kernels& k = kernels_[static_cast<std::size_t>(part)];
  static constexpr bolza_kind kinds[] = {BOLZA_VALUE, BOLZA_JACOBIAN, BOLZA_VJP, BOLZA_HESSIAN};
  KernelAt& kernel = k.kernel[kind];
  if (watch_.ends()) {
    trouble_ = {};
    return nullptr;
  }
  if (!k.asked[kind]) {
    kernel = KernelAt(*problem_, function(part), kinds[kind]);
    k.asked[kind] = true;
  }
  if (!kernel.available()) {
    trouble_ = {"the model's code for it cannot be had", "", {}, p.t, nullptr};
    return nullptr;
  }
  kernel.set(0, {&p.t, 1});
  kernel.set(1, {p.x, model_->n_x});
  kernel.set(1 + model_->n_x, {p.z, model_->n_z});
  kernel.set(1 + model_->n_x + model_->n_z, {p.u, model_->n_u});
  if (kind == products || kind == hessians) kernel.set_weight(weight);
  if (kernel.run(shared.data()) == 0) return &kernel;
  explain(kernel, kind, p.t);
  return nullptr;
}

void ModelAt::explain(const KernelAt& kernel, Kind kind, double t) {
  const bolza_function& f = *kernel.function();
  trouble_ = {kind < products ? "a value is not finite" : "a derivative is not finite",
              "",
              {},
              t,
              std::make_shared<abi::NonfinitePlace>(abi::NonfinitePlace{&f, kernel.point(), shared})};
  std::size_t entries = kind == values ? f.n_rows : kind == jacobians ? f.n_rows + f.jac_nnz : 0;
  for (std::size_t r = 0; r < entries; ++r) {
    if (std::isfinite(kernel.out(r))) continue;
    std::size_t row = r < f.n_rows ? r : static_cast<std::size_t>(f.jac_row[r - f.n_rows]);
    if (std::string_view(f.name ? f.name : "") == "delays") trouble_.text = "a delay() is not finite";
    if (!f.rows || !f.rows[row].name || !*f.rows[row].name) break;
    trouble_.name = f.rows[row].name;
    trouble_.source = f.rows[row].source;
    trouble_.text = (r < f.n_rows ? "`" : "a derivative of `") + trouble_.name + "` is not finite";
    break;
  }
}

bool ModelAt::value(Part part, const Point& p, std::span<double> rows) {
  bool finite = run(part, values, p) != nullptr;
  if (!finite && !may_be_read(part, values)) return false;
  const KernelAt& kernel = kernels_[static_cast<std::size_t>(part)].kernel[values];
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = kernel.out(r);
  return finite;
}

bool ModelAt::jacobian(Part part, const Point& p, std::span<double> rows, Derivative& d) {
  bool finite = run(part, jacobians, p) != nullptr;
  if (!finite && !may_be_read(part, jacobians)) {
    d = {};
    return false;
  }
  const KernelAt& kernel = kernels_[static_cast<std::size_t>(part)].kernel[jacobians];
  const bolza_function& f = *kernel.function();
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = kernel.out(r);
  d.row = {f.jac_row, f.jac_nnz};
  d.col = {f.jac_col, f.jac_nnz};
  d.value.resize(f.jac_nnz);
  for (std::size_t e = 0; e < f.jac_nnz; ++e) d.value[e] = kernel.out(f.n_rows + e);
  return finite;
}

bool ModelAt::jacobian_nearby(Part part, const Point& p, Derivative& d) {
  if (jacobian(part, p, {}, d)) return true;
  Trouble told = trouble_;
  std::vector<double> values(function(part)->n_rows), x(p.x, p.x + model_->n_x), z(p.z, p.z + model_->n_z);
  if (!value(part, p, values)) return false;
  for (double share : {1e-8, -1e-8}) {  // a point on one side may lie outside of a domain
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = p.x[i] + share * std::max(std::fabs(p.x[i]), size_of(model_->x[i]));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = p.z[i] + share * std::max(std::fabs(p.z[i]), size_of(model_->z[i]));
    if (jacobian(part, {p.t, x.data(), z.data(), p.u}, {}, d)) return true;
  }
  trouble_ = std::move(told);
  return false;
}

bool ModelAt::vjp(Part part, const Point& p, std::span<const double> weight, std::span<double> gradient) {
  KernelAt* kernel = run(part, products, p, weight);
  if (!kernel && !may_be_read(part, products)) {  // a provider may leave this kind out
    if (!jacobian(part, p, {}, product_)) return false;
    for (std::size_t e = 0; e < product_.value.size(); ++e) {
      auto row = static_cast<std::size_t>(product_.row[e]), col = static_cast<std::size_t>(product_.col[e]);
      if (row < weight.size() && col < gradient.size()) gradient[col] += weight[row] * product_.value[e];
    }
    return true;
  }
  if (!kernel) return false;
  const bolza_function& f = *kernel->function();
  for (std::size_t e = 0; e < f.grad_nnz; ++e) gradient[static_cast<std::size_t>(f.grad_col[e])] += kernel->out(e);
  return true;
}

bool ModelAt::hessian(Part part, const Point& p, std::span<const double> weight, Derivative& d) {
  KernelAt* kernel = run(part, hessians, p, weight);
  if (!kernel) return false;
  const bolza_function& f = *kernel->function();
  d.row = {f.hess_row, f.hess_nnz};
  d.col = {f.hess_col, f.hess_nnz};
  d.value.resize(f.hess_nnz);
  for (std::size_t e = 0; e < f.hess_nnz; ++e) d.value[e] = kernel->out(e);
  return true;
}

std::vector<double> shared_of(const bolza_problem& problem, std::size_t phase, std::span<const double> parameters) {
  const bolza_phase& p = problem.phases[phase];
  const bolza_model& model = *problem.models[p.model];
  const double* data = p.shared_values ? p.shared_values : model.shared_values;
  std::vector<double> shared(model.n_shared);
  if (data) std::copy(data, data + model.n_shared, shared.begin());
  for (std::size_t i = 0; i < model.n_global; ++i) {
    std::size_t k = static_cast<std::size_t>(p.parameter[i]);
    if (k < parameters.size()) shared[i] = parameters[k];
    else if (parameters.empty() && problem.parameters[k].fixed) shared[i] = problem.parameters[k].start;
    else if (parameters.empty()) shared[i] = guess_of(problem.parameters[k]);
  }
  return shared;
}

abi::Finding finding_of(const ModelAt::Trouble& trouble) {
  abi::Finding f;
  f.kind = abi::Finding::Kind::nonfinite;
  f.time = trouble.time;
  f.value = std::nan("");
  f.name = trouble.name;
  f.text = trouble.text;
  f.place = trouble.place;
  if (trouble.source.file) {
    f.file = trouble.source.file;
    f.line = trouble.source.line;
    f.column = trouble.source.column;
  }
  return f;
}

double size_of(const bolza_variable& v) {
  double size = std::fabs(v.nominal);
  return v.has_nominal && size > 0 && std::isfinite(size) ? size : 1;
}

double guess_of(const bolza_variable& v) {
  double x = v.has_guess ? v.guess : v.start;
  if (!std::isfinite(x)) x = 0;
  return v.min <= v.max ? std::clamp(x, v.min, v.max) : x;
}

}  // namespace bolza::nonlinear
