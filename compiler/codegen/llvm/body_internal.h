// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>
#include <vector>

#include "compiler/codegen/frame_internal.h"
#include "compiler/codegen/llvm/operators_internal.h"

namespace bolza::codegen {

/// Writes the instructions of one part of a kernel's body at one block of points.
class BodyLowering {
 public:
  /// `frame` and `point` (index of the block's first point) are values of the function under construction.
  BodyLowering(ModuleBuilder& module, llvm::IRBuilder<>& builder, std::uint32_t width, const KernelShape& shape,
               const Schedule& schedule, const Frame& layout, llvm::Value* frame, llvm::Value* point);

  /// Computes a part, stores its outputs (unless `dry`) and what later parts read; adds 0 · outputs to the frame's check.
  void lower(std::uint32_t part, bool dry);

 private:
  struct Val {
    llvm::Value* value = nullptr;
    llvm::Value* mask = nullptr;
  };
  void compute(std::uint32_t position);
  void compute_sum(std::uint32_t position);
  void compute_call(std::uint32_t position);
  void store_output(std::uint32_t output, std::uint32_t position);
  void watch(llvm::Value* stored);
  void flush_check();
  Val& known(std::uint32_t position);
  llvm::Value* value(std::uint32_t position);
  llvm::Value* mask(std::uint32_t position);
  llvm::Value* load_leaf(std::uint32_t position);
  llvm::Value* load_row(std::uint32_t rows, std::uint32_t k);
  llvm::Value* row_address(std::uint32_t rows, std::uint32_t k);
  llvm::Value* at(std::uint32_t offset);
  llvm::Value* load_vector(llvm::Value* address);
  void store_vector(llvm::Value* value, llvm::Value* address);
  ir::Op op(std::uint32_t position) const;

  ModuleBuilder& module_;
  llvm::IRBuilder<>& b_;
  Operators operators_;
  const KernelShape& shape_;
  const Schedule& schedule_;
  const Frame& layout_;
  llvm::Value* frame_;
  llvm::Value* point_;
  std::uint32_t begin_ = 0;
  std::vector<Val> own_;                                ///< [positions of the part]
  std::unordered_map<std::uint32_t, Val> from_others_;  ///< positions of earlier parts
  std::vector<llvm::Value*> checks_;                    ///< independent sums, so that they do not wait for each other
  std::size_t next_check_ = 0;
};

}  // namespace bolza::codegen
