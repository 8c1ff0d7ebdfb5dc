// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/llvm/kernel_internal.h"

#include <algorithm>
#include <cstddef>

#include "runtime/abi/bolza.h"

namespace bolza::codegen {

using llvm::BasicBlock;
using llvm::Value;

namespace {
constexpr std::uint32_t unrolled_rows = 4;  // longer tables are set up by a loop: code does not grow with them
}

KernelLowering::KernelLowering(ModuleBuilder& module, const KernelShape& shape, std::string name)
    : module_(module),
      shape_(shape),
      name_(std::move(name)),
      width_(shape.scalar ? 1 : module.machine.width),
      b_(module.context) {
  Sweep body;
  body.schedule = make_schedule(module.expressions.dag, shape.outputs, shape.slots);
  body.frame = lay_out(module.expressions, shape, body.schedule, width_);
  sweeps_.push_back(std::move(body));
  if (!needs_dry_sweep()) return;
  Sweep dry;
  dry.dry = true;
  dry.schedule = make_schedule(module.expressions.dag, calls_of(module.expressions.dag, sweeps_[0].schedule), shape.slots);
  dry.frame = lay_out(module.expressions, shape, dry.schedule, width_);
  sweeps_.insert(sweeps_.begin(), std::move(dry));
}

bool KernelLowering::needs_dry_sweep() const {
  if (std::find(shape_.adds.begin(), shape_.adds.end(), 1) == shape_.adds.end()) return false;
  for (ir::ExprId call : calls_of(module_.expressions.dag, sweeps_[0].schedule))
    if (uses_tape(module_.expressions, module_.expressions.dag.program(call))) return true;
  return false;
}

void KernelLowering::lower() {
  auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy()}, false);
  function_ = module_.function(type, llvm::GlobalValue::ExternalLinkage, name_);
  b_.SetInsertPoint(BasicBlock::Create(module_.context, "entry", function_));
  read_call();
  place_frame();
  for (const Sweep& sweep : sweeps_) lower_sweep(sweep);
  return_status(sweeps_.back());
}

Value* KernelLowering::field(std::size_t offset, llvm::Type* type) {
  Value* address = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), function_->getArg(0), offset);
  return b_.CreateAlignedLoad(type, address, llvm::Align(8));
}

void KernelLowering::read_call() {
  llvm::Type* whole = b_.getInt64Ty();
  llvm::Type* pointer = b_.getPtrTy();
  n_ = shape_.solo ? b_.getInt64(1) : field(offsetof(bolza_call, n), whole);
  ld_ = field(offsetof(bolza_call, ld), whole);
  point_ = field(offsetof(bolza_call, point), pointer);
  shared_ = field(offsetof(bolza_call, shared), pointer);
  datum_ = field(offsetof(bolza_call, datum), pointer);
  index_ = field(offsetof(bolza_call, index), pointer);
  instances_ = shape_.solo ? b_.getInt64(1) : field(offsetof(bolza_call, instances), whole);
  first_ = field(offsetof(bolza_call, first), whole);
  last_ = field(offsetof(bolza_call, last), whole);
  weight_ = field(offsetof(bolza_call, weight), pointer);
  weight_index_ = field(offsetof(bolza_call, weight_index), pointer);
  direction_ = field(offsetof(bolza_call, direction), pointer);
  out_ = field(offsetof(bolza_call, out), pointer);
  out_index_ = field(offsetof(bolza_call, out_index), pointer);
  scratch_ = field(offsetof(bolza_call, scratch), pointer);
  scratch_size_ = field(offsetof(bolza_call, scratch_size), whole);
}

Value* KernelLowering::frame_at(std::uint32_t offset) {
  return b_.CreateConstInBoundsGEP1_32(b_.getInt8Ty(), frame_, offset);
}

/// The frame is on the stack, or at the first 64-byte boundary of scratch; the tape has what is left of scratch.
void KernelLowering::place_frame() {
  std::uint32_t size = 0;
  for (const Sweep& sweep : sweeps_) size = std::max(size, sweep.frame.size);
  Value* end = b_.CreateInBoundsGEP(b_.getDoubleTy(), scratch_, scratch_size_);
  Value* top = scratch_;
  if (size <= Frame::stack_limit) {
    auto* memory = b_.CreateAlloca(llvm::ArrayType::get(b_.getInt8Ty(), size));
    memory->setAlignment(llvm::Align(64));
    frame_ = memory;
  } else {
    Value* fits = b_.CreateICmpUGE(scratch_size_, b_.getInt64(size / 8 + 8));
    auto* enough = BasicBlock::Create(module_.context, "enough", function_);
    auto* too_small = BasicBlock::Create(module_.context, "too_small", function_);
    b_.CreateCondBr(fits, enough, too_small);
    b_.SetInsertPoint(too_small);
    b_.CreateRet(b_.getInt32(BOLZA_SCRATCH));
    b_.SetInsertPoint(enough);
    Value* address = b_.CreateAdd(b_.CreatePtrToInt(scratch_, b_.getInt64Ty()), b_.getInt64(63));
    frame_ = b_.CreateIntToPtr(b_.CreateAnd(address, b_.getInt64(~std::uint64_t{63})), b_.getPtrTy());
    top = frame_at(size);
  }
  b_.CreateStore(b_.getInt64(0), frame_at(Frame::status));
  b_.CreateStore(top, frame_at(Frame::tape_top));
  b_.CreateStore(end, frame_at(Frame::tape_end));
}

void KernelLowering::loop(Value* begin, Value* end, std::uint64_t step, const char* name, const LoopBody& body) {
  BasicBlock* before = b_.GetInsertBlock();
  auto* head = BasicBlock::Create(module_.context, name, function_);
  auto* inside = BasicBlock::Create(module_.context, name, function_);
  auto* after = BasicBlock::Create(module_.context, name, function_);
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* index = b_.CreatePHI(b_.getInt64Ty(), 2);
  index->addIncoming(begin, before);
  b_.CreateCondBr(b_.CreateICmpULT(index, end), inside, after);
  b_.SetInsertPoint(inside);
  body(index);
  Value* next = b_.CreateAdd(index, b_.getInt64(step));
  index->addIncoming(next, b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(after);
}

void KernelLowering::for_each(std::uint32_t begin, std::uint32_t end, const LoopBody& body) {
  if (end - begin > unrolled_rows && !shape_.solo) return loop(b_.getInt64(begin), b_.getInt64(end), 1, "row", body);
  for (std::uint32_t k = begin; k < end; ++k) body(b_.getInt64(k));
}

void KernelLowering::lower_sweep(const Sweep& sweep) {
  b_.CreateAlignedStore(Operators(module_, b_, width_).number(0), frame_at(sweep.frame.bad), llvm::Align(8));
  if (shape_.across_instances) return lower_across(sweep);
  if (shape_.solo) {
    set_up_instance(sweep, b_.getInt64(0));
    lower_parts(sweep, 0, sweep.schedule.n_fixed_parts, b_.getInt64(0));
    return lower_block(sweep, b_.getInt64(0));
  }
  loop(first_, last_, 1, "instance", [&](Value* instance) {
    set_up_instance(sweep, instance);
    lower_parts(sweep, 0, sweep.schedule.n_fixed_parts, b_.getInt64(0));
    loop(b_.getInt64(0), n_, width_, "block", [&](Value* point) { lower_block(sweep, point); });
  });
}

Value* KernelLowering::table_entry(Value* index, Value* row, Value* instance) {
  Value* position = b_.CreateAdd(b_.CreateMul(row, instances_), instance);
  Value* address = b_.CreateInBoundsGEP(b_.getInt32Ty(), index, position);
  return b_.CreateSExt(b_.CreateAlignedLoad(b_.getInt32Ty(), address, llvm::Align(4)), b_.getInt64Ty());
}

void KernelLowering::store_row(std::uint32_t rows, Value* k, Value* base, Value* row) {
  Value* address = b_.CreateInBoundsGEP(b_.getDoubleTy(), base, b_.CreateMul(row, ld_));
  b_.CreateStore(address, b_.CreateInBoundsGEP(b_.getPtrTy(), frame_at(rows), k));
}

/// One block of instances after the other at the only point: their values are gathered into vectors, outputs are staged in
/// vectors and go to their rows lane by lane, in the order of the instances.
void KernelLowering::lower_across(const Sweep& sweep) {
  Operators operators(module_, b_, width_);
  for_each(0, static_cast<std::uint32_t>(shape_.outputs.size()), [&](Value* k) {
    Value* stage = b_.CreateInBoundsGEP(operators.type(), frame_at(sweep.frame.staging), k);
    b_.CreateStore(stage, b_.CreateInBoundsGEP(b_.getPtrTy(), frame_at(sweep.frame.output_rows), k));
  });
  loop(first_, last_, width_, "instances", [&](Value* first) {
    gather(sweep, first);
    b_.CreateAlignedStore(operators.number(0), frame_at(sweep.frame.check), llvm::Align(8));
    lower_parts(sweep, 0, sweep.schedule.n_fixed_parts, b_.getInt64(0));
    lower_parts(sweep, sweep.schedule.n_fixed_parts, static_cast<std::uint32_t>(sweep.schedule.parts.size()),
                b_.getInt64(0));
    scatter(sweep, first);
    Value* check = b_.CreateAlignedLoad(operators.type(), frame_at(sweep.frame.check), llvm::Align(8));
    Value* bad = b_.CreateAlignedLoad(operators.type(), frame_at(sweep.frame.bad), llvm::Align(8));
    b_.CreateAlignedStore(b_.CreateFAdd(bad, check), frame_at(sweep.frame.bad), llvm::Align(8));
  });
}

/// Instance of a lane; lanes beyond the last repeat it.
Value* KernelLowering::lane(Value* first, std::uint32_t k) {
  Value* own = b_.CreateAdd(first, b_.getInt64(k));
  return b_.CreateSelect(b_.CreateICmpULT(own, last_), own, b_.CreateSub(last_, b_.getInt64(1)));
}

void KernelLowering::gather(const Sweep& sweep, Value* first) {
  Operators operators(module_, b_, width_);
  std::vector<Value*> lanes;
  for (std::uint32_t k = 0; k < width_; ++k) lanes.push_back(lane(first, k));
  auto fill = [&](std::uint32_t splats, Value* k, const std::function<Value*(Value * instance)>& address_of) {
    Value* vector = operators.number(0);
    for (std::uint32_t l = 0; l < width_; ++l) {
      Value* scalar = b_.CreateAlignedLoad(b_.getDoubleTy(), address_of(lanes[l]), llvm::Align(8));
      vector = width_ == 1 ? scalar : b_.CreateInsertElement(vector, scalar, b_.getInt64(l));
    }
    b_.CreateAlignedStore(vector, b_.CreateInBoundsGEP(operators.type(), frame_at(splats), k), llvm::Align(8));
  };
  for (std::uint32_t begin = 0; begin < shape_.slots.size();) {
    SlotClass kind = shape_.slots[begin];
    std::uint32_t end = begin;
    while (end < shape_.slots.size() && shape_.slots[end] == kind) ++end;
    for_each(begin, end, [&](Value* k) {
      fill(sweep.frame.slot_splats, k, [&](Value* instance) {
        Value* entry = table_entry(index_, k, instance);
        if (kind == SlotClass::shared) return b_.CreateInBoundsGEP(b_.getDoubleTy(), shared_, entry);
        return b_.CreateInBoundsGEP(b_.getDoubleTy(), point_, b_.CreateMul(entry, ld_));
      });
    });
    begin = end;
  }
  for_each(0, sweep.frame.n_data, [&](Value* k) {
    fill(sweep.frame.datum_splats, k, [&](Value* instance) {
      return b_.CreateInBoundsGEP(b_.getDoubleTy(), datum_, b_.CreateAdd(b_.CreateMul(k, instances_), instance));
    });
  });
}

void KernelLowering::scatter(const Sweep& sweep, Value* first) {
  auto n = static_cast<std::uint32_t>(shape_.outputs.size());
  for (std::uint32_t begin = 0; begin < n;) {
    std::uint8_t adds = shape_.adds[begin];
    std::uint32_t end = begin;
    while (end < n && shape_.adds[end] == adds) ++end;
    for_each(begin, end, [&](Value* k) {
      Value* stage = b_.CreateInBoundsGEP(Operators(module_, b_, width_).type(), frame_at(sweep.frame.staging), k);
      for (std::uint32_t l = 0; l < width_; ++l) {
        Value* address = b_.CreateConstInBoundsGEP1_32(b_.getDoubleTy(), stage, l);
        Value* result = b_.CreateAlignedLoad(b_.getDoubleTy(), address, llvm::Align(8));
        Value* row = table_entry(out_index_, k, lane(first, l));
        Value* to = b_.CreateInBoundsGEP(b_.getDoubleTy(), out_, b_.CreateMul(row, ld_));
        if (adds) {
          Value* own = b_.CreateICmpULT(b_.CreateAdd(first, b_.getInt64(l)), last_);
          result = b_.CreateSelect(own, result, llvm::ConstantFP::get(b_.getDoubleTy(), 0));
          result = b_.CreateFAdd(b_.CreateAlignedLoad(b_.getDoubleTy(), to, llvm::Align(8)), result);
        }
        b_.CreateAlignedStore(result, to, llvm::Align(8));
      }
    });
    begin = end;
  }
}

void KernelLowering::set_up_rows(std::uint32_t rows, std::uint32_t n, Value* base, Value* index, Value* instance) {
  for_each(0, n, [&](Value* k) { store_row(rows, k, base, table_entry(index, k, instance)); });
}

void KernelLowering::set_up_slots(const Sweep& sweep, Value* instance) {
  Operators operators(module_, b_, width_);
  auto splat_at = [&](std::uint32_t splats, Value* k, Value* scalar_address) {
    Value* scalar = b_.CreateAlignedLoad(b_.getDoubleTy(), scalar_address, llvm::Align(8));
    Value* address = b_.CreateInBoundsGEP(operators.type(), frame_at(splats), k);
    b_.CreateAlignedStore(operators.splat(scalar), address, llvm::Align(8));
  };
  for (std::uint32_t begin = 0; begin < shape_.slots.size();) {
    SlotClass kind = shape_.slots[begin];
    std::uint32_t end = begin;
    while (end < shape_.slots.size() && shape_.slots[end] == kind) ++end;
    for_each(begin, end, [&](Value* k) {
      Value* entry = table_entry(index_, k, instance);
      if (kind == SlotClass::point) store_row(sweep.frame.slot_rows, k, point_, entry);
      else splat_at(sweep.frame.slot_splats, k, b_.CreateInBoundsGEP(b_.getDoubleTy(), shared_, entry));
      if (!sweep.frame.has_directions) return;
      Value* row = kind == SlotClass::point ? entry : b_.CreateAdd(entry, b_.getInt64(shape_.n_point));
      store_row(sweep.frame.direction_rows, k, direction_, row);
    });
    begin = end;
  }
  for_each(0, sweep.frame.n_data, [&](Value* k) {
    Value* position = b_.CreateAdd(b_.CreateMul(k, instances_), instance);
    splat_at(sweep.frame.datum_splats, k, b_.CreateInBoundsGEP(b_.getDoubleTy(), datum_, position));
  });
}

void KernelLowering::set_up_instance(const Sweep& sweep, Value* instance) {
  set_up_slots(sweep, instance);
  set_up_rows(sweep.frame.weight_rows, sweep.frame.n_weights, weight_, weight_index_, instance);
  if (!sweep.dry)
    set_up_rows(sweep.frame.output_rows, static_cast<std::uint32_t>(shape_.outputs.size()), out_, out_index_, instance);
}

void KernelLowering::lower_block(const Sweep& sweep, Value* point) {
  if (sweep.frame.has_calls) {
    Value* left = b_.CreateSub(n_, point);
    Value* lanes = b_.CreateSelect(b_.CreateICmpULT(left, b_.getInt64(width_)), left, b_.getInt64(width_));
    b_.CreateStore(lanes, frame_at(Frame::lanes));
  }
  Operators operators(module_, b_, width_);
  b_.CreateAlignedStore(operators.number(0), frame_at(sweep.frame.check), llvm::Align(8));
  lower_parts(sweep, sweep.schedule.n_fixed_parts, static_cast<std::uint32_t>(sweep.schedule.parts.size()), point);
  if (!sweep.dry) add_check(sweep, point);
  if (!sweep.frame.has_calls) return;
  auto* give_up = BasicBlock::Create(module_.context, "give_up", function_);
  auto* go_on = BasicBlock::Create(module_.context, "go_on", function_);
  b_.CreateCondBr(status_has(BOLZA_SCRATCH), give_up, go_on);
  b_.SetInsertPoint(give_up);
  b_.CreateRet(b_.getInt32(BOLZA_SCRATCH));
  b_.SetInsertPoint(go_on);
}

/// One part is written in place, several become functions.
void KernelLowering::lower_parts(const Sweep& sweep, std::uint32_t begin, std::uint32_t end, Value* point) {
  if (end - begin == 1)
    return BodyLowering(module_, b_, width_, shape_, sweep.schedule, sweep.frame, frame_, point).lower(begin, sweep.dry);
  for (std::uint32_t part = begin; part < end; ++part) call_part(sweep, part, point);
}

void KernelLowering::call_part(const Sweep& sweep, std::uint32_t part, Value* point) {
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty()}, false);
  std::string name = name_ + (sweep.dry ? "_dry" : "_part") + std::to_string(part);
  llvm::Function* callee = module_.function(type, llvm::GlobalValue::InternalLinkage, name);
  b_.CreateCall(callee, {frame_, point});
  llvm::IRBuilder<> inside(BasicBlock::Create(module_.context, "entry", callee));
  BodyLowering(module_, inside, width_, shape_, sweep.schedule, sweep.frame, callee->getArg(0), callee->getArg(1))
      .lower(part, sweep.dry);
  inside.CreateRetVoid();
}

/// Lanes beyond the last point hold padding, whose values are nobody's concern.
void KernelLowering::add_check(const Sweep& sweep, Value* point) {
  Operators operators(module_, b_, width_);
  Value* check = b_.CreateAlignedLoad(operators.type(), frame_at(sweep.frame.check), llvm::Align(8));
  if (width_ > 1) {
    std::vector<llvm::Constant*> lanes;
    for (std::uint32_t k = 0; k < width_; ++k) lanes.push_back(b_.getInt64(k));
    Value* left = b_.CreateVectorSplat(width_, b_.CreateSub(n_, point));
    check = b_.CreateSelect(b_.CreateICmpULT(llvm::ConstantVector::get(lanes), left), check, operators.number(0));
  }
  Value* bad = b_.CreateAlignedLoad(operators.type(), frame_at(sweep.frame.bad), llvm::Align(8));
  b_.CreateAlignedStore(b_.CreateFAdd(bad, check), frame_at(sweep.frame.bad), llvm::Align(8));
}

Value* KernelLowering::status_has(int bits) {
  Value* status = b_.CreateLoad(b_.getInt64Ty(), frame_at(Frame::status));
  return b_.CreateICmpNE(b_.CreateAnd(status, b_.getInt64(bits)), b_.getInt64(0));
}

void KernelLowering::return_status(const Sweep& sweep) {
  Value* any = b_.getFalse();
  for (std::uint32_t k = 0; k < width_; ++k) {
    Value* bad = b_.CreateAlignedLoad(b_.getDoubleTy(), frame_at(sweep.frame.bad + 8 * k), llvm::Align(8));
    any = b_.CreateOr(any, b_.CreateFCmpUNO(bad, bad));
  }
  Value* status = b_.CreateTrunc(b_.CreateLoad(b_.getInt64Ty(), frame_at(Frame::status)), b_.getInt32Ty());
  b_.CreateRet(b_.CreateOr(status, b_.CreateSelect(any, b_.getInt32(BOLZA_NONFINITE), b_.getInt32(0))));
}

}  // namespace bolza::codegen
