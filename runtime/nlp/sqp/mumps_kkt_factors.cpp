// SPDX-License-Identifier: Apache-2.0
// MUMPS [MUMPS]: LDL' of a sparse symmetric indefinite matrix with its inertia.
#include <dmumps_c.h>

#include <algorithm>
#include <vector>

#include "runtime/nlp/mumps_turn.h"
#include "runtime/nlp/sqp/kkt_factors.h"

namespace bolza::nlp {
namespace {

constexpr int begin_instance = -1, end_instance = -2, analyse = 1, factorise = 2, back_substitute = 3;
constexpr int singular_matrix = -10, too_little_memory = -9, too_little_integer_memory = -8;

class MumpsKktFactors final : public KktFactors {
 public:
  MumpsKktFactors(std::size_t n, std::size_t m, const Pattern& hessian, const Pattern& jacobian)
      : hessian_entries_(hessian.size()),
        jacobian_entries_(jacobian.size()) {
    place(hessian, 0);
    for (std::size_t v = 0; v < n; ++v) place(v, v);
    place(jacobian, n);
    for (std::size_t r = 0; r < m; ++r) place(n + r, n + r);
    values_.resize(row_.size());
    mumps_.par = 1;
    mumps_.sym = 2;
    mumps_.comm_fortran = -987654;
    call(begin_instance);
    for (int stream = 1; stream <= 4; ++stream) control(stream) = stream < 4 ? -1 : 0;  // silence
    control(6) = 0;                                                                     // no permutation for large diagonals
    control(7) = 5;
    control(13) = 1;
    control(14) = 100;      // orderings as IPOPT has them; inertia of the root; spare memory, %
    mumps_.cntl[0] = 1e-6;  // pivots
    mumps_.n = static_cast<MUMPS_INT>(n + m);
    mumps_.nnz = static_cast<MUMPS_INT8>(values_.size());
    mumps_.irn = row_.data();
    mumps_.jcn = column_.data();
    mumps_.a = values_.data();
    call(analyse);
    usable_ = mumps_.infog[0] >= 0;
  }
  ~MumpsKktFactors() override { call(end_instance); }
  MumpsKktFactors(const MumpsKktFactors&) = delete;
  MumpsKktFactors& operator=(const MumpsKktFactors&) = delete;

  bool factor(std::span<const double> hessian, std::span<const double> jacobian, std::span<const double> sigma,
              std::span<const double> delta) override {
    if (!usable_) return false;
    auto to = std::copy(hessian.begin(), hessian.begin() + static_cast<std::ptrdiff_t>(hessian_entries_), values_.begin());
    to = std::copy(sigma.begin(), sigma.end(), to);
    to = std::copy(jacobian.begin(), jacobian.begin() + static_cast<std::ptrdiff_t>(jacobian_entries_), to);
    std::transform(delta.begin(), delta.end(), to, [](double d) { return -d; });
    for (int attempt = 0; attempt < 5; ++attempt) {
      call(factorise);
      int outcome = mumps_.infog[0];
      inertia_ = {static_cast<std::size_t>(mumps_.infog[11]), outcome == singular_matrix};
      if (outcome != too_little_memory && outcome != too_little_integer_memory) return outcome >= 0;
      control(14) *= 2;
    }
    return false;
  }

  Inertia inertia() const override { return inertia_; }

  void solve(std::span<double> rhs) override {
    mumps_.rhs = rhs.data();
    call(back_substitute);
  }

 private:
  MUMPS_INT& control(int number) { return mumps_.icntl[number - 1]; }
  void call(int job) {
    mumps_.job = job;
    dmumps_c(&mumps_);
  }
  void place(std::size_t row, std::size_t column) {
    row_.push_back(static_cast<MUMPS_INT>(row) + 1);
    column_.push_back(static_cast<MUMPS_INT>(column) + 1);
  }
  void place(const Pattern& pattern, std::size_t first_row) {
    for (std::size_t k = 0; k < pattern.size(); ++k)
      place(static_cast<std::size_t>(pattern.row[k]) + first_row, static_cast<std::size_t>(pattern.col[k]));
  }

  MumpsTurn turn_;
  std::size_t hessian_entries_, jacobian_entries_;
  std::vector<MUMPS_INT> row_, column_;
  std::vector<double> values_;
  DMUMPS_STRUC_C mumps_{};
  Inertia inertia_;
  bool usable_ = false;
};

}  // namespace

std::unique_ptr<KktFactors> mumps_kkt_factors(std::size_t n, std::size_t m, const Pattern& hessian,
                                              const Pattern& jacobian) {
  return std::make_unique<MumpsKktFactors>(n, m, hessian, jacobian);
}

}  // namespace bolza::nlp
