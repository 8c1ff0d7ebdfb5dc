// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/report/idle.h"

#include <algorithm>

namespace bolza::workflow {
namespace {

/// Which inputs of a function its groups read: slots are positions.
void mark_read(const ir::Function& function, std::vector<bool>& read) {
  for (const ir::Group& group : function.section.groups)
    for (const ir::Column& column : group.slots)
      for (std::size_t k = 0; k < group.n; ++k)
        if (std::size_t at = column[k].index(); at < read.size()) read[at] = true;
}

/// Positions that the functions of a model read: its point rows, then its shared entries.
std::vector<bool> read_by(const ir::Problem& m) {
  std::vector<bool> read(1 + m.x.size() + m.z.size() + m.u.size() + m.shared.size());
  for (const ir::Function* f : {&m.rates, &m.residuals, &m.initial, &m.integrand_residuals}) mark_read(*f, read);
  return read;
}

class Idle {
 public:
  explicit Idle(const Model& model) : problem_(model.problem) {}

  std::vector<std::string> run() {
    std::vector<const ir::Problem*> models = ir::models_of(problem_);
    shared_read_.assign(problem_.shared.size(), false);
    mark_point();
    for (std::size_t p = 0; p < models.size(); ++p) look_at(p, *models[p]);
    for (std::size_t k = 0; k < problem_.n_global && k < problem_.shared.size(); ++k) {
      const ir::Variable& v = ir::variable_of(problem_.flat, problem_.shared[k]);
      bool is_parameter = v.kind == ir::VariableKind::parameter && !problem_.shared_numbers[k].fixed;
      if (is_parameter && !shared_read_[k]) found_.push_back(ir::name_of(problem_.flat, problem_.shared[k]));
    }
    return std::move(found_);
  }

 private:
  /// The point function: values V and Q before its shared entries.
  void mark_point() {
    std::vector<bool> read(problem_.point.n_point + problem_.shared.size());
    mark_read(problem_.point, read);
    for (std::size_t k = 0; k < problem_.shared.size(); ++k) shared_read_[k] = read[problem_.point.n_point + k];
  }

  void look_at(std::size_t phase, const ir::Problem& m) {
    std::vector<bool> read = read_by(m);
    std::size_t before = 1 + m.x.size() + m.z.size(), first_shared = before + m.u.size();
    for (std::size_t k = 0; k < m.shared.size(); ++k) {
      bool is_phase = phase < problem_.phases.size();
      std::size_t global = is_phase && k < problem_.phases[phase].parameter.size() ? problem_.phases[phase].parameter[k] : k;
      if (read[first_shared + k] && global < shared_read_.size() && k < m.n_global) shared_read_[global] = true;
    }
    for (std::size_t k = 0; k < m.u.size(); ++k) {
      bool is_input = ir::variable_of(problem_.flat, m.u[k]).kind == ir::VariableKind::input;
      if (is_input && !read[before + k] && !is_point_value(phase, k)) found_.push_back(ir::name_of(problem_.flat, m.u[k]));
    }
  }

  bool is_point_value(std::size_t phase, std::size_t control) const {
    return std::ranges::any_of(problem_.values, [&](const ir::PointValue& value) {
      bool of_control = value.quantity == ir::PointQuantity::control && value.index == control;
      return of_control && problem_.places[value.place].phase == phase;
    });
  }

  const ir::Problem& problem_;
  std::vector<bool> shared_read_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> idle_decisions(const Model& model) { return Idle(model).run(); }

std::string text_of_idle(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k ? ", `" : "`") + names[k] + "`";
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace bolza::workflow
