// What a gradient is of: rows of the point function, by their names.
#include <algorithm>
#include <cctype>
#include <cstring>

#include "workflow/codes.h"
#include "workflow/gradient_outputs.h"

namespace bolza::workflow {
namespace {

bool is_objective(const Model& model, const std::string& output) {
  return output == "objective" ||
         (model.problem.flat.optimization && !output.empty() && output == model.problem.flat.optimization->objective_name);
}

bool names_rows(const std::string& output) { return output == "constraints" || output == "residuals"; }

bool is_expression(const Model& model, const std::string& output) {
  return !is_objective(model, output) && !names_rows(output);
}

/// `a`, `tank[1].level`: neither an operation nor a call.
bool is_name(const std::string& text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '[', depth -= c == ']';
    bool letter = std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_.[]'", c);
    if (!letter && !(depth > 0 && c == ',')) return false;
  }
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0]));
}

std::string trimmed(const std::string& text) {
  std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

}  // namespace

std::vector<std::string> split_outputs(const std::string& text) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (char c : text) {
    depth += std::strchr("([{", c) != nullptr, depth -= std::strchr(")]}", c) != nullptr;
    if (c == ',' && depth == 0) out.emplace_back();
    else out.back() += c;
  }
  for (std::string& one : out) one = trimmed(one);
  std::erase(out, "");
  return out;
}

std::vector<std::string> output_expressions(const Model& model, const std::vector<std::string>& outputs) {
  std::vector<std::string> out;
  for (const std::string& output : outputs)
    if (is_expression(model, output)) out.push_back(is_name(output) ? output + "(finalTime)" : output);
  return out;
}

Result<std::vector<NamedRow>> output_rows(Model& model, const std::vector<std::string>& outputs) {
  const bolza_problem& problem = model.abi();
  auto of_line = [&](std::size_t row) {  // 0: a constraint of the model's own
    const bolza_source& at = problem.point->rows[row].source;
    return at.file && std::strcmp(at.file, "--of") == 0 ? at.line : 0;
  };
  std::vector<NamedRow> rows;
  int line = 2;
  for (const std::string& output : outputs) {
    std::size_t before = rows.size();
    auto add = [&](std::size_t row, const std::string& name) { rows.push_back({name, row}); };
    if (is_objective(model, output)) add(0, output);
    else if (output == "constraints") {
      for (std::size_t k = 1; k <= problem.n_k; ++k)
        if (of_line(k) == 0) add(k, problem.point->rows[k].name);
    } else if (output == "residuals") {
      for (std::size_t k = 0; k < problem.n_r; ++k) add(1 + problem.n_k + k, "residual " + std::to_string(k + 1));
    } else {
      ++line;
      for (std::size_t k = 1; k <= problem.n_k; ++k)
        if (of_line(k) == line) add(k, output);
    }
    if (rows.size() == before)
      return model.diagnostics.error(no_such_output, {},
                                     {output, names_rows(output) ? "the model has none" : "it has no value at one time"});
  }
  return rows;
}

}  // namespace bolza::workflow
