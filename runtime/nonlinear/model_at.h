// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "runtime/abi/solution.h"
#include "runtime/nonlinear/kernel_at.h"

namespace bolza::nonlinear {

/// A function's rows and their derivatives at one point.
struct Derivative {
  std::span<const std::int32_t> row, col;  ///< of the entries; col as in bolza_function
  std::vector<double> value;               ///< [entries]
};

/// The functions of one model at one point (t, x, z, u), in physical units, with the shared values of one run.
class ModelAt {
 public:
  /// Does not compile anything yet; kernels are asked for when first used.
  ModelAt(const bolza_problem& problem, const bolza_model& model, std::vector<double> shared);

  const bolza_model& model() const { return *model_; }
  const bolza_problem& problem() const { return *problem_; }
  std::vector<double> shared;  ///< [n_shared]

  struct Point {
    double t = 0;
    const double* x = nullptr;  ///< [n_x]
    const double* z = nullptr;  ///< [n_z]
    const double* u = nullptr;  ///< [n_u]
  };

  enum class Part {
    rates,
    residuals,
    initial,
    outputs,
    integrand,
    update,
    indicators,
    reinit,
    initial_update,
    conditions,
    delays
  };
  static constexpr std::size_t parts = 11;
  /// Rows of a part; false when the kernel is missing or a value is not finite (see `trouble`).
  bool value(Part part, const Point& p, std::span<double> rows);
  /// The part's function, null when the model has none.
  const bolza_function* part(Part p) const { return function(p); }
  /// Rows and entries; the patterns stay valid as long as the model. `rows` may be empty.
  bool jacobian(Part part, const Point& p, std::span<double> rows, Derivative& derivative);
  /// The entries; where one is not finite though the rows are, as for sqrt(a² + b²) at zero, those of a point 1e-8 away:
  /// for iterations they are as good.
  bool jacobian_nearby(Part part, const Point& p, Derivative& derivative);
  /// Adds Σ weight_r d row_r to `gradient` [point rows + global shared values]; rows without a weight count 0.
  bool vjp(Part part, const Point& p, std::span<const double> weight, std::span<double> gradient);
  /// Σ weight_r d² row_r as its lower triangle.
  bool hessian(Part part, const Point& p, std::span<const double> weight, Derivative& second);

  /// What the last false was about.
  struct Trouble {
    std::string text;  ///< "`der(x) = sqrt(x)` is not finite"
    std::string name;  ///< of the row
    bolza_source source{};
    double time = 0;
    std::shared_ptr<const abi::NonfinitePlace> place;  ///< null: it was not an evaluation that failed
  };
  const Trouble& trouble() const { return trouble_; }
  /// While it lives, evaluations fail, without trouble of their own, from when the budget has ended: so an integration ends
  /// within a step. The clock is read at every sixteenth of them.
  class Watched {
   public:
    Watched(ModelAt& model, const Budget& budget) : model_(model), before_(model.watch_) {
      model.watch_ = {.budget = &budget};
    }
    ~Watched() { model_.watch_ = before_; }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    struct Watch {
      const Budget* budget = nullptr;
      unsigned evaluations = 0;
      bool has_ended = false;
      bool ends();
    };
    friend class ModelAt;
    ModelAt& model_;
    Watch before_;
  };

  /// What an integration over the model has to say about its failure.
  void note(std::string text, double t, std::shared_ptr<const abi::NonfinitePlace> place = nullptr) {
    trouble_ = {std::move(text), "", {}, t, std::move(place)};
  }

 private:
  struct Kernels {
    bool asked[4] = {false, false, false, false};
    KernelAt kernel[4];  ///< value, Jacobian, vjp, Hessian
  };
  enum Kind : std::uint8_t { values, jacobians, products, hessians };
  /// Null: not available, ended, or not finite; `may_be_read` tells the last from the others.
  KernelAt* run(Part part, Kind kind, const Point& p, std::span<const double> weight = {});
  bool may_be_read(Part part, Kind kind) const;
  void explain(const KernelAt& kernel, Kind kind, double t);
  bolza_function* function(Part part) const;

  const bolza_problem* problem_;
  const bolza_model* model_;
  Kernels kernels_[parts];
  Derivative product_;
  Trouble trouble_;
  Watched::Watch watch_;
};

/// Shared values of a phase: its data with the problem's start values of parameters (or `parameters` when given) in place.
std::vector<double> shared_of(const bolza_problem& problem, std::size_t phase, std::span<const double> parameters = {});

/// The trouble as a finding of a report.
abi::Finding finding_of(const ModelAt::Trouble& trouble);

/// |nominal|, or 1 when none is given.
double size_of(const bolza_variable& variable);

/// Guess, else start, moved into the bounds; 0 when neither is finite.
double guess_of(const bolza_variable& variable);

}  // namespace bolza::nonlinear
