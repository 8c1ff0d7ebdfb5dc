// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/problem_tables_internal.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "compiler/ir/print.h"

namespace bolza::codegen {
namespace {

bolza_quantity quantity_of(ir::PointQuantity quantity) {
  switch (quantity) {
    case ir::PointQuantity::state:
      return BOLZA_STATE;
    case ir::PointQuantity::algebraic:
      return BOLZA_ALGEBRAIC;
    case ir::PointQuantity::control:
      return BOLZA_CONTROL;
    case ir::PointQuantity::rate:
      return BOLZA_RATE;
    case ir::PointQuantity::integral:
      return BOLZA_INTEGRAL;
  }
  return BOLZA_STATE;
}

bolza_place place_of(const ir::TimePlace& place) {
  return {static_cast<std::int32_t>(place.phase), place.on_start, place.on_final, place.offset};
}

}  // namespace

ProblemTables::ProblemTables(ir::Problem problem, const Sources& sources)
    : problem_(std::move(problem)),
      derivatives_(problem_.flat.expressions) {
  auto add = [this](const ir::Problem& model, const ir::Function& function, const char* name, std::size_t n_point,
                    bool batch, Patterns patterns) { return add_function(model, function, name, n_point, batch, patterns); };
  name_ = texts_.keep(problem_.flat.name);
  for (std::size_t k = 0; k < n_models(); ++k)
    models_.push_back(std::make_unique<ModelTables>(model(k), problem_.flat,
                                                    problem_.phases.empty() ? name_ : texts_.keep(problem_.phases[k].name),
                                                    texts_, sources, add));
  shared_ = variables_of(problem_.flat, problem_.x, problem_.shared, problem_.shared_numbers, texts_, sources);
  fill_phases();
  fill_problem();
  fill_point_rows(sources);
  set_numbers();
}

FunctionTables* ProblemTables::find(const bolza_function* function) {
  for (const auto& tables : functions_)
    if (&tables->abi() == function) return tables.get();
  return nullptr;
}

bolza_function* ProblemTables::add_function(const ir::Problem& model, const ir::Function& function, const char* name,
                                            std::size_t n_point, bool batch, Patterns patterns) {
  ir::Function complete = function;
  complete.n_point = static_cast<std::uint32_t>(n_point);  // a function without groups need not have said it
  complete.n_shared = static_cast<std::uint32_t>(model.shared.size());
  functions_.push_back(std::make_unique<FunctionTables>(problem_.flat.expressions, derivatives_, complete, name,
                                                        model.n_global, batch, patterns));
  return &functions_.back()->abi();
}

void ProblemTables::fill_phases() {
  parameters_.resize(n_models());
  for (std::size_t k = 0; k < n_models(); ++k) {
    for (std::uint32_t g = 0; g < model(k).n_global; ++g)
      parameters_[k].push_back(static_cast<std::int32_t>(problem_.phases.empty() ? g : problem_.phases[k].parameter[g]));
    const bolza_model& m = models_[k]->abi();
    phases_.push_back({m.name, k, models_[k]->shared_values().data(), parameters_[k].data()});
    model_pointers_.push_back(&models_[k]->abi());
  }
}

void ProblemTables::fill_problem() {
  const ir::Problem& p = problem_;
  shared_values_ = p.shared_values;
  for (const ir::TimePlace& place : p.places) places_.push_back(place_of(place));
  for (const ir::PointValue& value : p.values)
    values_.push_back(
        {quantity_of(value.quantity), static_cast<std::int32_t>(value.place), static_cast<std::int32_t>(value.index)});
  bolza_problem& a = abi_;
  a.version = BOLZA_ABI_VERSION;
  a.name = name_;
  a.n_models = models_.size();
  a.models = model_pointers_.data();
  a.n_phases = phases_.size();
  a.phases = phases_.data();
  a.n_parameters = p.n_global;
  a.parameters = shared_.data();
  a.n_places = places_.size();
  a.places = places_.data();
  a.n_values = values_.size();
  a.values = values_.data();
  a.n_k = p.n_k;
  a.n_r = p.n_r;
  a.point = p.point.section.n_rows ? add_function(p, p.point, "point", p.values.size(), false, Patterns::at_once) : nullptr;
  a.point_data = shared_values_.data() + p.n_global;
  a.least_squares = p.point_is_least_squares;
  a.maximize = p.maximize;
  a.is_static = p.is_static;
  a.is_optimization = p.is_optimization;
}

void ProblemTables::fill_point_rows(const Sources& sources) {
  if (!abi_.point) return;
  const ir::Problem& p = problem_;
  point_rows_ = rows_of(p.flat, p.point, texts_, sources);
  name_rows(p.flat, p.point_rows, 1, texts_, sources, point_rows_);
  point_rows_[0].name = "objective";
  number_rows(point_rows_, 1 + p.n_k, "residual ", texts_);
  abi_.point->rows = point_rows_.data();
}

void ProblemTables::set_numbers() {
  for (const auto& tables : models_) tables->set_numbers();
  codegen::set_numbers(shared_, problem_.shared_numbers);
  for (std::size_t k = 0; k < shared_.size(); ++k) set_own_shared(k, problem_.shared_values[k]);
  for (std::size_t k = 0; k < places_.size(); ++k) places_[k] = place_of(problem_.places[k]);
  if (abi_.point) set_sides(problem_.point_rows, 1, point_rows_);
}

void ProblemTables::set_own_shared(std::size_t k, double value) {
  shared_values_[k] = value;
  problem_.shared_values[k] = value;
  if (shared_[k].fixed || k >= problem_.n_global) shared_[k].start = value;
}

void ProblemTables::set_shared(std::size_t k, double value) {
  set_own_shared(k, value);
  for (std::size_t m = 0; m < n_models(); ++m)
    for (std::size_t i = 0; i < model(m).shared.size(); ++i)
      if (model(m).shared[i] == problem_.shared[k]) {
        model(m).shared_values[i] = value;
        models_[m]->set_shared(i, value);
      }
}

std::string ProblemTables::value_name(std::size_t k) const {
  const ir::PointValue& value = problem_.values[k];
  bool integral = value.quantity == ir::PointQuantity::integral;
  std::size_t phase = integral ? value.place : problem_.places[value.place].phase;
  const ir::Problem& m = problem_.models.empty() ? problem_ : problem_.models[phase];
  auto at = [&](ir::VariableId id) {
    const ir::TimePlace& place = problem_.places[value.place];
    std::string time = ir::to_text(place.offset);
    if (place.on_start == 1 && place.on_final == 0 && place.offset == 0) time = "startTime";
    else if (place.on_final == 1 && place.on_start == 0 && place.offset == 0) time = "finalTime";
    return ir::name_of(problem_.flat, id) + "(" + time + ")";
  };
  switch (value.quantity) {
    case ir::PointQuantity::state:
      return at(m.x[value.index]);
    case ir::PointQuantity::algebraic:
      return at(m.z[value.index]);
    case ir::PointQuantity::control:
      return at(m.u[value.index]);
    case ir::PointQuantity::rate:
      return "der " + at(m.x[value.index]);
    case ir::PointQuantity::integral:
      return "integral " + std::to_string(value.index + 1) +
             (problem_.phases.empty() ? "" : " of " + problem_.phases[phase].name);
  }
  return "";
}

std::string ProblemTables::input_name(const FunctionTables& function, std::uint32_t position) const {
  const bolza_function& f = const_cast<FunctionTables&>(function).abi();
  if (&f == abi_.point) return position < f.n_point ? value_name(position) : shared_[position - f.n_point].name;
  for (const auto& tables : models_)
    if (tables->owns(&f)) return tables->input_name(f, position);
  return "input " + std::to_string(position);
}

}  // namespace bolza::codegen
