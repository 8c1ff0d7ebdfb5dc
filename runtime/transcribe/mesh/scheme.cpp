// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/mesh/scheme.h"

#include <array>

#include "runtime/linalg/collocation_points.h"
#include "runtime/linalg/lagrange.h"

namespace bolza::transcribe {
namespace {

/// Rows d = 0 … s-1 of the differential form: the polynomial through nodes 0 … s has the slope h f_j at c_j.
void add_slopes(Scheme& scheme) {
  std::size_t R = scheme.nodes(), s = scheme.points;
  std::span<const double> through(scheme.node.data(), s + 1);
  for (std::size_t j = 0; j < s; ++j) {
    std::vector<double> slope = linalg::lagrange_slopes(through, scheme.c[j]);
    for (std::size_t r = 0; r <= s; ++r) scheme.C[j * R + r] = slope[r];
    scheme.A[j * s + j] = 1;
  }
  scheme.polynomial_nodes = s + 1;
}

void reserve_rows(Scheme& scheme, std::size_t n_defects) {
  scheme.n_defects = n_defects;
  scheme.C.assign(n_defects * scheme.nodes(), 0);
  scheme.A.assign(n_defects * scheme.points, 0);
}

Scheme radau(std::size_t s) {
  Scheme scheme{.name = "radau", .points = s, .c = linalg::radau_points(s)};
  scheme.b = linalg::lagrange_integrals(scheme.c, 1);
  scheme.node = {0};
  for (std::size_t j = 0; j < s; ++j) {
    scheme.stage_node.push_back(scheme.node.size());
    scheme.node.push_back(scheme.c[j]);
  }
  reserve_rows(scheme, s);
  add_slopes(scheme);
  scheme.order = static_cast<int>(2 * s - 1);
  return scheme;
}

Scheme gauss(std::size_t s) {
  Scheme scheme{.name = "gauss", .points = s, .c = linalg::gauss_points(s), .b = linalg::gauss_weights(s)};
  scheme.node = {0};
  for (std::size_t j = 0; j < s; ++j) {
    scheme.stage_node.push_back(scheme.node.size());
    scheme.node.push_back(scheme.c[j]);
  }
  scheme.node.push_back(1);
  reserve_rows(scheme, s + 1);
  add_slopes(scheme);
  // The end row: the polynomial's value at 1. On the defects' zeros it is x_0 + h Σ b_j f_j, and its entries are constant.
  std::vector<double> end = linalg::lagrange_values({scheme.node.data(), s + 1}, 1);
  double* row = scheme.C.data() + s * scheme.nodes();
  for (std::size_t r = 0; r <= s; ++r) row[r] = -end[r];
  row[s + 1] = 1;
  scheme.order = static_cast<int>(2 * s);
  return scheme;
}

Scheme lobatto(std::size_t s) {
  Scheme scheme{.name = "lobatto", .points = s, .c = linalg::lobatto_points(s)};
  scheme.b = linalg::lagrange_integrals(scheme.c, 1);
  scheme.node = scheme.c;
  for (std::size_t j = 0; j < s; ++j) scheme.stage_node.push_back(j);
  reserve_rows(scheme, s - 1);
  for (std::size_t d = 0; d + 1 < s; ++d) {
    scheme.C[d * s] = -1;
    scheme.C[d * s + d + 1] = 1;
    std::vector<double> weight = linalg::lagrange_integrals(scheme.c, scheme.c[d + 1]);
    for (std::size_t j = 0; j < s; ++j) scheme.A[d * s + j] = weight[j];
  }
  scheme.order = static_cast<int>(2 * s - 2);
  return scheme;
}

Scheme euler(std::size_t) {
  Scheme scheme{.name = "euler", .points = 1, .c = {0}, .b = {1}, .node = {0, 1}, .stage_node = {0}};
  reserve_rows(scheme, 1);
  scheme.C = {-1, 1};
  scheme.A = {1};
  scheme.polynomial_nodes = 2;
  scheme.order = 1;
  return scheme;
}

Scheme renamed(Scheme scheme, std::string_view name) {
  scheme.name = name;
  return scheme;
}

Scheme implicit_euler(std::size_t) { return renamed(radau(1), "implicit-euler"); }
Scheme midpoint(std::size_t) { return renamed(gauss(1), "midpoint"); }
Scheme trapezoidal(std::size_t) { return renamed(lobatto(2), "trapezoidal"); }
Scheme hermite_simpson(std::size_t) { return renamed(lobatto(3), "hermite-simpson"); }

constexpr std::array table{
    SchemeFamily{"radau", "collocation at Radau IIA points, order 2s-1, stiffly accurate", 1, 20, 3, radau},
    SchemeFamily{"gauss", "collocation at Gauss-Legendre points, order 2s", 1, 20, 3, gauss},
    SchemeFamily{"lobatto", "collocation at Lobatto IIIA points, order 2s-2, ends shared", 2, 20, 3, lobatto},
    SchemeFamily{"euler", "explicit Euler, order 1", 1, 1, 1, euler},
    SchemeFamily{"implicit-euler", "implicit Euler (Radau IIA with one point), order 1", 1, 1, 1, implicit_euler},
    SchemeFamily{"trapezoidal", "trapezoidal rule (Lobatto IIIA with two points), order 2", 2, 2, 2, trapezoidal},
    SchemeFamily{"midpoint", "implicit midpoint rule (Gauss with one point), order 2", 1, 1, 1, midpoint},
    SchemeFamily{"hermite-simpson", "Hermite-Simpson (Lobatto IIIA with three points), order 4", 3, 3, 3, hermite_simpson},
};

}  // namespace

std::span<const SchemeFamily> schemes() { return table; }

const SchemeFamily* find_scheme(std::string_view name) {
  for (const SchemeFamily& method : table)
    if (method.name == name) return &method;
  return nullptr;
}

}  // namespace bolza::transcribe
