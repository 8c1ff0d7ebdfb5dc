// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/interpret.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/problem.h"

namespace bolza::workflow {

/// What depends on time, and on nothing else that is known only with the solution: the largest such expressions of the
/// equations, constraints and integrands of one phase, cut into the terms of their sums. Those that are straight lines are
/// left out, and so is all beyond the first 2000.
///
/// The problem must outlive it. Cost: once per shape, and a little per instance of shapes in which time stands.
class TimeTerms {
 public:
  TimeTerms(const ir::Problem& problem, std::size_t phase);

  std::size_t size() const { return terms_.size(); }
  /// Whether it reads free parameters, which a solution has other values of than its guess.
  bool is_free(std::size_t term) const { return terms_[term].is_free; }
  /// What an evaluation costs, in operations.
  std::size_t operations(std::size_t term) const;
  /// As it would be written, with the names of parameters.
  std::string text(std::size_t term) const;
  /// Values at many times; NaN where there is none.
  /// @param shared  of the model [shared]     @param values  [times]
  void evaluate(std::size_t term, std::span<const double> shared, std::span<const double> times, std::span<double> values);

 private:
  struct Term {
    ir::ExprId root;
    ir::Tape tape;
    std::vector<std::uint32_t> slots;  ///< positions
    std::vector<double> data;
    bool is_free = false, calls = false;
  };
  struct Found {
    ir::ExprId root;
    std::vector<std::uint32_t> slots, data;  ///< that it reads, by number
  };
  enum class Slot : std::uint8_t { unknown, constant, time };
  enum class Kind : std::uint8_t { unknown, constant, line, timed };
  Kind kind_of(ir::ExprId e, std::span<const Slot> slots, const ir::NodeMap<Kind>& kinds) const;
  void add_group(const ir::Function& f, const ir::Group& group);
  std::vector<Found> found_in(const ir::Group& group, std::span<const Slot> slots) const;
  void look_at(ir::ExprId sum, const ir::NodeMap<Kind>& kinds, std::vector<Found>& found) const;
  void add(const ir::Function& f, const ir::Group& group, std::uint32_t instance, const Found& found);
  void evaluate_block(const Term& term, std::span<const double> shared, std::span<const double> times, double* values);
  double value(const Term& term, std::span<const double> shared, double time);

  const ir::Problem& problem_;
  const ir::Problem& model_;
  ir::Interpreter<double> interpreter_;
  std::vector<Term> terms_;
  std::set<std::vector<std::uint64_t>> known_;  ///< what tells each term from the others
  std::vector<double> work_;                    ///< [steps × block]
};

}  // namespace bolza::workflow
