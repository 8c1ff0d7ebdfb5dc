// SPDX-License-Identifier: Apache-2.0
#include "cli/structure_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "workflow/model.h"

namespace bolza::cli {
namespace {

constexpr std::size_t lines_limit = 12;

using Json = nlohmann::json;

std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  return out.size() > 70 ? out.substr(0, 68) + "…" : out;
}

class Report {
 public:
  explicit Report(const workflow::Model& model) : model_(model), p_(model.problem) {}

  Json all() const {
    const ir::Structure& s = p_.structure;
    std::size_t parameters = 0;
    for (const ir::Variable& v : p_.flat.variables)
      if (v.kind == ir::VariableKind::parameter) parameters += v.size;
    Json report = {{"equations", model_.n_equations},
                   {"unknowns", model_.n_unknowns},
                   {"aliases", s.n_aliases},
                   {"parameters", parameters},
                   {"inputs", names_in_models(&ir::Problem::u)},
                   {"index", s.index},
                   {"differentiated", s.n_differentiated},
                   {"states", names_in_models(&ir::Problem::x)},
                   {"algebraics", names_in_models(&ir::Problem::z)},
                   {"demoted", Json::array()},
                   {"invariants", Json::array()},
                   {"loops", Json::array()},
                   {"vanished", Json::array()},
                   {"start_values_used", names(s.start_values_used)}};
    for (const ir::StateChoice& choice : s.choices)
      for (std::uint32_t origin : choice.invariants)
        report["invariants"].push_back({{"constraint", equation(origin)}, {"states", names(choice.kept)}});
    for (const ir::StateChoice& choice : s.choices)
      for (const ir::Demotion& d : choice.demoted)
        report["demoted"].push_back({{"variable", name(d.variable)},
                                     {"constraint", equation(d.origin)},
                                     {"constant", choice.is_constant},
                                     {"states", names(choice.kept)}});
    for (const ir::VanishedTerm& term : s.vanished)
      report["vanished"].push_back({{"equation", equation(term.origin)}, {"parameters", names(term.parameters)}});
    for (const ir::Loop& loop : s.loops) {
      Json residuals = Json::array();
      for (std::uint32_t origin : loop.residuals) residuals.push_back(equation(origin));
      report["loops"].push_back(
          {{"equations", loop.size}, {"torn", names(loop.torn)}, {"residuals", residuals}, {"solved", loop.is_solved}});
    }
    return report;
  }

 private:
  Json names_in_models(std::vector<ir::VariableId> ir::Problem::* list) const {
    std::vector<ir::VariableId> all;
    for (const ir::Problem* of : ir::models_of(p_)) all.insert(all.end(), (of->*list).begin(), (of->*list).end());
    return names(all);
  }
  std::string name(ir::VariableId v) const { return ir::name_of(p_.flat, v); }
  Json names(const std::vector<ir::VariableId>& list) const {
    Json out = Json::array();
    for (ir::VariableId v : list) out.push_back(name(v));
    return out;
  }

  Json equation(std::uint32_t number) const {
    const ir::Origin& origin = p_.flat.origins[number];
    if (!origin.span) return {{"text", ""}, {"file", ""}, {"line", 0}};
    Place at = model_.sources.place(origin.span.file, origin.span.begin);
    std::string text = one_line(model_.sources.text(origin.span));
    return {{"text", text},
            {"file", model_.sources.path(origin.span.file)},
            {"line", at.line},
            {"differentiated", origin.differentiated}};
  }

  const workflow::Model& model_;
  const ir::Problem& p_;
};

std::string listed(const Json& names, std::size_t limit = lines_limit) {
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < limit; ++k) out += (k ? ", " : "") + names[k].get<std::string>();
  if (names.size() > limit) out += ", … (" + std::to_string(names.size()) + ")";
  return out.empty() ? "none" : out;
}

std::string place(const Json& equation) {
  std::string text = equation["text"];
  if (text.empty()) return "";
  auto times = equation.value("differentiated", 0);
  std::string shown = times == 0 ? text
                                 : "d" + (times == 1 ? "" : std::to_string(times)) + "/dt" +
                                       (times == 1 ? "" : std::to_string(times)) + " (" + text + ")";
  return shown + "   " + equation["file"].get<std::string>() + ":" + std::to_string(equation["line"].get<int>());
}

void more(std::size_t all) {
  if (all > lines_limit) std::printf("    … %zu more\n", all - lines_limit);
}

}  // namespace

Json structure_json(const workflow::Model& model) { return Report(model).all(); }

void print_structure(const workflow::Model& model) {
  Json r = structure_json(model);
  auto number = [&](const char* key) { return std::to_string(r[key].get<std::size_t>()); };
  std::printf("  %s unknowns equal others; %s parameters\n", number("aliases").c_str(), number("parameters").c_str());
  std::printf("  index        %s; %s equations differentiated\n", number("index").c_str(), number("differentiated").c_str());
  std::printf("  states       %s\n", listed(r["states"]).c_str());
  std::printf("  algebraics   %s\n", listed(r["algebraics"]).c_str());
  std::printf("  inputs       %s\n", listed(r["inputs"]).c_str());
  Json demoted = Json::array();  // that der(x) is given where x = … is given goes without saying
  for (const Json& d : r["demoted"])
    if (!d["variable"].get<std::string>().starts_with("der(")) demoted.push_back(d);
  if (!demoted.empty()) std::printf("  no states, because constraints give them:\n");
  for (std::size_t k = 0; k < demoted.size() && k < lines_limit; ++k)
    std::printf("    %-12s by %s%s\n", demoted[k]["variable"].get<std::string>().c_str(),
                place(demoted[k]["constraint"]).c_str(),
                demoted[k]["constant"].get<bool>() ? "" : "   (may change places with a state)");
  more(demoted.size());
  if (!r["invariants"].empty()) std::printf("  hold from the start on, because derivatives of them do:\n");
  for (std::size_t k = 0; k < r["invariants"].size() && k < lines_limit; ++k)
    std::printf("    %s   (no choice of states would be good everywhere)\n",
                place(r["invariants"][k]["constraint"]).c_str());
  more(r["invariants"].size());
  const Json& loops = r["loops"];
  if (!loops.empty()) std::printf("  loops:\n");
  for (std::size_t k = 0; k < loops.size() && k < lines_limit; ++k) {
    std::printf("    %d equations, %s, torn at %s\n", loops[k]["equations"].get<int>(),
                loops[k]["solved"].get<bool>() ? "linear, solved symbolically" : "solved numerically",
                listed(loops[k]["torn"], 6).c_str());
    const Json& residuals = loops[k]["residuals"];
    for (std::size_t i = 0; i < residuals.size() && i < 6; ++i)
      std::printf("      residual %s\n", place(residuals[i]).c_str());
  }
  more(loops.size());
  const Json& vanished = r["vanished"];
  if (!vanished.empty()) std::printf("  terms that are zero for the values of parameters:\n");
  for (std::size_t k = 0; k < vanished.size() && k < lines_limit; ++k)
    std::printf("    %s%s\n", place(vanished[k]["equation"]).c_str(),
                vanished[k]["parameters"].empty() ? "" : (", by " + listed(vanished[k]["parameters"], 4)).c_str());
  more(vanished.size());
  if (!r["start_values_used"].empty())
    std::printf("  start at `start`, for want of initial equations: %s\n", listed(r["start_values_used"]).c_str());
}

}  // namespace bolza::cli
