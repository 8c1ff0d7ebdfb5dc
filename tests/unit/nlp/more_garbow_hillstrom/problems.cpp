// SPDX-License-Identifier: Apache-2.0
// Sums of squares of [MGH1981]; optima are printed there with six digits, more are those of the formulas.
#include <array>
#include <cmath>

#include "tests/unit/nlp/more_garbow_hillstrom/more_garbow_hillstrom.h"

namespace bolza::nlp::testing {
namespace {

Residuals freudenstein_roth(X x) {
  return {-13 + x[1] + ((5 - x[2]) * x[2] - 2) * x[2], -29 + x[1] + ((x[2] + 1) * x[2] - 14) * x[2]};
}

Residuals beale(X x) {
  return {1.5 - x[1] * (1 - x[2]), 2.25 - x[1] * (1 - square(x[2])), 2.625 - x[1] * (1 - power(x[2], 3))};
}

Residuals jennrich_sampson(X x) {
  Residuals r;
  for (int i = 1; i <= 10; ++i) r.push_back(2 + 2 * i - (exp(i * x[1]) + exp(i * x[2])));
  return r;
}

Residuals bard(X x) {
  constexpr std::array<double, 15> y{0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39,
                                     0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
  Residuals r;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double u = static_cast<double>(i + 1), v = 16 - u, w = std::min(u, v);
    r.push_back(y[i] - (x[1] + u / (v * x[2] + w * x[3])));
  }
  return r;
}

Residuals gaussian(X x) {
  constexpr std::array<double, 15> y{0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989,
                                     0.3521, 0.2420, 0.1295, 0.0540, 0.0175, 0.0044, 0.0009};
  Residuals r;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double t = (7 - static_cast<double>(i)) / 2;
    r.push_back(x[1] * exp(-x[2] * square(t - x[3]) / 2) - y[i]);
  }
  return r;
}

Residuals meyer(X x) {
  constexpr std::array<double, 16> y{34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                                     8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};
  Residuals r;
  for (std::size_t i = 0; i < y.size(); ++i) r.push_back(x[1] * exp(x[2] / (50 + 5 * static_cast<double>(i) + x[3])) - y[i]);
  return r;
}

Residuals box(X x) {
  Residuals r;
  for (int i = 1; i <= 10; ++i) {
    double t = 0.1 * i;
    r.push_back(exp(-t * x[1]) - exp(-t * x[2]) - x[3] * (std::exp(-t) - std::exp(-10 * t)));
  }
  return r;
}

Residuals powell_singular(X x) {
  return {x[1] + 10 * x[2], std::sqrt(5.0) * (x[3] - x[4]), square(x[2] - 2 * x[3]), std::sqrt(10.0) * square(x[1] - x[4])};
}

Residuals kowalik_osborne(X x) {
  constexpr std::array<double, 11> y{0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246};
  constexpr std::array<double, 11> u{4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625};
  Residuals r;
  for (std::size_t i = 0; i < y.size(); ++i)
    r.push_back(y[i] - x[1] * (u[i] * u[i] + u[i] * x[2]) / (u[i] * u[i] + u[i] * x[3] + x[4]));
  return r;
}

Residuals brown_dennis(X x) {
  Residuals r;
  for (int i = 1; i <= 20; ++i) {
    double t = i / 5.0;
    r.push_back(square(x[1] + t * x[2] - std::exp(t)) + square(x[3] + std::sin(t) * x[4] - std::cos(t)));
  }
  return r;
}

Residuals osborne(X x) {
  constexpr std::array<double, 33> y{0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751,
                                     0.718, 0.685, 0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490,
                                     0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406};
  Residuals r;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double t = 10 * static_cast<double>(i);
    r.push_back(y[i] - (x[1] + x[2] * exp(-t * x[4]) + x[3] * exp(-t * x[5])));
  }
  return r;
}

Residuals variably_dimensioned(X x) {
  Residuals r;
  SecondOrder sum;
  for (int j = 1; j <= x.size(); ++j) {
    r.push_back(x[j] - 1);
    sum += j * (x[j] - 1);
  }
  r.push_back(sum);
  r.push_back(square(sum));
  return r;
}

}  // namespace

std::vector<MoreGarbowHillstrom> more_garbow_hillstrom() {
  return {
      {2, "Freudenstein and Roth", {.start = {0.5, -2}, .residuals = freudenstein_roth}, 0, {48.98425368}},
      {3,
       "Powell, badly scaled",
       {.start = {0, 1},
        .residuals = [](X x) -> Residuals { return {1e4 * x[1] * x[2] - 1, exp(-x[1]) + exp(-x[2]) - 1.0001}; }},
       0},
      {4,
       "Brown, badly scaled",
       {.start = {1, 1}, .residuals = [](X x) -> Residuals { return {x[1] - 1e6, x[2] - 2e-6, x[1] * x[2] - 2}; }},
       0},
      {5, "Beale", {.start = {1, 1}, .residuals = beale}, 0},
      {6, "Jennrich and Sampson", {.start = {0.3, 0.4}, .residuals = jennrich_sampson}, 124.362182, {2020}},
      {8, "Bard", {.start = {1, 1, 1}, .residuals = bard}, 8.214877e-3, {17.42869}},
      {9, "Gaussian", {.start = {0.4, 1, 0}, .residuals = gaussian}, 1.12793e-8},
      {10, "Meyer", {.start = {0.02, 4000, 250}, .residuals = meyer}, 87.945855},
      {12, "Box, three-dimensional", {.start = {0, 10, 20}, .residuals = box}, 0},
      {13, "Powell, singular", {.start = {3, -1, 0, 1}, .residuals = powell_singular}, 0},
      {15,
       "Kowalik and Osborne",
       {.start = {0.25, 0.39, 0.415, 0.39}, .residuals = kowalik_osborne},
       3.07505e-4,
       {1.02734e-3}},
      {16, "Brown and Dennis", {.start = {25, 5, -5, -1}, .residuals = brown_dennis}, 85822.2016},
      {17, "Osborne 1", {.start = {0.5, 1.5, -1, 0.01, 0.02}, .residuals = osborne}, 5.46489e-5},
      {25, "variably dimensioned", {.start = {0.75, 0.5, 0.25, 0}, .residuals = variably_dimensioned}, 0},
  };
}

}  // namespace bolza::nlp::testing
