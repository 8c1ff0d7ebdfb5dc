// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "compiler/codegen/llvm/module_internal.h"
#include "compiler/codegen/llvm/operators_internal.h"
#include "compiler/codegen/schedule_internal.h"
#include "compiler/codegen/series_rows_internal.h"

namespace bolza::codegen {

/// Writes a kernel that computes one coefficient of Taylor series by the recurrences of the operators.   [HNW, I.8]
/// Requires  no Programs.
class SeriesLowering {
 public:
  SeriesLowering(ModuleBuilder& module, const KernelShape& shape, std::string name);
  void lower();
  std::size_t rows() const { return n_rows_; }

 private:
  llvm::Function* lower_part(std::uint32_t begin, std::uint32_t end);
  void compute(std::uint32_t position, bool first);
  void compute_first(std::uint32_t position);
  void compute_next(std::uint32_t position);
  void compute_power(std::uint32_t position, bool first);
  void whole_power(std::uint32_t position, unsigned n, bool negative, bool first);
  void store_output(std::uint32_t output);

  llvm::Value* field(std::size_t offset, llvm::Type* type);
  llvm::Value* row(std::uint32_t position);                    ///< of a value
  llvm::Value* beside(std::uint32_t position, std::size_t k);  ///< of what its recurrence needs
  llvm::Value* operand(std::uint32_t position, std::size_t k) { return row(schedule_.operands(position)[k]); }
  llvm::Value* now(llvm::Value* row);  ///< coefficient that is being computed
  llvm::Value* zeroth(llvm::Value* row);
  void set(llvm::Value* row, llvm::Value* value);
  llvm::Value* table_entry(llvm::Value* index, std::uint32_t k);
  /// Σ a_j b_{k−j}, or Σ j a_j b_{k−j}, over j = from … k − less.
  llvm::Value* convolution(llvm::Value* a, llvm::Value* b, unsigned from, unsigned less, bool weighted = false);
  llvm::Function* convolution_function(bool weighted);
  bool fixed(std::uint32_t position) const { return position < n_fixed_; }
  ir::Op op(std::uint32_t position) const { return module_.expressions.dag.op(schedule_.order[position]); }

  ModuleBuilder& module_;
  const KernelShape& shape_;
  std::string name_;
  llvm::IRBuilder<> b_;
  Operators operators_;
  Schedule schedule_;
  std::uint32_t n_fixed_ = 0;             // positions that are the same at all times
  std::vector<std::uint32_t> first_row_;  // [order]
  std::size_t n_rows_ = 0;
  llvm::Function* function_ = nullptr;  // being written
  llvm::Value *call_ = nullptr, *instance_ = nullptr, *base_ = nullptr, *ld_ = nullptr, *k_ = nullptr, *order_ = nullptr,
              *check_ = nullptr;
  std::vector<llvm::Value*> row_of_;  // [order] in this part
};

}  // namespace bolza::codegen
