// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Rows of a function of the standard form, as instances over variables.
struct FunctionRows {
  std::vector<GroupInstance> instances;
  std::uint32_t n_rows = 0;

  void add(const ir::Section& section);
  /// Some of its rows, in their order.   @param kept  [section.n_rows]
  void add(const ir::Section& section, const std::vector<bool>& kept);
  void add(const LoweredRow& row);
  /// A row of one part.
  void add(Applied part, std::uint32_t origin);
  void add(const EventRow& row);
  /// Of each row: the origin of the first instance that makes it.
  std::vector<std::uint32_t> origins() const;
};

}  // namespace bolza::passes
