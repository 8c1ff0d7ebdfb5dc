// SPDX-License-Identifier: Apache-2.0
// Times the compiled kernels of one model: kernels FILE CLASS POINTS [NAME=VALUE …] → one JSON object with nanoseconds per
// point.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/abi/evaluate.h"
#include "workflow/install_paths.h"
#include "workflow/model.h"

namespace {

using namespace bolza;
using Clock = std::chrono::steady_clock;

/// Aligned rows for one evaluation.
struct Rows {
  Rows(std::size_t rows, std::size_t ld)
      : data(static_cast<double*>(std::aligned_alloc(64, std::max<std::size_t>(1, rows) * ld * 8))) {
    std::fill(data, data + std::max<std::size_t>(1, rows) * ld, 0.0);
  }
  ~Rows() { std::free(data); }
  Rows(const Rows&) = delete;
  double* data;
};

double nanoseconds_per_point(const bolza_function& f, bolza_kind kind, const bolza_model& model, std::size_t n) {
  std::size_t ld = abi::padded(n);
  Rows point(f.n_point, ld), weight(f.n_rows, ld), out(f.kernels[kind]->n_out, ld);
  auto fill = [&](std::size_t row, const bolza_variable& v, std::size_t k) {
    double base = v.has_guess ? v.guess : v.has_start ? v.start : 0.0;
    for (std::size_t i = 0; i < ld; ++i)
      point.data[row * ld + i] = base + 0.01 * v.nominal * std::sin(0.1 * static_cast<double>(i + k));
  };
  std::size_t row = 1;
  for (std::size_t k = 0; k < model.n_x; ++k) fill(row++, model.x[k], k);
  for (std::size_t k = 0; k < model.n_z; ++k) fill(row++, model.z[k], k);
  for (std::size_t k = 0; k < model.n_u; ++k) fill(row++, model.u[k], k);
  std::fill(weight.data, weight.data + std::max<std::size_t>(1, f.n_rows) * ld, 0.5);
  abi::Evaluation e{n, ld, point.data, model.shared_values, weight.data, nullptr, out.data};
  double best = 1e99;
  for (int round = 0; round < 7; ++round) {
    int calls = 0;
    auto began = Clock::now();
    double seconds = 0;
    while (seconds < 0.02) {
      abi::evaluate(f, kind, e);
      ++calls;
      seconds = std::chrono::duration<double>(Clock::now() - began).count();
    }
    best = std::min(best, seconds / calls);
  }
  return best * 1e9 / static_cast<double>(n);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: kernels FILE CLASS POINTS [NAME=VALUE ...]\n");
    return 2;
  }
  workflow::Model model;
  workflow::LoadRequest request{.file = argv[1], .class_name = argv[2], .library_paths = {}};
  for (int k = 4; k < argc; ++k) request.settings.emplace_back(argv[k]);
  if (!model.load(request) || !model.compile()) {
    for (const Diagnostic& d : model.diagnostics.all()) std::fputs(render(d, model.sources).c_str(), stderr);
    return 2;
  }
  auto n = static_cast<std::size_t>(std::atol(argv[3]));
  const bolza_model& m = *model.abi().models[0];
  std::printf("{\"points\": %zu, \"states\": %zu, \"load\": %.6f, \"compile\": %.6f", n, m.n_x, model.seconds_load,
              model.seconds_compile);
  const std::pair<const char*, bolza_kind> kinds[] = {
      {"value", BOLZA_VALUE}, {"jacobian", BOLZA_JACOBIAN}, {"hessian", BOLZA_HESSIAN}};
  for (auto [name, kind] : kinds) {
    double total = 0;
    auto began = Clock::now();
    for (bolza_function* f : {m.rates, m.residuals})
      if (f && f->n_rows && !abi::ensure(model.abi(), *f, kind)) return 1;
    double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    for (bolza_function* f : {m.rates, m.residuals})
      if (f && f->n_rows) total += nanoseconds_per_point(*f, kind, m, n);
    std::printf(", \"%s_ns\": %.2f, \"%s_compile\": %.4f", name, total, name, seconds);
  }
  std::puts("}");
  return 0;
}
