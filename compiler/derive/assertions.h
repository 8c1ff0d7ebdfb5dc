// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace bolza::derive {

/// An assertion that a Program makes, or one that it calls.
struct ProgramAssertion {
  Span span;  ///< of the `assert`
  std::string text;
  ir::AssertionLevel level = ir::AssertionLevel::error;
  std::optional<std::uint32_t> action;
  std::uint32_t n_values = 0;
  bool goes_on = false;     ///< what follows it is executed all the same
  std::uint32_t first = 0;  ///< output that is 1 where it failed, else 0; its values follow
};

/// What tells whether the assertions of a Program hold.
struct ProgramAssertions {
  ir::ProgramId program;  ///< arguments: those of the Program
  std::vector<ProgramAssertion> all;
};

/// The assertions of Programs from outside: beside each a Program that does the same and gives back, in the place of its
/// results, which assertions failed, with the values of their texts as they were at the first failure. It does not fail
/// itself. One place in the source is one assertion, however often it is reached or its function is called. What recursion
/// leads to is not looked at.
class AssertionTable {
 public:
  explicit AssertionTable(ir::Expressions& expressions) : all_(expressions) {}

  /// Null when the Program asserts nothing. The result stays where it is. Cost: the statements, once per Program.
  const ProgramAssertions* of(ir::ProgramId program);
  /// Every Program that was asked for goes on where an assertion does not hold: that is seen from outside now.
  void let_go_on();

 private:
  ir::Expressions& all_;
  std::map<ir::ProgramId, std::optional<ProgramAssertions>> known_;
};

}  // namespace bolza::derive
