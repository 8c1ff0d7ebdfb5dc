// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/model_tables_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/ir/print.h"

namespace bolza::codegen {
namespace {

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

}  // namespace

void set_numbers(std::vector<bolza_variable>& variables, const std::vector<ir::Numbers>& numbers) {
  for (std::size_t k = 0; k < variables.size(); ++k) {
    bolza_variable& v = variables[k];
    const ir::Numbers& n = numbers[k];
    v.start = n.start;
    v.min = n.min;
    v.max = n.max;
    v.nominal = n.nominal;
    v.guess = n.guess;
    v.has_start = n.has_start;
    v.has_nominal = n.has_nominal;
    v.has_guess = n.has_guess;
    v.fixed = n.fixed;
    v.selectable = n.selectable;
  }
}

const char* Texts::keep(std::string text) { return all_.emplace_back(std::move(text)).c_str(); }

bolza_source Texts::place(const Sources& sources, Span span) {
  if (!span) return {"", 0, 0};
  const char*& path = paths_[span.file.value];
  if (!path) path = keep(std::string(sources.path(span.file)));
  Place at = sources.place(span.file, span.begin);
  return {path, static_cast<std::int32_t>(at.line), static_cast<std::int32_t>(at.column)};
}

std::vector<bolza_variable> variables_of(const ir::FlatModel& flat, const std::vector<ir::VariableId>& states,
                                         const std::vector<ir::VariableId>& ids, const std::vector<ir::Numbers>& numbers,
                                         Texts& texts, const Sources& sources) {
  std::vector<bolza_variable> result;
  std::map<std::uint32_t, std::int32_t> state_of;
  for (std::size_t k = 0; k < states.size(); ++k) state_of[states[k].value] = static_cast<std::int32_t>(k);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const ir::Variable& declared = ir::variable_of(flat, ids[k]);
    bolza_variable& v = result.emplace_back();
    v.name = texts.keep(ir::name_of(flat, ids[k]));
    v.unit = texts.keep(declared.unit);
    v.description = texts.keep(declared.description);
    v.source = texts.place(sources, declared.span);
    v.of = -1;
    v.type = type_of(declared.type);
    if (declared.kind != ir::VariableKind::derivative || !declared.of) continue;
    auto state = state_of.find(declared.of.value + (ids[k].value - declared.first.value));
    if (state == state_of.end() || state_of.contains(ids[k].value)) continue;
    v.is_derivative = 1;
    v.of = state->second;
  }
  set_numbers(result, numbers);
  return result;
}

/// Rows in the order of the function, each with the place of the first instance that makes it.
std::vector<bolza_row> rows_of(const ir::FlatModel& flat, const ir::Function& function, Texts& texts,
                               const Sources& sources) {
  std::vector<bolza_row> rows(function.section.n_rows, bolza_row{"", {"", 0, 0}, 0, 0});
  for (std::size_t k = 0; k < function.row_origins.size(); ++k)
    rows[k].source = texts.place(sources, flat.origins[function.row_origins[k]].span);
  for (const ir::Group& group : function.section.groups)
    for (const auto& column : group.rows)
      for (std::size_t i = 0; i < column.size(); ++i) {
        bolza_row& row = rows[column[i].index()];
        if (row.source.line == 0 && i < group.origins.size())
          row.source = texts.place(sources, flat.origins[group.origins[i]].span);
      }
  return rows;
}

void name_rows(const ir::FlatModel& flat, const std::vector<ir::RowInfo>& infos, std::size_t offset, Texts& texts,
               const Sources& sources, std::vector<bolza_row>& rows) {
  for (std::size_t k = 0; k < infos.size(); ++k) {
    bolza_row& row = rows[offset + k];
    row.name = texts.keep(infos[k].name);
    if (infos[k].origin < flat.origins.size()) row.source = texts.place(sources, flat.origins[infos[k].origin].span);
  }
}

void number_rows(std::vector<bolza_row>& rows, std::size_t begin, const char* what, Texts& texts) {
  for (std::size_t k = begin; k < rows.size(); ++k) rows[k].name = texts.keep(what + std::to_string(k - begin + 1));
}

void set_sides(const std::vector<ir::RowInfo>& infos, std::size_t offset, std::vector<bolza_row>& rows) {
  for (std::size_t k = 0; k < infos.size(); ++k) {
    rows[offset + k].lower = infos[k].lower;
    rows[offset + k].upper = infos[k].upper;
  }
}

ModelTables::ModelTables(const ir::Problem& model, const ir::FlatModel& flat, const char* name, Texts& texts,
                         const Sources& sources, AddFunction add_function)
    : model_of_(model),
      flat_(flat),
      texts_(texts),
      add_(std::move(add_function)) {
  fill_model(name, sources);
  fill_rows(sources);
  fill_hybrid(sources);
  fill_results(sources);
  fill_switching(sources);
  set_numbers();
}

/// The rules of the model's own controls: in a problem with phases others belong to other models.
void ModelTables::fill_switching(const Sources& sources) {
  if (!flat_.optimization) return;
  const std::vector<ir::VariableId>& u = model_of_.u;
  for (const ir::SwitchingRule& rule : flat_.optimization->switching) {
    std::vector<std::int32_t> controls;
    for (ir::VariableId control : rule.controls)
      if (auto at = std::find(u.begin(), u.end(), control); at != u.end())
        controls.push_back(static_cast<std::int32_t>(at - u.begin()));
    if (controls.size() < rule.controls.size()) continue;
    switching_controls_.push_back(std::move(controls));
    switching_.push_back({rule.controls.size(), nullptr, rule.dwell,
                          rule.switches ? static_cast<std::int32_t>(*rule.switches) : -1, texts_.place(sources, rule.span)});
  }
  for (std::size_t k = 0; k < switching_.size(); ++k) switching_[k].controls = switching_controls_[k].data();
  abi_.n_switching = switching_.size();
  abi_.switching = switching_.data();
}

void ModelTables::fill_model(const char* name, const Sources& sources) {
  const ir::Problem& p = model_of_;
  std::size_t n_point = 1 + p.x.size() + p.z.size() + p.u.size();
  x_ = variables_of(flat_, p.x, p.x, p.x_numbers, texts_, sources);
  z_ = variables_of(flat_, p.x, p.z, p.z_numbers, texts_, sources);
  u_ = variables_of(flat_, p.x, p.u, p.u_numbers, texts_, sources);
  shared_ = variables_of(flat_, p.x, p.shared, p.shared_numbers, texts_, sources);
  shared_values_ = p.shared_values;
  bolza_model& m = abi_;
  m.name = name;
  m.n_x = x_.size();
  m.n_z = z_.size();
  m.n_u = u_.size();
  m.n_q = p.n_q;
  m.n_g = p.n_g;
  m.n_initial = p.initial.section.n_rows;
  m.n_shared = p.shared.size();
  m.n_global = p.n_global;
  m.x = x_.data();
  m.z = z_.data();
  m.u = u_.data();
  m.shared = shared_.data();
  m.shared_values = shared_values_.data();
  m.index = static_cast<std::int32_t>(p.structure.remaining_index);
  for (const auto* indices : {&p.x_index, &p.z_index})
    for (std::uint32_t index : *indices) variable_index_.push_back(static_cast<std::int32_t>(index));
  m.variable_index = variable_index_.data();
  // only an optimisation asks for second derivatives of these: of a large function at the start they are many
  Patterns beside = flat_.optimization ? Patterns::at_once : Patterns::first_at_once;
  m.rates = add(p.rates, "rates", n_point, true);
  m.residuals = add(p.residuals, "residuals", n_point, true);
  m.initial = m.n_initial ? add(p.initial, "initial", n_point, false, beside) : nullptr;
  m.outputs = p.outputs.section.n_rows ? add(p.outputs, "outputs", n_point, true, beside) : nullptr;
  m.integrand_residuals =
      p.integrand_residuals.section.n_rows ? add(p.integrand_residuals, "integrand_residuals", n_point, true) : nullptr;
}

void ModelTables::fill_hybrid(const Sources& sources) {
  if (!model_of_.hybrid) return;
  std::size_t n_point = abi_.rates->n_point;
  hybrid_ = std::make_unique<HybridTables>(
      model_of_, flat_, shared_,
      HybridTables::Makers{
          [&](const ir::Function& f, const char* name, Patterns patterns) { return add(f, name, n_point, false, patterns); },
          [&](const ir::Function& f) { return rows_of(flat_, f, texts_, sources); },
          [&](std::string text) { return texts_.keep(std::move(text)); },
          [&](Span span) { return texts_.place(sources, span); }});
  abi_.hybrid = &hybrid_->abi();
}

void ModelTables::fill_rows(const Sources& sources) {
  const ir::Problem& p = model_of_;
  expects(p.rates.section.n_rows == p.x.size() + p.n_q && p.residuals.section.n_rows == p.residual_rows.size(),
          "rows of the standard form are complete");
  auto rows = [&](const ir::Function& function) { return rows_of(flat_, function, texts_, sources); };
  rates_rows_ = rows(p.rates);
  number_rows(rates_rows_, p.x.size(), "integral ", texts_);
  for (std::size_t k = 0; k < p.x.size(); ++k) rates_rows_[k].name = texts_.keep("der(" + std::string(x_[k].name) + ")");
  residual_rows_ = rows(p.residuals);
  name_rows(flat_, p.residual_rows, 0, texts_, sources, residual_rows_);
  initial_rows_ = rows(p.initial);
  name_rows(flat_, p.initial_rows, 0, texts_, sources, initial_rows_);
  output_rows_ = rows(p.outputs);
  for (const ir::OutputSource& source : p.sources)
    if (source.kind == ir::OutputSource::Kind::row)
      output_rows_[source.index].name = texts_.keep(ir::name_of(flat_, source.variable));
  integrand_rows_ = rows(p.integrand_residuals);
  number_rows(integrand_rows_, 0, "residual ", texts_);
  abi_.rates->rows = rates_rows_.data();
  abi_.residuals->rows = residual_rows_.data();
  if (abi_.initial) abi_.initial->rows = initial_rows_.data();
  if (abi_.outputs) abi_.outputs->rows = output_rows_.data();
  if (abi_.integrand_residuals) abi_.integrand_residuals->rows = integrand_rows_.data();
}

void ModelTables::fill_results(const Sources& sources) {
  auto n_point = static_cast<std::uint32_t>(1 + model_of_.x.size() + model_of_.z.size() + model_of_.u.size());
  for (const ir::OutputSource& source : model_of_.sources) {
    const ir::Variable& declared = ir::variable_of(flat_, source.variable);
    bolza_output& out = results_.emplace_back();
    out.name = texts_.keep(ir::name_of(flat_, source.variable));
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
    out.sign = source.sign;
    out.offset = source.offset;
  }
  abi_.n_outputs = results_.size();
  abi_.results = results_.data();
}

void ModelTables::set_numbers() {
  const ir::Problem& p = model_of_;
  codegen::set_numbers(x_, p.x_numbers);
  codegen::set_numbers(z_, p.z_numbers);
  codegen::set_numbers(u_, p.u_numbers);
  codegen::set_numbers(shared_, p.shared_numbers);
  for (std::size_t k = 0; k < shared_.size(); ++k) set_shared(k, p.shared_values[k]);
  for (std::size_t k = 0; k < results_.size(); ++k) {
    results_[k].sign = p.sources[k].sign;
    results_[k].offset = p.sources[k].offset;
  }
  if (hybrid_) hybrid_->set_numbers(*p.hybrid, shared_);
  set_sides(p.residual_rows, 0, residual_rows_);
  set_sides(p.initial_rows, 0, initial_rows_);
}

void ModelTables::set_shared(std::size_t k, double value) {
  shared_values_[k] = value;
  if (shared_[k].fixed || k >= model_of_.n_global) shared_[k].start = value;
}

bool ModelTables::owns(const bolza_function* function) const {
  return std::find(functions_.begin(), functions_.end(), function) != functions_.end();
}

std::string ModelTables::input_name(const bolza_function& f, std::uint32_t position) const {
  if (position >= f.n_point) return shared_[position - f.n_point].name;
  if (position == 0) return "time";
  std::size_t k = position - 1;
  if (k < x_.size()) return x_[k].name;
  k -= x_.size();
  return k < z_.size() ? z_[k].name : u_[k - z_.size()].name;
}

}  // namespace bolza::codegen
