// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/extra_variables.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bolza::nlp {
namespace {

class ExtendedFunctions final : public Functions {
 public:
  ExtendedFunctions(const Nlp& nlp, std::size_t count)
      : of_(*nlp.functions),
        extra_(count),
        gradient_(nlp.n() + count),
        hessian_(nlp.hessian.size() + count),
        gauss_newton_(nlp.gauss_newton.size() + count) {}

  void move_to(std::span<const double> w) override {
    std::span<const double> last = w.last(extra_.size());
    std::copy(last.begin(), last.end(), extra_.begin());
    of_.move_to(w.first(w.size() - last.size()));
  }
  bool objective(double& f) override {
    bool finite = of_.objective(f);
    f += 0.5 * std::inner_product(extra_.begin(), extra_.end(), extra_.begin(), 0.0);
    return finite;
  }
  const double* gradient() override {
    const double* entries = followed_by(of_.gradient(), 0, gradient_);
    std::copy(extra_.begin(), extra_.end(), gradient_.end() - static_cast<std::ptrdiff_t>(extra_.size()));
    return entries;
  }
  const double* constraints() override { return of_.constraints(); }
  const double* jacobian() override { return of_.jacobian(); }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    return followed_by(of_.hessian(sigma, lambda), sigma, hessian_);
  }
  const double* gauss_newton(double sigma) override { return followed_by(of_.gauss_newton(sigma), sigma, gauss_newton_); }

 private:
  /// Entries, and after them one value for every extra variable; null stays null.
  const double* followed_by(const double* entries, double value, std::vector<double>& all) const {
    if (!entries) return nullptr;
    auto end = std::copy_n(entries, all.size() - extra_.size(), all.begin());
    std::fill(end, all.end(), value);
    return all.data();
  }

  Functions& of_;
  std::vector<double> extra_, gradient_, hessian_, gauss_newton_;
};

template <class Values>
void add(Values& values, std::size_t count, typename Values::value_type value) {
  values.insert(values.end(), count, value);
}

void add_diagonal(Pattern& pattern, std::size_t begin, std::size_t count) {
  for (std::size_t v = begin; v < begin + count; ++v) {
    pattern.row.push_back(static_cast<std::int32_t>(v));
    pattern.col.push_back(static_cast<std::int32_t>(v));
  }
}

}  // namespace

WithExtraVariables with_extra_variables(const Nlp& nlp, std::size_t count) {
  WithExtraVariables out{nlp, std::make_unique<ExtendedFunctions>(nlp, count)};
  Nlp& more = out.nlp;
  more.functions = out.functions.get();
  add(more.start, count, 0);
  add(more.scale, count, 1);
  add(more.lower, count, -INFINITY);
  add(more.upper, count, INFINITY);
  add(more.role, count, VariableRole::parameter);
  add(more.interval, count, global);
  if (!nlp.integer.empty()) add(more.integer, count, 0);
  if (!nlp.sequence.empty()) {
    add(more.sequence, count, global);
    add(more.length, count, 0);
  }
  if (!nlp.follows.empty()) add(more.follows, count, global);
  add_diagonal(more.hessian, nlp.n(), count);
  if (nlp.gauss_newton.size() > 0) add_diagonal(more.gauss_newton, nlp.n(), count);
  return out;
}

Iterate with_extra_entries(Iterate iterate, std::size_t count) {
  add(iterate.w, count, 0);
  for (auto* z : {&iterate.z_lower, &iterate.z_upper})
    if (!z->empty()) add(*z, count, 0);
  return iterate;
}

Iterate without_extra_entries(Iterate iterate, std::size_t count) {
  for (auto* entries : {&iterate.w, &iterate.z_lower, &iterate.z_upper})
    if (!entries->empty()) entries->resize(entries->size() - count);
  return iterate;
}

std::size_t count_equations(const Nlp& nlp) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < nlp.m(); ++r) count += nlp.row_lower[r] == nlp.row_upper[r];
  return count;
}

}  // namespace bolza::nlp
