// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "compiler/codegen/function_tables_internal.h"
#include "compiler/ir/problem.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

/// The event part of a model as plain C structs. Addresses stay valid.
class HybridTables {
 public:
  /// What the tables of the whole problem give: a function's C struct, a kept text, a place, a shared entry's variable.
  struct Makers {
    std::function<bolza_function*(const ir::Function&, const char* name, Patterns)> function;
    std::function<std::vector<bolza_row>(const ir::Function&)> rows;
    std::function<const char*(std::string)> text;
    std::function<bolza_source(Span)> place;
  };
  HybridTables(const ir::Problem& problem, const ir::FlatModel& flat, const std::vector<bolza_variable>& shared,
               const Makers& makers);
  HybridTables(const HybridTables&) = delete;
  HybridTables& operator=(const HybridTables&) = delete;

  const bolza_hybrid& abi() const { return abi_; }
  /// Start values of discrete variables, and starts and intervals of samples.
  void set_numbers(const ir::EventPart& hybrid, const std::vector<bolza_variable>& shared);
  /// The C struct of a function of ir::hybrid_functions; null when it has no rows.
  bolza_function* function(std::size_t k) const { return functions_[k]; }

 private:
  void fill_discrete(const ir::Problem& problem, const ir::FlatModel& flat, const std::vector<bolza_variable>& shared,
                     const Makers& makers);
  std::vector<bolza_message> messages(const std::vector<ir::EventMessage>& from, const Makers& makers);
  void name_rows(const ir::Problem& problem, const ir::FlatModel& flat, const Makers& makers);

  std::vector<bolza_discrete> discrete_;
  std::vector<bolza_previous> previous_;
  std::vector<bolza_sample> samples_;
  std::vector<bolza_transport> transports_;
  std::vector<bolza_message> assertions_, terminations_;
  std::vector<std::int32_t> reinit_state_, initial_target_;
  std::vector<std::vector<bolza_row>> rows_;
  std::vector<bolza_function*> functions_;
  bolza_hybrid abi_{};
};

}  // namespace bolza::codegen
