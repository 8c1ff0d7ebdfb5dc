// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "compiler/ir/flat_model.h"

namespace bolza::passes {

/// Which variables each scenario has for itself, and the ids of all of them in the model with copies. The copies of a
/// variable are one array with the scenario as its first dimension.
class Copies {
 public:
  /// @param own  [variables] not 0: each scenario has its own
  Copies(const ir::FlatModel& model, std::vector<std::uint8_t> own, std::size_t n_scenarios);

  std::size_t n() const { return n_; }
  /// From now on `id` stands for `by`, an id of the model with copies.
  void replace(ir::VariableId id, ir::VariableId by) { replaced_[id] = by; }
  bool is_own(std::size_t variable) const { return own_[variable] != 0; }
  bool is_own(ir::VariableId id) const { return own_[owner_[id.index()]] != 0; }
  bool reads_own(std::span<const ir::VariableId> slots) const;
  bool reads_own(const ir::Term& term) const { return reads_own(term.slots); }
  bool reads_own(const ir::ElementValues& values) const;
  /// The id of a variable, or of its copy for this scenario, in the model with copies.
  ir::VariableId of(ir::VariableId id, std::size_t scenario) const;
  ir::VariableId first(std::size_t variable) const { return first_[variable]; }
  std::uint64_t n_scalars() const { return n_scalars_; }

  ir::Term term(const ir::Term& term, std::size_t scenario) const;
  /// Values of a variable's elements: one for each element of each copy where they differ.
  ir::ElementValues values(const ir::ElementValues& values, std::size_t variable) const;

 private:
  std::size_t n_;
  std::vector<std::uint8_t> own_;
  std::vector<std::uint32_t> owner_;               ///< [scalars of the model] the variable
  std::vector<std::uint32_t> size_;                ///< [variables] without copies
  std::vector<ir::VariableId> old_first_, first_;  ///< [variables]
  std::uint64_t n_scalars_ = 0;
  std::map<ir::VariableId, ir::VariableId> replaced_;
};

}  // namespace bolza::passes
