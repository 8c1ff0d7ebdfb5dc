// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include "compiler/codegen/llvm/series_internal.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

using ir::Op;
using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr std::uint32_t series_part = 400;  // operators of one function: keeps compile time linear

}  // namespace

SeriesLowering::SeriesLowering(ModuleBuilder& module, const KernelShape& shape, std::string name)
    : module_(module),
      shape_(shape),
      name_(std::move(name)),
      b_(module.context),
      operators_(module, b_, 1),
      schedule_(make_schedule(module.expressions.dag, shape.outputs, shape.slots)) {
  if (schedule_.n_fixed_parts > 0) n_fixed_ = schedule_.parts[schedule_.n_fixed_parts - 1].end;
  for (std::uint32_t p = 0; p < schedule_.order.size(); ++p) {
    first_row_.push_back(static_cast<std::uint32_t>(n_rows_));
    n_rows_ += 1 + rows_beside(op(p));
  }
}

Value* SeriesLowering::field(std::size_t offset, llvm::Type* type) {
  Value* address = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), call_, offset);
  return b_.CreateAlignedLoad(type, address, llvm::Align(8));
}

void SeriesLowering::lower() {
  std::vector<llvm::Function*> parts;
  auto n = static_cast<std::uint32_t>(schedule_.order.size());
  for (std::uint32_t begin = 0; begin < n; begin += series_part)
    parts.push_back(lower_part(begin, std::min(n, begin + series_part)));
  auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy()}, false);
  function_ = module_.function(type, llvm::GlobalValue::ExternalLinkage, name_);
  call_ = function_->getArg(0);
  auto* entry = BasicBlock::Create(module_.context, "entry", function_);
  auto* head = BasicBlock::Create(module_.context, "instance", function_);
  auto* body = BasicBlock::Create(module_.context, "body", function_);
  auto* done = BasicBlock::Create(module_.context, "done", function_);
  b_.SetInsertPoint(entry);
  Value* first = field(offsetof(bolza_call, first), b_.getInt64Ty());
  Value* last = field(offsetof(bolza_call, last), b_.getInt64Ty());
  Value* scratch = field(offsetof(bolza_call, scratch), b_.getPtrTy());
  Value* size = b_.CreateMul(field(offsetof(bolza_call, ld), b_.getInt64Ty()), b_.getInt64(n_rows_));
  Value* missing = b_.CreateICmpULT(field(offsetof(bolza_call, scratch_size), b_.getInt64Ty()), b_.CreateMul(size, last));
  auto* too_small = BasicBlock::Create(module_.context, "too_small", function_);
  b_.CreateCondBr(missing, too_small, head);
  b_.SetInsertPoint(too_small);
  b_.CreateRet(b_.getInt32(BOLZA_SCRATCH));
  b_.SetInsertPoint(head);
  llvm::PHINode* instance = b_.CreatePHI(b_.getInt64Ty(), 2);
  llvm::PHINode* check = b_.CreatePHI(b_.getDoubleTy(), 2);
  instance->addIncoming(first, entry);
  check->addIncoming(operators_.number(0), entry);
  b_.CreateCondBr(b_.CreateICmpULT(instance, last), body, done);
  b_.SetInsertPoint(body);
  Value* base = b_.CreateInBoundsGEP(b_.getDoubleTy(), scratch, b_.CreateMul(instance, size));
  Value* sum = check;
  for (llvm::Function* part : parts) sum = b_.CreateFAdd(sum, b_.CreateCall(part, {call_, instance, base}));
  instance->addIncoming(b_.CreateAdd(instance, b_.getInt64(1)), body);
  check->addIncoming(sum, body);
  b_.CreateBr(head);
  b_.SetInsertPoint(done);
  b_.CreateRet(b_.CreateSelect(b_.CreateFCmpUNO(check, check), b_.getInt32(BOLZA_NONFINITE), b_.getInt32(0)));
}

/// `double part(call, instance, rows)`: what it stores, times zero. Coefficient 0 and the others have code of their own.
llvm::Function* SeriesLowering::lower_part(std::uint32_t begin, std::uint32_t end) {
  auto* type = llvm::FunctionType::get(b_.getDoubleTy(), {b_.getPtrTy(), b_.getInt64Ty(), b_.getPtrTy()}, false);
  function_ = module_.function(type, llvm::GlobalValue::InternalLinkage, name_ + "_part" + std::to_string(begin));
  b_.SetInsertPoint(BasicBlock::Create(module_.context, "entry", function_));
  call_ = function_->getArg(0);
  instance_ = function_->getArg(1);
  base_ = function_->getArg(2);
  ld_ = field(offsetof(bolza_call, ld), b_.getInt64Ty());
  k_ = b_.CreateSub(field(offsetof(bolza_call, n), b_.getInt64Ty()), b_.getInt64(1));
  order_ = b_.CreateUIToFP(k_, b_.getDoubleTy());
  auto* zero = BasicBlock::Create(module_.context, "zero", function_);
  auto* next = BasicBlock::Create(module_.context, "next", function_);
  b_.CreateCondBr(b_.CreateICmpEQ(k_, b_.getInt64(0)), zero, next);
  for (bool first : {true, false}) {
    b_.SetInsertPoint(first ? zero : next);
    row_of_.assign(schedule_.order.size(), nullptr);
    check_ = operators_.number(0);
    for (std::uint32_t p = begin; p < end; ++p) compute(p, first);
    for (std::uint32_t o = 0; o < shape_.outputs.size(); ++o)
      if (schedule_.output_positions[o] >= begin && schedule_.output_positions[o] < end) store_output(o);
    b_.CreateRet(check_);
  }
  return function_;
}

Value* SeriesLowering::table_entry(Value* index, std::uint32_t k) {
  Value* place =
      b_.CreateAdd(b_.CreateMul(b_.getInt64(k), field(offsetof(bolza_call, instances), b_.getInt64Ty())), instance_);
  Value* address = b_.CreateInBoundsGEP(b_.getInt32Ty(), index, place);
  return b_.CreateSExt(b_.CreateAlignedLoad(b_.getInt32Ty(), address, llvm::Align(4)), b_.getInt64Ty());
}

Value* SeriesLowering::row(std::uint32_t p) {
  Value*& known = row_of_[p];
  if (known) return known;
  const ir::Dag& dag = module_.expressions.dag;
  ir::ExprId e = schedule_.order[p];
  if (op(p) == Op::slot && shape_.slots[dag.index(e)] == SlotClass::point) {
    Value* entry = table_entry(field(offsetof(bolza_call, index), b_.getPtrTy()), dag.index(e));
    Value* point = field(offsetof(bolza_call, point), b_.getPtrTy());
    return known = b_.CreateInBoundsGEP(b_.getDoubleTy(), point, b_.CreateMul(entry, ld_));
  }
  if (op(p) == Op::weight) {
    Value* entry = table_entry(field(offsetof(bolza_call, weight_index), b_.getPtrTy()), dag.index(e));
    Value* weight = field(offsetof(bolza_call, weight), b_.getPtrTy());
    return known = b_.CreateInBoundsGEP(b_.getDoubleTy(), weight, b_.CreateMul(entry, ld_));
  }
  return known = b_.CreateInBoundsGEP(b_.getDoubleTy(), base_, b_.CreateMul(ld_, b_.getInt64(first_row_[p])));
}

Value* SeriesLowering::beside(std::uint32_t p, std::size_t k) {
  return b_.CreateInBoundsGEP(b_.getDoubleTy(), base_, b_.CreateMul(ld_, b_.getInt64(first_row_[p] + 1 + k)));
}

Value* SeriesLowering::now(Value* row) {
  return b_.CreateAlignedLoad(b_.getDoubleTy(), b_.CreateInBoundsGEP(b_.getDoubleTy(), row, k_), llvm::Align(8));
}

Value* SeriesLowering::zeroth(Value* row) { return b_.CreateAlignedLoad(b_.getDoubleTy(), row, llvm::Align(8)); }

void SeriesLowering::set(Value* row, Value* value) {
  b_.CreateAlignedStore(value, b_.CreateInBoundsGEP(b_.getDoubleTy(), row, k_), llvm::Align(8));
}

void SeriesLowering::store_output(std::uint32_t o) {
  Value* entry = table_entry(field(offsetof(bolza_call, out_index), b_.getPtrTy()), o);
  Value* out = field(offsetof(bolza_call, out), b_.getPtrTy());
  Value* to = b_.CreateInBoundsGEP(b_.getDoubleTy(), out, b_.CreateMul(entry, ld_));
  Value* value = now(row(schedule_.output_positions[o]));
  check_ = b_.CreateFAdd(check_, b_.CreateFMul(value, operators_.number(0)));
  set(to, shape_.adds[o] ? b_.CreateFAdd(now(to), value) : value);
}

Value* SeriesLowering::convolution(Value* a, Value* b, unsigned from, unsigned less, bool weighted) {
  Value* to = b_.CreateSub(k_, b_.getInt64(less));
  return b_.CreateCall(convolution_function(weighted), {a, b, b_.getInt64(from), to, k_});
}

/// `double (a, b, from, to, k)`.
llvm::Function* SeriesLowering::convolution_function(bool weighted) {
  std::string name = weighted ? "weighted_convolution" : "convolution";
  if (llvm::Function* known = module_.module->getFunction(name)) return known;
  llvm::IRBuilder<> b(module_.context);
  llvm::Type *whole = b.getInt64Ty(), *pointer = b.getPtrTy(), *real = b.getDoubleTy();
  auto* type = llvm::FunctionType::get(real, {pointer, pointer, whole, whole, whole}, false);
  llvm::Function* f = module_.function(type, llvm::GlobalValue::InternalLinkage, name);
  auto* entry = BasicBlock::Create(module_.context, "entry", f);
  auto* head = BasicBlock::Create(module_.context, "head", f);
  auto* body = BasicBlock::Create(module_.context, "body", f);
  auto* done = BasicBlock::Create(module_.context, "done", f);
  b.SetInsertPoint(entry);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode *j = b.CreatePHI(whole, 2), *sum = b.CreatePHI(real, 2);
  j->addIncoming(f->getArg(2), entry);
  sum->addIncoming(llvm::ConstantFP::get(real, 0), entry);
  b.CreateCondBr(b.CreateICmpSLE(j, f->getArg(3)), body, done);
  b.SetInsertPoint(body);
  auto load = [&](Value* row, Value* k) {
    return b.CreateAlignedLoad(real, b.CreateInBoundsGEP(real, row, k), llvm::Align(8));
  };
  Value* x = load(f->getArg(0), j);
  if (weighted) x = b.CreateFMul(x, b.CreateUIToFP(j, real));
  Value* product = b.CreateFMul(x, load(f->getArg(1), b.CreateSub(f->getArg(4), j)));
  sum->addIncoming(b.CreateFAdd(sum, product), body);
  j->addIncoming(b.CreateAdd(j, b.getInt64(1)), body);
  b.CreateBr(head);
  b.SetInsertPoint(done);
  b.CreateRet(sum);
  return f;
}

}  // namespace bolza::codegen
