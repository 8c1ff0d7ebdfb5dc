// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/replace_all.h"
#include "compiler/codegen/explain_internal.h"
#include "compiler/ir/interpret.h"
#include "compiler/ir/print.h"

namespace bolza::codegen {
namespace {

using ir::ExprId;
using ir::Op;

class Search {
 public:
  Search(ProblemTables& tables, FunctionTables& function, std::span<const double> point, std::span<const double> shared)
      : tables_(tables),
        function_(function),
        point_(point),
        shared_(shared),
        all_(tables.expressions()) {}

  NonfiniteExplanation run() {
    for (bolza_kind kind : {BOLZA_VALUE, BOLZA_JACOBIAN})
      for (std::size_t g = 0; g < function_.groups().size(); ++g)
        for (std::uint32_t i = 0; i < function_.groups()[g].group.n; ++i)
          if (NonfiniteExplanation found = look(kind, g, i); found.found) return found;
    return {};
  }

 private:
  NonfiniteExplanation look(bolza_kind kind, std::size_t g, std::uint32_t i) {
    const GroupOutputs& outputs = function_.outputs(kind)[g];
    read_instance(g, i);
    std::vector<double> values = evaluate(outputs.values);
    for (std::size_t o = 0; o < values.size(); ++o) {
      if (std::isfinite(values[o])) continue;
      NonfiniteExplanation e = describe(g, i, outputs.values[o]);
      auto row = static_cast<std::uint32_t>(outputs.rows[o][i]);
      const bolza_function& f = function_.abi();
      if (row >= f.n_rows) {
        std::size_t entry = row - f.n_rows;
        row = static_cast<std::uint32_t>(f.jac_row[entry]);
        e.derivative_by = tables_.input_name(function_, static_cast<std::uint32_t>(f.jac_col[entry]));
      }
      e.row = row;
      e.equation = ir::to_text(all_, root_of_row(g, i, row), names());
      return e;
    }
    return {};
  }

  void read_instance(std::size_t g, std::uint32_t i) {
    const ir::Group& group = function_.groups()[g].group;
    slots_.clear();
    data_.clear();
    positions_.clear();
    std::size_t n_point = function_.abi().n_point;
    for (const ir::Column& column : group.slots) {
      std::size_t position = column[i].index();
      positions_.push_back(static_cast<std::uint32_t>(position));
      slots_.push_back(position < n_point ? point_[position] : shared_[position - n_point]);
    }
    for (const ir::DataColumn& column : group.data) data_.push_back(column[i]);
  }

  ExprId root_of_row(std::size_t g, std::uint32_t i, std::uint32_t row) const {
    const ir::Group& group = function_.groups()[g].group;
    for (std::size_t r = 0; r < group.roots.size(); ++r)
      if (group.rows[r][i].value == row) return group.roots[r];
    return group.roots[0];
  }

  std::vector<double> evaluate(std::span<const ExprId> roots) {
    return ir::evaluate(all_, roots, {.slots = slots_, .data = data_});
  }

  /// One by one: a Program that fails leaves nothing of all that is evaluated with it.
  std::vector<double> evaluate_alone(std::span<const ExprId> nodes) {
    std::vector<double> values;
    for (const ExprId& node : nodes) values.push_back(evaluate(std::span(&node, 1))[0]);
    return values;
  }

  ir::LeafName names() const {
    return [this](Op op, std::uint32_t k) {
      return op == Op::datum ? ir::to_text(data_[k]) : tables_.input_name(function_, positions_[k]);
    };
  }

  NonfiniteExplanation describe(std::size_t g, std::uint32_t i, ExprId output) {
    NonfiniteExplanation e;
    e.found = true;
    const ir::Group& group = function_.groups()[g].group;
    if (i < group.origins.size()) e.span = tables_.problem().flat.origins[group.origins[i]].span;
    std::vector<ExprId> nodes = ir::reachable(all_.dag, std::span(&output, 1));
    bool calls = std::erase_if(nodes, [&](ExprId node) { return all_.dag.op(node) == Op::call; }) > 0;
    std::vector<double> values = calls ? evaluate_alone(nodes) : evaluate(nodes);
    std::vector<char> part = taking_part(nodes, values);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (!part[k] || std::isfinite(values[k])) continue;
      if (all_.dag.is_number(nodes[k])) {
        if (tell_subscript(nodes, k, e)) break;
        if (values[k] != values[k] && k + 1 < nodes.size()) continue;  // what it stands in says more
      }
      e.expression = ir::to_text(all_, nodes[k], names());
      e.value = values[k];
      std::span<const ExprId> operands = all_.dag.operands(nodes[k]);
      if (all_.dag.op(nodes[k]) == Op::output) operands = all_.dag.operands(operands[0]);
      std::vector<ExprId> parts(operands.begin(), operands.end());
      std::vector<double> operand_values = evaluate_alone(parts);
      if (all_.dag.op(nodes[k]) == Op::output) tell_failure(all_.dag.operands(nodes[k])[0], operand_values, e);
      for (std::size_t p = 0; p < parts.size(); ++p)
        if (!all_.dag.is_number(parts[p])) e.operands.emplace_back(ir::to_text(all_, parts[p], names()), operand_values[p]);
      break;
    }
    return e;
  }

  /// Which nodes the value of the last one is made of: branches that are not taken have no part in it.
  std::vector<char> taking_part(std::span<const ExprId> nodes, std::span<const double> values) const {
    std::vector<char> part(nodes.size(), 0);
    auto place = [&](ExprId node) {
      return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    };
    auto mark = [&](ExprId node) {
      if (std::size_t at = place(node); at < nodes.size() && nodes[at] == node) part[at] = 1;
    };
    if (!part.empty()) part.back() = 1;
    for (std::size_t k = nodes.size(); k-- > 0;) {
      if (!part[k]) continue;
      std::span<const ExprId> operands = all_.dag.operands(nodes[k]);
      if (all_.dag.op(nodes[k]) == Op::select) {
        std::size_t condition = place(operands[0]);
        mark(operands[0]);
        mark(condition < nodes.size() && values[condition] != 0 ? operands[1] : operands[2]);
        continue;
      }
      for (ExprId operand : all_.dag.op(nodes[k]) == Op::output ? all_.dag.operands(operands[0]) : operands) mark(operand);
    }
    return part;
  }

  /// `i` of `i == 3`, if that is what a condition says.
  std::optional<ExprId> compared(ExprId condition) const {
    while (all_.dag.op(condition) == Op::no_event) condition = all_.dag.operands(condition)[0];
    if (all_.dag.op(condition) != Op::equal) return {};
    std::span<const ExprId> sides = all_.dag.operands(condition);
    if (all_.dag.is_number(sides[1])) return sides[0];
    return all_.dag.is_number(sides[0]) ? std::optional(sides[1]) : std::nullopt;
  }

  /// An element that is chosen while the model runs is `if i == 1 then x[1] else if i == 2 then x[2] else NaN`: the number k
  /// of the nodes is that NaN, and no comparison holds.
  bool tell_subscript(std::span<const ExprId> nodes, std::size_t k, NonfiniteExplanation& e) {
    ExprId chain = nodes[k];
    std::optional<ExprId> subscript;
    std::vector<ExprId> elements;  // the last one first
    for (ExprId node : nodes.subspan(k + 1)) {
      if (all_.dag.op(node) != Op::select || all_.dag.operands(node)[2] != chain) continue;
      std::optional<ExprId> by = compared(all_.dag.operands(node)[0]);
      if (!by || (subscript && *by != *subscript)) break;
      subscript = by;
      elements.push_back(all_.dag.operands(node)[1]);
      chain = node;
    }
    if (!subscript) return false;
    double value = evaluate(std::span(&*subscript, 1))[0];
    auto count = static_cast<double>(elements.size());
    if (value >= 1 && value <= count && value == std::floor(value)) return false;
    auto text = [&](ExprId node) { return ir::to_text(all_, node, names()); };
    std::string last = elements.size() > 1 ? (elements.size() > 2 ? ", …, " : ", ") + text(elements.front()) : "";
    e.expression = "{" + text(elements.back()) + last + "}[" + text(*subscript) + "]";
    e.value = std::nan("");
    e.operands.emplace_back(text(*subscript), value);
    e.failure = "the subscript is outside 1 … " + ir::to_text(count);
    return true;
  }

  /// What ended a function.
  void tell_failure(ExprId call, std::span<const double> arguments, NonfiniteExplanation& e) {
    ir::ProgramId program = all_.dag.program(call);
    std::vector<double> results(output_count(all_.programs[program.index()]));
    ir::Interpreter<double> interpreter(all_);
    ir::RunReport report = interpreter.run(program, arguments, results);
    if (report && interpreter.objection()) report = *interpreter.objection();
    if (report) return;
    e.failure_span = report.span;
    std::string in = report.program.empty() ? "" : " in `" + report.program + "`";
    switch (report.status) {
      case ir::RunStatus::check_failed:
        e.failure = "the assertion \"" + text_of(report) + "\"" + in + " does not hold";
        break;
      case ir::RunStatus::index_out_of_range:
        e.failure = "an index is out of range" + in + ": " + report.text;
        break;
      case ir::RunStatus::operation_limit:
        e.failure = "a loop does not end" + in;
        break;
      case ir::RunStatus::foreign_failed:
        e.failure = "the external function `" + report.text + "` failed";
        break;
      case ir::RunStatus::zero_step:
        e.failure = "the step of a loop is zero" + in;
        break;
      case ir::RunStatus::integer_overflow:
        e.failure = "the Integer `" + report.text + "`" + in + " is beyond ±2^53";
        break;
      case ir::RunStatus::too_deep:
      case ir::RunStatus::tape_empty:
      case ir::RunStatus::ok:
        break;
    }
  }

  std::string text_of(const ir::RunReport& report) const {
    if (report.action && tables_.problem().flat.actions) {
      ir::ActionPerformer::Outcome made = tables_.problem().flat.actions->perform(*report.action, report.values);
      if (made.failure.empty()) return made.text;
    }
    std::string text = report.text;
    for (std::size_t k = 0; k < report.values.size(); ++k)
      replace_all(text, "{" + std::to_string(k) + "}", ir::to_text(report.values[k]));
    return text;
  }

  ProblemTables& tables_;
  FunctionTables& function_;
  std::span<const double> point_, shared_;
  const ir::Expressions& all_;
  std::vector<double> slots_, data_;
  std::vector<std::uint32_t> positions_;
};

}  // namespace

NonfiniteExplanation explain_nonfinite(ProblemTables& tables, FunctionTables& function, std::span<const double> point,
                                       std::span<const double> shared) {
  return Search(tables, function, point, shared).run();
}

}  // namespace bolza::codegen
