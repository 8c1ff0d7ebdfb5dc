// SPDX-License-Identifier: Apache-2.0
#include "workflow/export_sbml.h"

#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/numbers.h"
#include "runtime/result/report.h"
#include "workflow/codes.h"
#include "workflow/mathml.h"

namespace bolza::workflow {
namespace {

class SbmlExport {
 public:
  explicit SbmlExport(Model& model) : model_(model), problem_(model.problem) {}

  Result<std::string> run();

 private:
  Result<Done> check();
  Reported refuse(const std::string& what, Span at = {}) const {
    return model_.diagnostics.error(no_sbml_for, at, {model_.class_name, what});
  }
  std::string id_of(const std::string& name);
  std::string name_at(std::uint32_t position);
  void declare(const std::string& name, const char* constant, std::optional<double> value);
  void rule(const char* kind, const std::string& name, const std::string& math);
  Result<std::string> row(const ir::Function& function, std::uint32_t row, const std::string& name);
  Result<Done> states();
  Result<Done> start(std::size_t k);
  Result<Done> outputs();

  Model& model_;
  const ir::Problem& problem_;
  std::map<std::string, std::string> ids_;  // by name
  std::set<std::string> taken_, declared_;  // identifiers; names
  std::string parameters_, initial_, rules_;
};

Result<Done> SbmlExport::check() {
  if (problem_.is_optimization) return refuse("it is an optimisation problem; a model has its equations alone");
  if (!problem_.z.empty())
    return refuse("`" + ir::name_of(problem_.flat, problem_.z[0]) +
                  "` is found by an algebraic equation that has to be solved");
  if (problem_.hybrid) return refuse("it has events or discrete variables");
  if (!problem_.flat.delays.empty()) return refuse("it reads values of the past");
  if (problem_.initial.section.n_rows > 0) return refuse("its initial values follow from equations");
  return Done{};
}

/// The identifier of SBML that stands for a name.
std::string SbmlExport::id_of(const std::string& name) {
  auto [known, fresh] = ids_.try_emplace(name);
  if (!fresh) return known->second;
  std::string id;
  for (char c : name)
    if (c != '\'' && (c != ']' || !id.empty())) id += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  while (id.size() > 1 && id.back() == '_' && name.back() != '_') id.pop_back();
  if (id.empty() || std::isdigit(static_cast<unsigned char>(id[0]))) id = "_" + id;
  std::string own = id;
  for (int k = 2; !taken_.insert(own).second; ++k) own = id + "_" + std::to_string(k);
  return known->second = own;
}

/// Of a point input or a shared value; "": the time.
std::string SbmlExport::name_at(std::uint32_t position) {
  const ir::Problem& p = problem_;
  std::size_t k = position;
  if (k == 0) return "";
  if (k-- <= p.x.size()) return ir::name_of(p.flat, p.x[k]);
  k -= p.x.size() + p.z.size();
  if (k < p.u.size()) return ir::name_of(p.flat, p.u[k]);
  return ir::name_of(p.flat, p.shared[k - p.u.size()]);
}

void SbmlExport::declare(const std::string& name, const char* constant, std::optional<double> value) {
  std::string id = id_of(name);
  declared_.insert(name);
  parameters_ += "      <parameter id=\"" + id + "\"" + (id == name ? "" : " name=\"" + result::escaped(name) + "\"");
  if (value && std::isfinite(*value)) parameters_ += " value=\"" + exact_text(*value) + "\"";
  parameters_ += std::string(" constant=\"") + constant + "\"/>\n";
}

void SbmlExport::rule(const char* kind, const std::string& name, const std::string& math) {
  rules_ += std::string("      <") + kind + "Rule variable=\"" + id_of(name) + "\">\n        " + math_element(math) +
            "\n      </" + kind + "Rule>\n";
}

/// Everything that is added to a row.
Result<std::string> SbmlExport::row(const ir::Function& function, std::uint32_t wanted, const std::string& variable) {
  std::string sum;
  std::size_t terms = 0;
  for (const ir::Group& group : function.section.groups)
    for (std::size_t r = 0; r < group.roots.size(); ++r)
      for (std::size_t i = 0; i < group.n; ++i) {
        if (group.rows[r][i].value != wanted) continue;
        auto leaf = [&](ir::Op op, std::uint32_t k) -> std::string {
          if (op != ir::Op::slot) return number_element(group.data[k][i]);
          std::string name = name_at(group.slots[k][i].value);
          return name.empty() ? time_element() : name_element(id_of(name));
        };
        Result<std::string> one =
            mathml_of(problem_.flat.expressions, group.roots[r], "the equation of " + variable, leaf, model_.diagnostics);
        if (!one) return model_.diagnostics.already_reported();
        sum += *one;
        ++terms;
      }
  if (terms == 0) return number_element(0);
  return terms == 1 ? sum : "<apply><plus/>" + sum + "</apply>";
}

/// An initial value that parameters give.
Result<Done> SbmlExport::start(std::size_t k) {
  const ir::FlatModel& flat = problem_.flat;
  const ir::Variable& v = ir::variable_of(flat, problem_.x[k]);
  const ir::ElementValues& own = v.attributes[static_cast<std::size_t>(ir::Attribute::start)];
  if (!own.present()) return Done{};
  std::size_t element = problem_.x[k].index() - v.first.index();
  const ir::Term& term = own.terms[own.terms.size() == 1 ? 0 : element];
  if (flat.expressions.dag.is_number(term.root) || term.slots.empty()) return Done{};
  auto leaf = [&](ir::Op op, std::uint32_t slot) {
    return op == ir::Op::slot ? name_element(id_of(ir::name_of(flat, term.slots[slot]))) : number_element(term.data[slot]);
  };
  for (ir::VariableId read : term.slots)
    if (!declared_.contains(ir::name_of(flat, read))) return Done{};  // the number stands
  Result<std::string> math = mathml_of(flat.expressions, term.root, "the start value of " + ir::name_of(flat, problem_.x[k]),
                                       leaf, model_.diagnostics);
  if (!math) return model_.diagnostics.already_reported();
  initial_ += "      <initialAssignment symbol=\"" + id_of(ir::name_of(flat, problem_.x[k])) + "\">\n        " +
              math_element(*math) + "\n      </initialAssignment>\n";
  return Done{};
}

Result<Done> SbmlExport::states() {
  for (std::size_t k = 0; k < problem_.x.size(); ++k) {
    std::string name = ir::name_of(problem_.flat, problem_.x[k]);
    const ir::Numbers& numbers = problem_.x_numbers[k];
    declare(name, "false", numbers.has_start ? numbers.start : 0);
    Result<std::string> rate = row(problem_.rates, static_cast<std::uint32_t>(k), name);
    if (!rate) return model_.diagnostics.already_reported();
    rule("rate", name, *rate);
  }
  return Done{};
}

/// What follows from states: eliminated variables, and those that equal others.
Result<Done> SbmlExport::outputs() {
  for (const ir::OutputSource& s : problem_.sources) {
    std::string name = ir::name_of(problem_.flat, s.variable);
    if (taken_.contains(name) || ids_.contains(name) || name.starts_with("der(")) continue;
    if (s.kind == ir::OutputSource::Kind::input && s.sign == 0) {
      declare(name, "true", s.offset);
      continue;
    }
    Result<std::string> value = std::string();
    if (s.kind == ir::OutputSource::Kind::row) value = row(problem_.outputs, s.index, name);
    else if (s.kind == ir::OutputSource::Kind::rate) value = row(problem_.rates, s.index, name);
    else value = s.index == 0 ? time_element() : name_element(id_of(name_at(s.index)));
    if (!value) return model_.diagnostics.already_reported();
    if (s.sign != 1 || s.offset != 0)
      value = "<apply><plus/><apply><times/>" + number_element(s.sign) + *value + "</apply>" + number_element(s.offset) +
              "</apply>";
    declare(name, "false", std::nullopt);
    rule("assignment", name, *value);
  }
  return Done{};
}

Result<std::string> SbmlExport::run() {
  if (!check()) return model_.diagnostics.already_reported();
  auto shared = [&](std::size_t k) {
    declare(ir::name_of(problem_.flat, problem_.shared[k]), "true", problem_.shared_values[k]);
  };
  for (std::size_t k = 2; k < problem_.shared_values.size(); ++k) shared(k);
  for (std::size_t k = 0; k < problem_.u.size(); ++k)
    declare(ir::name_of(problem_.flat, problem_.u[k]), "true",
            problem_.u_numbers[k].has_start ? problem_.u_numbers[k].start : 0);
  if (!states() || !outputs()) return model_.diagnostics.already_reported();
  for (std::size_t k = 0; k < problem_.x.size(); ++k)
    if (!start(k)) return model_.diagnostics.already_reported();
  for (std::size_t k = 0; k < 2; ++k) {  // the horizon, where something reads it
    std::string horizon = name_element(id_of(ir::name_of(problem_.flat, problem_.shared[k])));
    if ((rules_ + initial_).find(horizon) != std::string::npos) shared(k);
  }
  std::string id = id_of(model_.class_name);
  auto list = [](const char* name, const std::string& content) {
    return content.empty() ? "" : std::string("    <") + name + ">\n" + content + "    </" + name + ">\n";
  };
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<sbml xmlns=\"http://www.sbml.org/sbml/level3/version2/core\" level=\"3\" version=\"2\">\n  <model id=\"" +
         id + "\">\n" + list("listOfParameters", parameters_) + list("listOfInitialAssignments", initial_) +
         list("listOfRules", rules_) + "  </model>\n</sbml>\n";
}

}  // namespace

Result<std::string> sbml_of(Model& model) { return SbmlExport(model).run(); }

}  // namespace bolza::workflow
