// SPDX-License-Identifier: Apache-2.0
// What a gradient is of: rows of the point function, by their names.
#include <algorithm>
#include <cctype>
#include <cstring>

#include "workflow/codes.h"
#include "workflow/gradient/gradient_outputs.h"

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
    depth += c == '[';
    depth -= c == ']';
    bool letter = std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_.[]'", c);
    if (!letter && !(depth > 0 && c == ',')) return false;
  }
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0]));
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// Where `integral(…)` stands in [begin, end) of the text.
std::vector<instance::Outputs::Integral> integrals_in(const std::string& text, std::size_t begin, std::size_t end) {
  std::vector<instance::Outputs::Integral> out;
  constexpr std::string_view word = "integral";
  for (std::size_t k = text.find(word, begin); k < end; k = text.find(word, k + 1)) {
    std::size_t open = text.find_first_not_of(" \t\n", k + word.size()), close = open;
    if ((k > begin && is_of_name(text[k - 1])) || open >= end || text[open] != '(') continue;
    int depth = 0;
    for (; close < end; ++close) {
      depth += text[close] == '(';
      depth -= text[close] == ')';
      if (depth == 0) break;
    }
    if (close >= end) break;  // the parser says so
    auto at = [](std::size_t place) { return static_cast<std::uint32_t>(place); };
    out.push_back({at(k), at(close + 1), at(open + 1), at(close)});
    k = close;
  }
  return out;
}

bool is_blank(char c) { return std::strchr(" \t\n", c) != nullptr; }

}  // namespace

std::vector<Output> split_outputs(const std::string& text) {
  std::vector<Output> out;
  auto add = [&](std::size_t begin, std::size_t end) {
    while (begin < end && is_blank(text[begin])) ++begin;
    while (begin < end && is_blank(text[end - 1])) --end;
    if (begin < end) out.push_back({text.substr(begin, end - begin), static_cast<std::uint32_t>(begin)});
  };
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    char c = text[k];
    depth += std::strchr("([{", c) != nullptr;
    depth -= std::strchr(")]}", c) != nullptr;
    if (c == ',' && depth == 0) {
      add(begin, k);
      begin = k + 1;
    }
  }
  add(begin, text.size());
  return out;
}

instance::Outputs output_expressions(const Model& model, const std::string& text, const std::vector<Output>& outputs) {
  instance::Outputs out{text, {}};
  for (const Output& output : outputs) {
    if (!is_expression(model, output.name)) continue;
    std::uint32_t end = output.begin + static_cast<std::uint32_t>(output.name.size());
    out.parts.push_back({output.begin, end, is_name(output.name), integrals_in(text, output.begin, end)});
  }
  return out;
}

Result<std::vector<NamedRow>> output_rows(Model& model, const std::vector<Output>& outputs) {
  const bolza_problem& problem = model.abi();
  auto span_of = [&](const Output& output) {
    for (std::size_t f = 0; f < model.sources.size(); ++f)
      if (model.sources.path(SourceId(f)) == "--of")
        return Span{SourceId(f), output.begin, output.begin + static_cast<std::uint32_t>(output.name.size())};
    return Span{};
  };
  auto is_own = [&](std::size_t row) {  // a constraint of the model's own
    const char* file = problem.point->rows[row].source.file;
    return !file || std::strcmp(file, "--of") != 0;
  };
  std::vector<NamedRow> rows;
  for (const Output& one : outputs) {
    const std::string& output = one.name;
    std::size_t before = rows.size();
    auto add = [&](std::size_t row, const std::string& name) { rows.push_back({name, row}); };
    if (is_objective(model, output)) add(0, output);
    else if (output == "constraints") {
      for (std::size_t k = 1; k <= problem.n_k; ++k)
        if (is_own(k)) add(k, problem.point->rows[k].name);
    } else if (output == "residuals") {
      for (std::size_t k = 0; k < problem.n_r; ++k) add(1 + problem.n_k + k, "residual " + std::to_string(k + 1));
    } else {
      auto integrals = integrals_in(output, 0, output.size());  // of one that stands first the parenthesis is read
      std::uint32_t first = !integrals.empty() && integrals[0].begin == 0 ? integrals[0].inner_begin - 1 : 0;
      Place place = model.sources.place(span_of(one).file, one.begin + first);
      for (std::size_t k = 1; k <= problem.n_k; ++k) {
        const bolza_source& at = problem.point->rows[k].source;
        if (!is_own(k) && at.line == static_cast<int>(place.line) && at.column == static_cast<int>(place.column))
          add(k, output);
      }
    }
    if (rows.size() == before)
      return model.diagnostics.error(
          no_such_output, span_of(one),
          {output, names_rows(output) ? "the model has none" : "it has no value at the final time"});
  }
  return rows;
}

}  // namespace bolza::workflow
