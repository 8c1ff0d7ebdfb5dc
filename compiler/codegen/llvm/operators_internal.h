// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "compiler/codegen/llvm/module_internal.h"
#include "compiler/ir/op.h"

namespace bolza::codegen {

/// Instructions for the operators on values of `width` lanes (1: plain doubles). No fast-math flag is ever set, so both
/// tiers and all lanes give the same bits; products are contracted here and nowhere else.
class Operators {
 public:
  Operators(ModuleBuilder& module, llvm::IRBuilder<>& builder, std::uint32_t width);

  llvm::Type* type() const { return type_; }
  llvm::Value* number(double value);
  llvm::Value* splat(llvm::Value* scalar);
  llvm::Value* truth(llvm::Value* mask);       ///< 1.0 or 0.0
  llvm::Value* condition(llvm::Value* value);  ///< mask: not equal to zero
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c);

  /// Conditions are masks: relations, `not`, `and` and `or` give one; the last three, and `if` as its first operand, take
  /// one.
  static bool gives_mask(ir::Op op);
  static bool takes_mask(ir::Op op, std::size_t k);
  /// Any operator but leaves and calls, on as many operands as it has.
  llvm::Value* apply(ir::Op op, llvm::Value* a, llvm::Value* b = nullptr, llvm::Value* c = nullptr);
  /// a ^ exponent. Integers up to 16 and halves up to 8.5 become products and a square root.
  llvm::Value* power(llvm::Value* a, double exponent);

 private:
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::Value* a);
  llvm::Value* math(ir::Op op, std::span<llvm::Value* const> operands);
  llvm::Value* whole_power(llvm::Value* a, unsigned n);
  llvm::Value* remainder(llvm::Value* a, llvm::Value* b, llvm::Intrinsic::ID rounding);

  ModuleBuilder& module_;
  llvm::IRBuilder<>& b_;
  std::uint32_t width_;
  llvm::Type* type_;
};

}  // namespace bolza::codegen
