#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/span.h"
#include "compiler/codegen/function_tables_internal.h"
#include "compiler/codegen/hybrid_tables_internal.h"
#include "compiler/ir/problem.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

/// Texts that C structs point to. Addresses stay valid.
class Texts {
 public:
  const char* keep(std::string text);
  bolza_source place(const Sources& sources, Span span);

 private:
  std::deque<std::string> all_;
  std::map<std::uint32_t, const char*> paths_;
};

/// An ir::Problem as plain C structs: one model, one phase. Owns all of them.
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
  bolza_function* add_function(const ir::Function& function, const char* name, std::size_t n_point, bool batch,
                               Patterns patterns = Patterns::at_once);
  std::vector<bolza_variable> variables(const std::vector<ir::VariableId>& ids, const std::vector<ir::Numbers>& numbers,
                                        const Sources& sources);
  void fill_model(const Sources& sources);
  void fill_problem();
  void fill_hybrid(const Sources& sources);
  void fill_rows(const Sources& sources);
  void fill_results(const Sources& sources);
  void fill_numbers();
  void fill_sides();
  std::vector<bolza_row> rows_of(const ir::Function& function, const Sources& sources);
  std::string value_name(std::size_t k) const;

  ir::Problem problem_;
  Texts texts_;
  DerivativeTable derivatives_;
  std::vector<std::unique_ptr<FunctionTables>> functions_;
  std::vector<bolza_variable> x_, z_, u_, shared_;
  std::vector<bolza_row> rates_rows_, residual_rows_, initial_rows_, output_rows_, integrand_rows_, point_rows_;
  std::vector<bolza_output> results_;
  std::vector<bolza_place> places_;
  std::vector<bolza_value_at> values_;
  std::vector<double> shared_values_;
  std::vector<std::int32_t> variable_index_;
  std::vector<std::int32_t> parameter_;
  std::unique_ptr<HybridTables> hybrid_;
  bolza_model model_{};
  bolza_model* models_[1] = {&model_};
  bolza_phase phase_{};
  bolza_problem abi_{};
};

}  // namespace bolza::codegen
