#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# IPOPT's timing statistics say that factorisations by MUMPS took no time, where they take most of it.
#
# Version    coinor-libipopt 3.11.9-2.3+b1 of Debian 12, with its MUMPS, into a temporary folder
# Problem    minimise  Σ (x_i⁴/4 − x_i) + ½ Σ (x_i − x_j)²  over the edges of a grid of 200 × 200 points: a convex problem without
#            constraints, whose Hessian fills in
# Seen       With `print_timing_statistics yes`, LinearSystemFactorization is 0.000 s. LinearSystemBackSolve and
#            LinearSystemSymbolicFactorization are not, and StdAugSystemSolverMultiSolve, which holds all three, is larger than their sum
#            by more than the back-solves (2.25 s with 0.38, 0.00 and 0.20).
# For users  A profile by these numbers looks for the time in the wrong place: what is missing from the sum is the factorisation.
#
# Needs      Debian 12 on amd64, apt with its sources, g++. Fails (1) when this behaviour changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=3.11.9-2.3+b1
mkdir -p "$folder/archives/partial" "$folder/root"
touch "$folder/status"
apt-get -q -y -o Dir::State::status="$folder/status" -o Dir::Cache::archives="$folder/archives" -o Debug::NoLocking=1 \
  -o APT::Sandbox::User=root --no-install-recommends --download-only install "coinor-libipopt-dev=$version" >"$folder/log" 2>&1 ||
  { tail -n 5 "$folder/log"; echo "the packages could not be had"; exit 2; }
for package in "$folder"/archives/*.deb; do
  case $(basename "$package") in
    libc6* | libc-* | libcrypt* | libgcc* | libstdc++* | gcc-* | linux-libc-dev*) ;;  # the compiler's own
    *) dpkg-deb --extract "$package" "$folder/root" ;;
  esac
done

cat >"$folder/grid.cpp" <<'CPP'
#include <coin/IpIpoptApplication.hpp>
#include <coin/IpIpoptData.hpp>
#include <coin/IpTNLP.hpp>
#include <coin/IpTimingStatistics.hpp>
#include <cstdio>
#include <vector>

using Ipopt::Index;
using Ipopt::Number;

constexpr Index side = 200, points = side * side;

struct Grid : Ipopt::TNLP {
  std::vector<Index> a, b;  // ends of the edges, a > b
  Grid() {
    for (Index i = 0; i < side; ++i)
      for (Index j = 0; j < side; ++j) {
        Index k = i * side + j;
        if (j > 0) edge(k, k - 1);
        if (i > 0) edge(k, k - side);
      }
  }
  void edge(Index from, Index to) {
    a.push_back(from);
    b.push_back(to);
  }
  Index edges() const { return static_cast<Index>(a.size()); }

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) override {
    n = points;
    m = jacobian = 0;
    hessian = points + 3 * edges();
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index n, Number* low, Number* high, Index, Number*, Number*) override {
    for (Index k = 0; k < n; ++k) {
      low[k] = -1e20;
      high[k] = 1e20;
    }
    return true;
  }
  bool get_starting_point(Index n, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    for (Index k = 0; k < n; ++k) x[k] = 0.001 * (k % 997);
    return true;
  }
  bool eval_f(Index n, const Number* x, bool, Number& value) override {
    value = 0;
    for (Index k = 0; k < n; ++k) value += x[k] * x[k] * x[k] * x[k] / 4 - x[k];
    for (Index e = 0; e < edges(); ++e) value += 0.5 * (x[a[e]] - x[b[e]]) * (x[a[e]] - x[b[e]]);
    return true;
  }
  bool eval_grad_f(Index n, const Number* x, bool, Number* slope) override {
    for (Index k = 0; k < n; ++k) slope[k] = x[k] * x[k] * x[k] - 1;
    for (Index e = 0; e < edges(); ++e) {
      slope[a[e]] += x[a[e]] - x[b[e]];
      slope[b[e]] -= x[a[e]] - x[b[e]];
    }
    return true;
  }
  bool eval_g(Index, const Number*, bool, Index, Number*) override { return true; }
  bool eval_jac_g(Index, const Number*, bool, Index, Index, Index*, Index*, Number*) override { return true; }
  bool eval_h(Index n, const Number* x, bool, Number weight, Index, const Number*, bool, Index, Index* row, Index* column,
              Number* values) override {
    Index next = 0;
    auto put = [&](Index r, Index c, Number value) {
      if (values) values[next] = weight * value;
      else {
        row[next] = r;
        column[next] = c;
      }
      ++next;
    };
    for (Index k = 0; k < n; ++k) put(k, k, x ? 3 * x[k] * x[k] : 0);
    for (Index e = 0; e < edges(); ++e) {
      put(a[e], a[e], 1);
      put(b[e], b[e], 1);
      put(a[e], b[e], -1);
    }
    return true;
  }
  void finalize_solution(Ipopt::SolverReturn, Index, const Number*, const Number*, const Number*, Index, const Number*,
                         const Number*, Number, const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {}
};

int main() {
  Ipopt::SmartPtr<Ipopt::TNLP> grid = new Grid;
  Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication;
  application->Options()->SetIntegerValue("print_level", 0);
  application->Options()->SetStringValue("sb", "yes");
  application->Options()->SetStringValue("linear_solver", "mumps");
  application->Options()->SetStringValue("print_timing_statistics", "yes");
  application->Initialize("");
  bool solved = application->OptimizeTNLP(grid) == Ipopt::Solve_Succeeded;
  Ipopt::TimingStatistics& times = application->IpoptDataObject()->TimingStats();
  double all = times.StdAugSystemSolverMultiSolve().TotalWallclockTime(),
         factors = times.LinearSystemFactorization().TotalWallclockTime(),
         back = times.LinearSystemBackSolve().TotalWallclockTime(),
         symbolic = times.LinearSystemSymbolicFactorization().TotalWallclockTime();
  std::fprintf(stderr, "all %.3f s: symbolic %.3f, factorisation %.3f, back-solves %.3f\n", all, symbolic, factors, back);
  std::printf("RESULT %s, factorisation %s, back-solves %s, symbolic %s, what is missing is %s\n", solved ? "solved" : "not solved",
              factors == 0 ? "0" : "timed", back > 0 ? "timed" : "0", symbolic > 0 ? "timed" : "0",
              all - factors - back - symbolic > back ? "more than the back-solves" : "little");
}
CPP

libraries=$folder/root/usr/lib/x86_64-linux-gnu
g++ -std=c++17 -O1 -w -DHAVE_CSTDDEF -I"$folder/root/usr/include" -I"$folder/root/usr/include/coin" "$folder/grid.cpp" -o "$folder/grid" \
  -L"$libraries" -Wl,-rpath-link,"$libraries:$libraries/blas:$libraries/lapack" -lipopt
seen=$(LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack" "$folder/grid" | sed -n 's/^RESULT //p')
expected='solved, factorisation 0, back-solves timed, symbolic timed, what is missing is more than the back-solves'
echo "coinor-libipopt $version: $seen"
[ "$seen" = "$expected" ] || { echo "this has changed; expected was: $expected"; exit 1; }
