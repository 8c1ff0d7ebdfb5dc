// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Intrinsics.h>

#include <array>
#include <cmath>

#include "base/expects.h"
#include "compiler/codegen/llvm/operators_internal.h"

namespace bolza::codegen {

using ir::Op;
using llvm::Value;
using llvm::Intrinsic::ID;

Operators::Operators(ModuleBuilder& module, llvm::IRBuilder<>& builder, std::uint32_t width)
    : module_(module),
      b_(builder),
      width_(width) {
  llvm::Type* scalar = llvm::Type::getDoubleTy(module.context);
  type_ = width == 1 ? scalar : llvm::FixedVectorType::get(scalar, width);
}

Value* Operators::number(double value) { return llvm::ConstantFP::get(type_, value); }

Value* Operators::splat(Value* scalar) { return width_ == 1 ? scalar : b_.CreateVectorSplat(width_, scalar); }

Value* Operators::truth(Value* mask) { return b_.CreateSelect(mask, number(1), number(0)); }

Value* Operators::condition(Value* value) { return b_.CreateFCmpUNE(value, number(0)); }

Value* Operators::intrinsic(ID id, Value* a) { return b_.CreateUnaryIntrinsic(id, a); }

Value* Operators::fma(Value* a, Value* b, Value* c) {
  if (!module_.machine.fma) return b_.CreateFAdd(b_.CreateFMul(a, b), c);
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {a, b, c});
}

Value* Operators::math(Op op, std::span<Value* const> operands) {
  auto arity = static_cast<std::uint32_t>(operands.size());
  llvm::FunctionCallee callee = module_.math(std::string(ir::row_of(op).libm), arity, width_);
  llvm::CallInst* call = b_.CreateCall(callee, llvm::ArrayRef(operands.data(), operands.size()));
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  return call;
}

bool Operators::gives_mask(Op op) { return op == Op::logical_not || (op >= Op::less && op <= Op::logical_or); }

bool Operators::takes_mask(Op op, std::size_t k) {
  return op == Op::logical_not || op == Op::logical_and || op == Op::logical_or || (op == Op::select && k == 0);
}

Value* Operators::apply(Op op, Value* a, Value* b, Value* c) {
  switch (op) {
    case Op::neg:
      return b_.CreateFNeg(a);
    case Op::abs:
      return intrinsic(llvm::Intrinsic::fabs, a);
    case Op::sign: {
      Value* negative = b_.CreateSelect(b_.CreateFCmpOLT(a, number(0)), number(-1), a);
      return b_.CreateSelect(b_.CreateFCmpOGT(a, number(0)), number(1), negative);
    }
    case Op::sqrt:
      return intrinsic(llvm::Intrinsic::sqrt, a);
    case Op::floor:
      return intrinsic(llvm::Intrinsic::floor, a);
    case Op::ceil:
      return intrinsic(llvm::Intrinsic::ceil, a);
    case Op::logical_not:
      return b_.CreateNot(a);
    case Op::no_event:
      return a;
    case Op::exp:
    case Op::log:
    case Op::log10:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::asinh:
    case Op::acosh:
    case Op::atanh:
      return math(op, std::array{a});
    case Op::pow:
    case Op::atan2:
      return math(op, std::array{a, b});
    case Op::add:
      return b_.CreateFAdd(a, b);
    case Op::sub:
      return b_.CreateFSub(a, b);
    case Op::mul:
      return b_.CreateFMul(a, b);
    case Op::div:
      return b_.CreateFDiv(a, b);
    case Op::min:
      return b_.CreateSelect(b_.CreateFCmpOLT(b, a), b, a);
    case Op::max:
      return b_.CreateSelect(b_.CreateFCmpOLT(a, b), b, a);
    case Op::mod:
      return remainder(a, b, llvm::Intrinsic::floor);
    case Op::rem:
      return remainder(a, b, llvm::Intrinsic::trunc);
    case Op::quotient:
      return intrinsic(llvm::Intrinsic::trunc, b_.CreateFDiv(a, b));
    case Op::less:
      return b_.CreateFCmpOLT(a, b);
    case Op::less_equal:
      return b_.CreateFCmpOLE(a, b);
    case Op::greater:
      return b_.CreateFCmpOGT(a, b);
    case Op::greater_equal:
      return b_.CreateFCmpOGE(a, b);
    case Op::equal:
      return b_.CreateFCmpOEQ(a, b);
    case Op::not_equal:
      return b_.CreateFCmpUNE(a, b);
    case Op::logical_and:
      return b_.CreateAnd(a, b);
    case Op::logical_or:
      return b_.CreateOr(a, b);
    case Op::select:
      return b_.CreateSelect(a, b, c);
    case Op::number:
    case Op::slot:
    case Op::datum:
    case Op::weight:
    case Op::direction:
    case Op::call:
    case Op::output:
      break;
  }
  expects(false, "leaves and calls are lowered by the caller");
  return nullptr;
}

Value* Operators::remainder(Value* a, Value* b, ID rounding) {
  Value* whole = intrinsic(rounding, b_.CreateFDiv(a, b));
  return b_.CreateFSub(a, b_.CreateFMul(whole, b));
}

Value* Operators::whole_power(Value* a, unsigned n) {
  Value* result = nullptr;
  for (Value* square = a; n != 0; n >>= 1) {
    if (n & 1) result = result ? b_.CreateFMul(result, square) : square;
    if (n > 1) square = b_.CreateFMul(square, square);
  }
  return result;
}

Value* Operators::power(Value* a, double exponent) {
  double size = std::fabs(exponent);
  bool whole = size == std::floor(size) && size <= 16;
  bool half = size == std::floor(size) + 0.5 && size <= 8.5;
  if (size == 0 || (!whole && !half)) return apply(Op::pow, a, number(exponent));
  auto n = static_cast<unsigned>(size);
  Value* result = n ? whole_power(a, n) : nullptr;
  if (half) {
    Value* root = intrinsic(llvm::Intrinsic::sqrt, a);
    result = result ? b_.CreateFMul(result, root) : root;
  }
  return exponent < 0 ? b_.CreateFDiv(number(1), result) : result;
}

}  // namespace bolza::codegen
