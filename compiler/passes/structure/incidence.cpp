// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/structure/incidence.h"

#include <algorithm>

namespace bolza::passes {

EquationRows equations_of(const System& system) {
  EquationRows equations;
  equations.instances = instances_of(system.flat.equations);
  equations.parts.resize(system.flat.equations.n_rows);
  for (std::uint32_t i = 0; i < equations.instances.size(); ++i)
    for (RowId row : equations.instances[i].rows) equations.parts[row.index()].push_back(i);
  return equations;
}

Unknowns unknowns_of(const System& system) {
  Unknowns unknowns;
  unknowns.number.assign(system.n(), Matching::none);
  for (std::size_t v = 0; v < system.n(); ++v) {
    if (!system.is_unknown(VariableId(v)) || system.definition(VariableId(v))) continue;
    unknowns.number[v] = static_cast<std::uint32_t>(unknowns.variables.size());
    unknowns.variables.push_back(VariableId(v));
  }
  return unknowns;
}

Incidence incidence_of(const System& system, const EquationRows& equations, const Unknowns& unknowns, bool states_too) {
  Incidence incidence;
  incidence.n_columns = static_cast<std::uint32_t>(unknowns.variables.size());
  incidence.begin.push_back(0);
  std::vector<std::uint32_t> seen(unknowns.variables.size(), Matching::none);
  for (std::uint32_t r = 0; r < equations.parts.size(); ++r) {
    for (std::uint32_t part : equations.parts[r])
      for (VariableId v : equations.instances[part].applied.slots) {
        if (states_too && system.role(v) == ScalarRole::state) v = system.derivative[v.index()];
        std::uint32_t c = unknowns.number[v.index()];
        if (c == Matching::none || seen[c] == r) continue;
        seen[c] = r;
        incidence.columns.push_back(c);
      }
    incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
  }
  return incidence;
}

Incidence transpose(const Incidence& incidence) {
  Incidence result;
  result.n_columns = incidence.n_rows();
  result.begin.assign(incidence.n_columns + 1, 0);
  for (std::uint32_t c : incidence.columns) ++result.begin[c + 1];
  for (std::size_t c = 0; c < incidence.n_columns; ++c) result.begin[c + 1] += result.begin[c];
  result.columns.resize(incidence.columns.size());
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::uint32_t r = 0; r < incidence.n_rows(); ++r)
    for (std::uint32_t c : incidence.row(r)) result.columns[next[c]++] = r;
  return result;
}

// ---------------------------------------------------------------- blocks

namespace {

class Tarjan {
 public:
  Tarjan(const Incidence& incidence, const Matching& matching)
      : incidence_(incidence),
        matching_(matching),
        number_(incidence.n_rows(), 0),
        low_(incidence.n_rows(), 0),
        open_(incidence.n_rows(), false) {}

  std::vector<std::vector<std::uint32_t>> run() {
    for (std::uint32_t r = 0; r < incidence_.n_rows(); ++r)
      if (number_[r] == 0) visit(r);
    return std::move(blocks_);
  }

 private:
  struct Frame {
    std::uint32_t row;
    std::size_t next = 0;
  };

  void visit(std::uint32_t first) {
    std::vector<Frame> frames;
    enter(frames, first);
    while (!frames.empty()) {
      Frame& top = frames.back();
      std::span<const std::uint32_t> columns = incidence_.row(top.row);
      if (top.next < columns.size()) {
        std::uint32_t needed = matching_.of_column[columns[top.next++]];
        if (number_[needed] == 0) enter(frames, needed);
        else if (open_[needed]) low_[top.row] = std::min(low_[top.row], number_[needed]);
        continue;
      }
      std::uint32_t row = top.row;
      frames.pop_back();
      if (!frames.empty()) low_[frames.back().row] = std::min(low_[frames.back().row], low_[row]);
      if (low_[row] == number_[row]) close_block(row);
    }
  }

  void enter(std::vector<Frame>& frames, std::uint32_t row) {
    number_[row] = low_[row] = ++count_;
    open_[row] = true;
    stack_.push_back(row);
    frames.push_back({row});
  }

  void close_block(std::uint32_t row) {
    std::vector<std::uint32_t> block;
    std::uint32_t member;
    do {
      member = stack_.back();
      stack_.pop_back();
      open_[member] = false;
      block.push_back(member);
    } while (member != row);
    std::sort(block.begin(), block.end());
    blocks_.push_back(std::move(block));
  }

  const Incidence& incidence_;
  const Matching& matching_;
  std::vector<std::uint32_t> number_, low_, stack_;
  std::vector<bool> open_;
  std::vector<std::vector<std::uint32_t>> blocks_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> blocks_of(const Incidence& incidence, const Matching& matching) {
  return Tarjan(incidence, matching).run();
}

}  // namespace bolza::passes
