#include "compiler/codegen/problem_tables_internal.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "compiler/ir/print.h"

namespace bolza::codegen {
namespace {

void set_numbers(bolza_variable& v, const ir::Numbers& n) {
  v.start = n.start, v.min = n.min, v.max = n.max, v.nominal = n.nominal, v.guess = n.guess;
  v.has_start = n.has_start, v.has_nominal = n.has_nominal, v.has_guess = n.has_guess;
  v.fixed = n.fixed;
}

void set_numbers(std::vector<bolza_variable>& variables, const std::vector<ir::Numbers>& numbers) {
  for (std::size_t k = 0; k < variables.size(); ++k) set_numbers(variables[k], numbers[k]);
}

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

/// As bolza_variable.type numbers them; text is none of a problem's variables.
std::uint8_t type_of(ir::ValueType type) {
  switch (type) {
    case ir::ValueType::integer:
      return 1;
    case ir::ValueType::boolean:
      return 2;
    case ir::ValueType::enumeration:
      return 3;
    default:
      return 0;
  }
}

bolza_place place_of(const ir::TimePlace& place) { return {0, place.on_start, place.on_final, place.offset}; }

}  // namespace

const char* Texts::keep(std::string text) { return all_.emplace_back(std::move(text)).c_str(); }

bolza_source Texts::place(const Sources& sources, Span span) {
  if (!span) return {"", 0, 0};
  const char*& path = paths_[span.file.value];
  if (!path) path = keep(std::string(sources.path(span.file)));
  Place at = sources.place(span.file, span.begin);
  return {path, static_cast<std::int32_t>(at.line), static_cast<std::int32_t>(at.column)};
}

ProblemTables::ProblemTables(ir::Problem problem, const Sources& sources)
    : problem_(std::move(problem)),
      derivatives_(problem_.flat.expressions) {
  fill_model(sources);
  fill_problem();
  fill_rows(sources);
  fill_hybrid(sources);
  fill_results(sources);
  fill_numbers();
}

FunctionTables* ProblemTables::find(const bolza_function* function) {
  for (const auto& tables : functions_)
    if (&tables->abi() == function) return tables.get();
  return nullptr;
}

bolza_function* ProblemTables::add_function(const ir::Function& function, const char* name, std::size_t n_point, bool batch,
                                            Patterns patterns) {
  ir::Function complete = function;
  complete.n_point = static_cast<std::uint32_t>(n_point);  // a function without groups need not have said it
  complete.n_shared = static_cast<std::uint32_t>(problem_.shared.size());
  functions_.push_back(std::make_unique<FunctionTables>(problem_.flat.expressions, derivatives_, complete, name,
                                                        problem_.n_global, batch, patterns));
  return &functions_.back()->abi();
}

std::vector<bolza_variable> ProblemTables::variables(const std::vector<ir::VariableId>& ids,
                                                     const std::vector<ir::Numbers>& numbers, const Sources& sources) {
  std::vector<bolza_variable> result;
  std::map<std::uint32_t, std::int32_t> state_of;
  for (std::size_t k = 0; k < problem_.x.size(); ++k) state_of[problem_.x[k].value] = static_cast<std::int32_t>(k);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const ir::Variable& declared = ir::variable_of(problem_.flat, ids[k]);
    bolza_variable& v = result.emplace_back();
    v.name = texts_.keep(ir::name_of(problem_.flat, ids[k]));
    v.unit = texts_.keep(declared.unit);
    v.description = texts_.keep(declared.description);
    v.source = texts_.place(sources, declared.span);
    v.of = -1;
    v.type = type_of(declared.type);
    set_numbers(v, numbers[k]);
    if (declared.kind != ir::VariableKind::derivative || !declared.of) continue;
    auto state = state_of.find(declared.of.value + (ids[k].value - declared.first.value));
    if (state == state_of.end() || state_of.contains(ids[k].value)) continue;
    v.is_derivative = 1;
    v.of = state->second;
  }
  return result;
}

void ProblemTables::fill_model(const Sources& sources) {
  const ir::Problem& p = problem_;
  std::size_t n_point = 1 + p.x.size() + p.z.size() + p.u.size();
  x_ = variables(p.x, p.x_numbers, sources);
  z_ = variables(p.z, p.z_numbers, sources);
  u_ = variables(p.u, p.u_numbers, sources);
  shared_ = variables(p.shared, p.shared_numbers, sources);
  shared_values_ = p.shared_values;
  bolza_model& m = model_;
  m.name = texts_.keep(p.flat.name);
  m.n_x = x_.size(), m.n_z = z_.size(), m.n_u = u_.size(), m.n_q = p.n_q, m.n_g = p.n_g;
  m.n_initial = p.initial.section.n_rows;
  m.n_shared = p.shared.size(), m.n_global = p.n_global;
  m.x = x_.data(), m.z = z_.data(), m.u = u_.data(), m.shared = shared_.data();
  m.shared_values = shared_values_.data();
  m.index = static_cast<std::int32_t>(p.structure.remaining_index);
  for (const auto* indices : {&p.x_index, &p.z_index})
    for (std::uint32_t index : *indices) variable_index_.push_back(static_cast<std::int32_t>(index));
  m.variable_index = variable_index_.data();
  m.rates = add_function(p.rates, "rates", n_point, true);
  m.residuals = add_function(p.residuals, "residuals", n_point, true);
  m.initial = m.n_initial ? add_function(p.initial, "initial", n_point, false) : nullptr;
  m.outputs = p.outputs.section.n_rows ? add_function(p.outputs, "outputs", n_point, true) : nullptr;
  m.integrand_residuals = p.integrand_residuals.section.n_rows
                              ? add_function(p.integrand_residuals, "integrand_residuals", n_point, true)
                              : nullptr;
}

void ProblemTables::fill_problem() {
  const ir::Problem& p = problem_;
  for (std::uint32_t k = 0; k < p.n_global; ++k) parameter_.push_back(static_cast<std::int32_t>(k));
  phase_ = {model_.name, 0, shared_values_.data(), parameter_.data()};
  for (const ir::TimePlace& place : p.places) places_.push_back(place_of(place));
  for (const ir::PointValue& value : p.values) {
    bool integral = value.quantity == ir::PointQuantity::integral;
    values_.push_back({quantity_of(value.quantity), integral ? 0 : static_cast<std::int32_t>(value.place),
                       static_cast<std::int32_t>(value.index)});
  }
  bolza_problem& a = abi_;
  a.version = BOLZA_ABI_VERSION;
  a.name = model_.name;
  a.n_models = 1, a.models = models_;
  a.n_phases = 1, a.phases = &phase_;
  a.n_parameters = p.n_global, a.parameters = shared_.data();
  a.n_places = places_.size(), a.places = places_.data();
  a.n_values = values_.size(), a.values = values_.data();
  a.n_k = p.n_k, a.n_r = p.n_r;
  a.point = p.point.section.n_rows ? add_function(p.point, "point", p.values.size(), false) : nullptr;
  a.point_data = shared_values_.data() + p.n_global;
  a.least_squares = p.point_is_least_squares;
  a.maximize = p.maximize, a.is_static = p.is_static, a.is_optimization = p.is_optimization;
}

void ProblemTables::fill_hybrid(const Sources& sources) {
  if (!problem_.hybrid) return;
  std::size_t n_point = model_.rates->n_point;
  hybrid_ =
      std::make_unique<HybridTables>(problem_, shared_,
                                     HybridTables::Makers{[&](const ir::Function& f, const char* name, Patterns patterns) {
                                                            return add_function(f, name, n_point, false, patterns);
                                                          },
                                                          [&](const ir::Function& f) { return rows_of(f, sources); },
                                                          [&](std::string text) { return texts_.keep(std::move(text)); },
                                                          [&](Span span) { return texts_.place(sources, span); }});
  model_.hybrid = &hybrid_->abi();
}

/// Rows in the order of the function, each with the place of the first instance that makes it.
std::vector<bolza_row> ProblemTables::rows_of(const ir::Function& function, const Sources& sources) {
  std::vector<bolza_row> rows(function.section.n_rows, bolza_row{"", {"", 0, 0}, 0, 0});
  for (std::size_t k = 0; k < function.row_origins.size(); ++k)
    rows[k].source = texts_.place(sources, problem_.flat.origins[function.row_origins[k]].span);
  for (const ir::Group& group : function.section.groups)
    for (const auto& column : group.rows)
      for (std::size_t i = 0; i < column.size(); ++i) {
        bolza_row& row = rows[column[i].index()];
        if (row.source.line == 0 && i < group.origins.size())
          row.source = texts_.place(sources, problem_.flat.origins[group.origins[i]].span);
      }
  return rows;
}

void ProblemTables::fill_rows(const Sources& sources) {
  const ir::Problem& p = problem_;
  auto named = [&](const ir::Function& function, std::size_t offset, const std::vector<ir::RowInfo>& infos,
                   std::vector<bolza_row>& rows) {
    if (rows.empty()) rows = rows_of(function, sources);
    for (std::size_t k = 0; k < infos.size(); ++k) {
      bolza_row& row = rows[offset + k];
      row.name = texts_.keep(infos[k].name);
      if (infos[k].origin < p.flat.origins.size()) row.source = texts_.place(sources, p.flat.origins[infos[k].origin].span);
    }
  };
  auto numbered = [&](std::vector<bolza_row>& rows, std::size_t begin, const char* what) {
    for (std::size_t k = begin; k < rows.size(); ++k) rows[k].name = texts_.keep(what + std::to_string(k - begin + 1));
  };
  expects(p.rates.section.n_rows == p.x.size() + p.n_q && p.residuals.section.n_rows == p.residual_rows.size(),
          "rows of the standard form are complete");
  rates_rows_ = rows_of(p.rates, sources);
  numbered(rates_rows_, p.x.size(), "integral ");
  for (std::size_t k = 0; k < p.x.size(); ++k) rates_rows_[k].name = texts_.keep("der(" + std::string(x_[k].name) + ")");
  named(p.residuals, 0, p.residual_rows, residual_rows_);
  named(p.initial, 0, p.initial_rows, initial_rows_);
  output_rows_ = rows_of(p.outputs, sources);
  for (const ir::OutputSource& source : p.sources)
    if (source.kind == ir::OutputSource::Kind::row)
      output_rows_[source.index].name = texts_.keep(ir::name_of(p.flat, source.variable));
  integrand_rows_ = rows_of(p.integrand_residuals, sources);
  numbered(integrand_rows_, 0, "residual ");
  if (abi_.point) {
    named(p.point, 1, p.point_rows, point_rows_);
    point_rows_[0].name = "objective";
    numbered(point_rows_, 1 + p.n_k, "residual ");
    abi_.point->rows = point_rows_.data();
  }
  fill_sides();
  model_.rates->rows = rates_rows_.data();
  model_.residuals->rows = residual_rows_.data();
  if (model_.initial) model_.initial->rows = initial_rows_.data();
  if (model_.outputs) model_.outputs->rows = output_rows_.data();
  if (model_.integrand_residuals) model_.integrand_residuals->rows = integrand_rows_.data();
}

void ProblemTables::fill_sides() {
  auto sides = [](const std::vector<ir::RowInfo>& infos, std::size_t offset, std::vector<bolza_row>& rows) {
    for (std::size_t k = 0; k < infos.size(); ++k)
      rows[offset + k].lower = infos[k].lower, rows[offset + k].upper = infos[k].upper;
  };
  sides(problem_.residual_rows, 0, residual_rows_);
  sides(problem_.initial_rows, 0, initial_rows_);
  if (abi_.point) sides(problem_.point_rows, 1, point_rows_);
}

void ProblemTables::fill_results(const Sources& sources) {
  auto n_point = static_cast<std::uint32_t>(1 + problem_.x.size() + problem_.z.size() + problem_.u.size());
  for (const ir::OutputSource& source : problem_.sources) {
    const ir::Variable& declared = ir::variable_of(problem_.flat, source.variable);
    bolza_output& out = results_.emplace_back();
    out.name = texts_.keep(ir::name_of(problem_.flat, source.variable));
    out.unit = texts_.keep(declared.unit);
    out.description = texts_.keep(declared.description);
    out.source = texts_.place(sources, declared.span);
    bool shared = source.kind == ir::OutputSource::Kind::input && source.index >= n_point;
    switch (source.kind) {
      case ir::OutputSource::Kind::input:
        out.kind = shared ? 3 : 0;
        break;
      case ir::OutputSource::Kind::row:
        out.kind = 1;
        break;
      case ir::OutputSource::Kind::rate:
        out.kind = 2;
        break;
    }
    out.index = static_cast<std::int32_t>(shared ? source.index - n_point : source.index);
    out.sign = source.sign, out.offset = source.offset;
  }
  model_.n_outputs = results_.size();
  model_.results = results_.data();
}

void ProblemTables::fill_numbers() {
  const ir::Problem& p = problem_;
  set_numbers(x_, p.x_numbers);
  set_numbers(z_, p.z_numbers);
  set_numbers(u_, p.u_numbers);
  set_numbers(shared_, p.shared_numbers);
  for (std::size_t k = 0; k < shared_.size(); ++k)
    if (shared_[k].fixed || k >= p.n_global) shared_[k].start = p.shared_values[k];
  std::copy(p.shared_values.begin(), p.shared_values.end(), shared_values_.begin());
  for (std::size_t k = 0; k < places_.size(); ++k) places_[k] = place_of(p.places[k]);
  for (std::size_t k = 0; k < results_.size(); ++k)
    results_[k].sign = p.sources[k].sign, results_[k].offset = p.sources[k].offset;
  if (hybrid_) hybrid_->set_numbers(*p.hybrid, shared_);
}

void ProblemTables::set_shared(std::size_t k, double value) {
  shared_values_[k] = value;
  problem_.shared_values[k] = value;
  if (shared_[k].fixed || k >= problem_.n_global) shared_[k].start = value;
}

std::string ProblemTables::value_name(std::size_t k) const {
  const ir::PointValue& value = problem_.values[k];
  auto at = [&](ir::VariableId id) {
    const ir::TimePlace& place = problem_.places[value.place];
    std::string time = ir::to_text(place.offset);
    if (place.on_start == 1 && place.on_final == 0 && place.offset == 0) time = "startTime";
    else if (place.on_final == 1 && place.on_start == 0 && place.offset == 0) time = "finalTime";
    return ir::name_of(problem_.flat, id) + "(" + time + ")";
  };
  switch (value.quantity) {
    case ir::PointQuantity::state:
      return at(problem_.x[value.index]);
    case ir::PointQuantity::algebraic:
      return at(problem_.z[value.index]);
    case ir::PointQuantity::control:
      return at(problem_.u[value.index]);
    case ir::PointQuantity::rate:
      return "der " + at(problem_.x[value.index]);
    case ir::PointQuantity::integral:
      return "integral " + std::to_string(value.index + 1);
  }
  return "";
}

std::string ProblemTables::input_name(const FunctionTables& function, std::uint32_t position) const {
  const bolza_function& f = const_cast<FunctionTables&>(function).abi();
  if (position >= f.n_point) return shared_[position - f.n_point].name;
  if (&f == abi_.point) return value_name(position);
  if (position == 0) return "time";
  std::size_t k = position - 1;
  if (k < x_.size()) return x_[k].name;
  k -= x_.size();
  return k < z_.size() ? z_[k].name : u_[k - z_.size()].name;
}

}  // namespace bolza::codegen
