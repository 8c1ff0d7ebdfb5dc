// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
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

/// The C structs of some variables.   @param states  by which derivatives among them are known
std::vector<bolza_variable> variables_of(const ir::FlatModel& flat, const std::vector<ir::VariableId>& states,
                                         const std::vector<ir::VariableId>& ids, const std::vector<ir::Numbers>& numbers,
                                         Texts& texts, const Sources& sources);
void set_numbers(std::vector<bolza_variable>& variables, const std::vector<ir::Numbers>& numbers);

/// Rows in the order of the function, each with the place of the first instance that makes it.
std::vector<bolza_row> rows_of(const ir::FlatModel& flat, const ir::Function& function, Texts& texts,
                               const Sources& sources);
void name_rows(const ir::FlatModel& flat, const std::vector<ir::RowInfo>& infos, std::size_t offset, Texts& texts,
               const Sources& sources, std::vector<bolza_row>& rows);
void number_rows(std::vector<bolza_row>& rows, std::size_t begin, const char* what, Texts& texts);
void set_sides(const std::vector<ir::RowInfo>& infos, std::size_t offset, std::vector<bolza_row>& rows);

/// The model of a phase as plain C structs. Owns them, but not its functions' tables. Addresses stay valid.
class ModelTables {
 public:
  using AddFunction = std::function<bolza_function*(const ir::Problem& model, const ir::Function& function, const char* name,
                                                    std::size_t n_point, bool batch, Patterns patterns)>;

  /// @param model, flat, texts  are kept; the numbers in `model` may change between calls of `set_numbers`
  ModelTables(const ir::Problem& model, const ir::FlatModel& flat, const char* name, Texts& texts, const Sources& sources,
              AddFunction add_function);
  ModelTables(const ModelTables&) = delete;
  ModelTables& operator=(const ModelTables&) = delete;

  bolza_model& abi() { return abi_; }
  const bolza_model& abi() const { return abi_; }
  const std::vector<bolza_variable>& shared() const { return shared_; }
  const std::vector<double>& shared_values() const { return shared_values_; }
  HybridTables* hybrid() { return hybrid_.get(); }
  bool owns(const bolza_function* function) const;

  /// Numbers and sides of rows as the model has them now.
  void set_numbers();
  void set_shared(std::size_t k, double value);
  /// "x1", … of an input position of a function of the model.
  std::string input_name(const bolza_function& function, std::uint32_t position) const;

 private:
  bolza_function* add(const ir::Function& function, const char* name, std::size_t n_point, bool batch,
                      Patterns patterns = Patterns::at_once) {
    bolza_function* added = add_(model_of_, function, name, n_point, batch, patterns);
    functions_.push_back(added);
    return added;
  }
  void fill_model(const char* name, const Sources& sources);
  void fill_hybrid(const Sources& sources);
  void fill_rows(const Sources& sources);
  void fill_results(const Sources& sources);
  void fill_switching(const Sources& sources);

  const ir::Problem& model_of_;
  const ir::FlatModel& flat_;
  Texts& texts_;
  AddFunction add_;
  std::vector<const bolza_function*> functions_;
  std::vector<bolza_variable> x_, z_, u_, shared_;
  std::vector<bolza_row> rates_rows_, residual_rows_, initial_rows_, output_rows_, integrand_rows_;
  std::vector<bolza_output> results_;
  std::vector<double> shared_values_;
  std::vector<std::int32_t> variable_index_;
  std::vector<std::vector<std::int32_t>> switching_controls_;
  std::vector<bolza_switching> switching_;
  std::unique_ptr<HybridTables> hybrid_;
  bolza_model abi_{};
};

}  // namespace bolza::codegen
