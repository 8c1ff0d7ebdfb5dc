// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/shared_algebraics.h"

#include <optional>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::transcribe {
namespace {

/// The equations of one mesh point, and what the Lagrangian's other terms make of its algebraic variables.
struct SharedEquations {
  Eigen::MatrixXd h_z, h_x;       // [n_z × n_z], [n_z × n_x]
  Eigen::VectorXd before, point;  // S⁻, Φ [n_z]
};

/// What a variable or row is of a mesh point.
struct SharedPlace {
  enum class Kind : std::uint8_t { none, state, algebraic };
  Kind kind = Kind::none;
  Eigen::Index index = 0;
  std::size_t i = 0;
};

class SharedAlgebraics {
 public:
  SharedAlgebraics(const Transcription& t, std::size_t number, std::int32_t first_interval)
      : t_(t),
        phase_(t.phases[number]),
        first_(first_interval),
        variable_(t.nlp.n()),
        row_(t.nlp.m()) {
    std::size_t nx = phase_.model->n_x, nz = phase_.model->n_z, s = t.scheme.points;
    auto size = static_cast<Eigen::Index>(nz);
    equations_.assign(phase_.N + 1,
                      {Eigen::MatrixXd::Zero(size, size), Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(nx)),
                       Eigen::VectorXd::Zero(size), Eigen::VectorXd::Zero(size)});
    for (std::size_t i = 0; i <= phase_.N; ++i) {
      for (std::size_t a = 0; a < nx; ++a)
        variable_[phase_.mesh_state(t.scheme, a) + i] = {SharedPlace::Kind::state, static_cast<Eigen::Index>(a), i};
      for (std::size_t b = 0; b < nz; ++b) {
        variable_[phase_.z[b * s] + i] = {SharedPlace::Kind::algebraic, static_cast<Eigen::Index>(b), i};
        row_[row_of_equation(b, i)] = {SharedPlace::Kind::algebraic, static_cast<Eigen::Index>(b), i};
      }
    }
  }

  void collect(const double* jacobian, const std::vector<double>& lambda) {
    const nlp::Nlp& nlp = t_.nlp;
    for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
      auto row = static_cast<std::size_t>(nlp.jacobian.row[k]);
      const SharedPlace& column = variable_[static_cast<std::size_t>(nlp.jacobian.col[k])];
      if (column.kind == SharedPlace::Kind::none) continue;
      SharedEquations& at = equations_[column.i];
      bool is_algebraic = column.kind == SharedPlace::Kind::algebraic;
      if (const SharedPlace& equation = row_[row]; equation.kind != SharedPlace::Kind::none)
        (is_algebraic ? at.h_z : at.h_x)(equation.index, column.index) += jacobian[k];
      else if (is_algebraic) add(at, column, nlp.row_role[row], nlp.row_interval[row], jacobian[k] * lambda[row]);
    }
    for (const GradientRun& run : t_.plan.gradient) {
      const double* values = t_.evaluator->gradient_entries() + run.first;
      for (std::size_t k = 0; k < run.count; ++k) {
        const SharedPlace& place = variable_[run.col + k];
        if (place.kind != SharedPlace::Kind::algebraic) continue;
        if (run.of_point) equations_[place.i].point(place.index) += values[k];
        else if (place.i != k) equations_[place.i].before(place.index) += values[k];  // the right end of interval k
      }
    }
  }

  void correct(Costates& costates) const {
    for (std::size_t i = 0; i <= phase_.N; ++i) {
      const SharedEquations& at = equations_[i];
      Eigen::MatrixXd right(at.before.size(), 2);
      right << at.before, at.point;
      std::optional<Eigen::MatrixXd> shares = linalg::solve_if_regular(at.h_z.transpose(), right);
      if (!shares) continue;
      Eigen::MatrixXd by_state = at.h_x.transpose() * *shares;
      bool is_end = i == phase_.N;
      for (std::size_t a = 0; a < phase_.model->n_x; ++a) {
        auto row = static_cast<Eigen::Index>(a);
        if (is_end) costates.jump[a][i] += by_state(row, 0);
        else {
          costates.after[a][i] += by_state(row, 0) + by_state(row, 1);
          costates.jump[a][i] -= by_state(row, 1);
        }
      }
    }
  }

 private:
  std::size_t row_of_equation(std::size_t b, std::size_t i) const {
    return i == phase_.N ? phase_.end_point()->algebraic[b] : phase_.algebraic[b * phase_.row_stages] + i;
  }
  void add(SharedEquations& at, const SharedPlace& column, nlp::RowRole role, std::int32_t interval, double value) const {
    if (role == nlp::RowRole::point || role == nlp::RowRole::point_value) at.point(column.index) += value;
    else if (column.i > 0 && interval == first_ + static_cast<std::int32_t>(column.i) - 1) at.before(column.index) += value;
  }

  const Transcription& t_;
  const PhaseLayout& phase_;
  std::int32_t first_;
  std::vector<SharedPlace> variable_, row_;
  std::vector<SharedEquations> equations_;  // [N + 1]
};

}  // namespace

void split_shared_algebraics(const Transcription& t, const double* jacobian, const std::vector<double>& lambda,
                             std::vector<Costates>& all) {
  std::int32_t first = 0;
  for (std::size_t p = 0; p < t.phases.size(); ++p) {
    const PhaseLayout& phase = t.phases[p];
    if (phase.ends_shared && phase.model->n_z > 0) {
      SharedAlgebraics shared(t, p, first);
      shared.collect(jacobian, lambda);
      shared.correct(all[p]);
    }
    first += static_cast<std::int32_t>(phase.N);
  }
}

}  // namespace bolza::transcribe
