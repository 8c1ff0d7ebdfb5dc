// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/span.h"
#include "compiler/codegen/function_tables_internal.h"
#include "compiler/codegen/model_tables_internal.h"
#include "compiler/ir/problem.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

/// An ir::Problem as plain C structs: a model for each phase. Owns all of them.
class ProblemTables {
 public:
  ProblemTables(ir::Problem problem, const Sources& sources);
  ProblemTables(const ProblemTables&) = delete;
  ProblemTables& operator=(const ProblemTables&) = delete;

  bolza_problem& abi() { return abi_; }
  const bolza_problem& abi() const { return abi_; }
  const ir::Problem& problem() const { return problem_; }
  ir::Expressions& expressions() { return problem_.flat.expressions; }
  std::vector<std::unique_ptr<FunctionTables>>& functions() { return functions_; }
  FunctionTables* find(const bolza_function* function);

  /// Numbers of the same problem with other parameter values; false and no change when the structure differs.
  bool update_values(const ir::Problem& fresh);
  void set_shared(std::size_t k, double value);

  /// "x1", "u(finalTime)", … of an input position of a function.
  std::string input_name(const FunctionTables& function, std::uint32_t position) const;

 private:
  std::size_t n_models() const { return problem_.models.empty() ? 1 : problem_.models.size(); }
  ir::Problem& model(std::size_t k) { return problem_.models.empty() ? problem_ : problem_.models[k]; }
  bolza_function* add_function(const ir::Problem& model, const ir::Function& function, const char* name, std::size_t n_point,
                               bool batch, Patterns patterns);
  void fill_phases();
  void fill_problem();
  void fill_point_rows(const Sources& sources);
  void set_numbers();
  void set_own_shared(std::size_t k, double value);
  void update_data(ModelTables& tables, ir::Problem& own, const ir::Problem& fresh);
  void update_data(const bolza_function* function, ir::Function& own, const ir::Function& fresh);
  std::string value_name(std::size_t k) const;

  ir::Problem problem_;
  Texts texts_;
  const char* name_ = "";
  DerivativeTable derivatives_;
  std::vector<std::unique_ptr<FunctionTables>> functions_;
  std::vector<std::unique_ptr<ModelTables>> models_;
  std::vector<bolza_variable> shared_;
  std::vector<bolza_row> point_rows_;
  std::vector<bolza_place> places_;
  std::vector<bolza_value_at> values_;
  std::vector<double> shared_values_;
  std::vector<std::vector<std::int32_t>> parameters_;  ///< [phases] bolza_phase.parameter
  std::vector<bolza_phase> phases_;
  std::vector<bolza_model*> model_pointers_;
  bolza_problem abi_{};
};

}  // namespace bolza::codegen
