// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/llvm/body_internal.h"

#include <array>

#include "base/expects.h"

namespace bolza::codegen {

using ir::Op;
using llvm::Value;

namespace {
constexpr std::size_t check_sums = 4;
}

BodyLowering::BodyLowering(ModuleBuilder& module, llvm::IRBuilder<>& builder, std::uint32_t width, const KernelShape& shape,
                           const Schedule& schedule, const Frame& layout, Value* frame, Value* point)
    : module_(module),
      b_(builder),
      operators_(module, builder, width),
      shape_(shape),
      schedule_(schedule),
      layout_(layout),
      frame_(frame),
      point_(point) {}

Op BodyLowering::op(std::uint32_t position) const { return module_.expressions.dag.op(schedule_.order[position]); }

Value* BodyLowering::at(std::uint32_t offset) { return b_.CreateConstInBoundsGEP1_32(b_.getInt8Ty(), frame_, offset); }

Value* BodyLowering::load_vector(Value* address) { return b_.CreateAlignedLoad(operators_.type(), address, llvm::Align(8)); }

void BodyLowering::store_vector(Value* value, Value* address) { b_.CreateAlignedStore(value, address, llvm::Align(8)); }

Value* BodyLowering::row_address(std::uint32_t rows, std::uint32_t k) {
  Value* row = b_.CreateAlignedLoad(b_.getPtrTy(), at(rows + 8 * k), llvm::Align(8));
  return b_.CreateInBoundsGEP(b_.getDoubleTy(), row, point_);
}

Value* BodyLowering::load_row(std::uint32_t rows, std::uint32_t k) { return load_vector(row_address(rows, k)); }

Value* BodyLowering::load_leaf(std::uint32_t position) {
  const ir::Dag& dag = module_.expressions.dag;
  ir::ExprId e = schedule_.order[position];
  Op kind = dag.op(e);
  if (kind == Op::number) return operators_.number(dag.value(e));
  std::uint32_t k = dag.index(e);
  if (kind == Op::datum) return load_vector(at(layout_.datum_splats + layout_.vector_size * k));
  if (kind == Op::weight) return load_row(layout_.weight_rows, k);
  if (kind == Op::direction) return load_row(layout_.direction_rows, k);
  if (shape_.slots[k] == SlotClass::shared || shape_.across_instances)
    return load_vector(at(layout_.slot_splats + layout_.vector_size * k));
  return load_row(layout_.slot_rows, k);
}

/// References stay valid for the whole part.
BodyLowering::Val& BodyLowering::known(std::uint32_t position) {
  bool own = position >= begin_ && position - begin_ < own_.size();
  return own ? own_[position - begin_] : from_others_[position];
}

Value* BodyLowering::value(std::uint32_t position) {
  Val& known = this->known(position);
  if (known.value) return known.value;
  if (known.mask) return known.value = operators_.truth(known.mask);
  if (op(position) <= Op::direction) return known.value = load_leaf(position);
  if (schedule_.fused[position]) {
    compute(position);
    return known.value;
  }
  expects(schedule_.temporary[position] != Schedule::none, "a value is computed before it is used");
  return known.value = load_vector(at(layout_.temporaries + layout_.vector_size * schedule_.temporary[position]));
}

Value* BodyLowering::mask(std::uint32_t position) {
  Val& known = this->known(position);
  if (!known.mask) known.mask = operators_.condition(value(position));
  return known.mask;
}

void BodyLowering::compute_sum(std::uint32_t position) {
  auto operands = schedule_.operands(position);
  bool minus = op(position) == Op::sub;
  for (std::uint32_t k : {1u, 0u}) {
    if (!schedule_.fused[operands[k]]) continue;
    auto factors = schedule_.operands(operands[k]);
    Value* a = value(factors[0]);
    Value* b = value(factors[1]);
    Value* other = value(operands[1 - k]);
    if (minus && k == 1) a = operators_.apply(Op::neg, a);
    if (minus && k == 0) other = operators_.apply(Op::neg, other);
    known(position).value = operators_.fma(a, b, other);
    return;
  }
  Value* a = value(operands[0]);
  known(position).value = operators_.apply(op(position), a, value(operands[1]));
}

void BodyLowering::compute_call(std::uint32_t position) {
  auto operands = schedule_.operands(position);
  std::uint32_t arguments = layout_.call_arguments[position];
  for (std::uint32_t k = 0; k < operands.size(); ++k)
    store_vector(value(operands[k]), at(arguments + layout_.vector_size * k));
  llvm::Function* callee =
      module_.program_lanes(module_.expressions.dag.program(schedule_.order[position]), layout_.vector_size / 8);
  b_.CreateCall(callee, {at(arguments), at(layout_.call_results[position]), frame_})->setDoesNotThrow();
}

void BodyLowering::compute(std::uint32_t position) {
  const ir::Dag& dag = module_.expressions.dag;
  ir::ExprId e = schedule_.order[position];
  Op kind = op(position);
  auto operands = schedule_.operands(position);
  Val& result = known(position);
  if (kind == Op::call) return compute_call(position);
  if (kind == Op::add || kind == Op::sub) return compute_sum(position);
  if (kind == Op::output) {
    result.value = load_vector(at(layout_.call_results[operands[0]] + layout_.vector_size * dag.index(e)));
  } else if (kind == Op::pow && dag.is_number(dag.operands(e)[1])) {
    result.value = operators_.power(value(operands[0]), dag.value(dag.operands(e)[1]));
  } else {
    std::array<Value*, 3> x{};
    for (std::size_t k = 0; k < operands.size(); ++k)
      x[k] = Operators::takes_mask(kind, k) ? mask(operands[k]) : value(operands[k]);
    (Operators::gives_mask(kind) ? result.mask : result.value) = operators_.apply(kind, x[0], x[1], x[2]);
  }
}

void BodyLowering::watch(Value* stored) {
  if (llvm::isa<llvm::Constant>(stored)) return;
  if (checks_.size() < check_sums) {
    checks_.push_back(b_.CreateFMul(stored, operators_.number(0)));
    return;
  }
  Value*& sum = checks_[next_check_++ % check_sums];
  sum = operators_.fma(stored, operators_.number(0), sum);
}

void BodyLowering::flush_check() {
  if (checks_.empty()) return;
  Value* sum = load_vector(at(layout_.check));
  for (Value* check : checks_) sum = b_.CreateFAdd(sum, check);
  store_vector(sum, at(layout_.check));
  checks_.clear();
}

void BodyLowering::store_output(std::uint32_t output, std::uint32_t position) {
  Value* result = value(position);
  Value* address = row_address(layout_.output_rows, output);
  if (shape_.adds[output] && !shape_.across_instances) result = b_.CreateFAdd(load_vector(address), result);
  watch(result);
  store_vector(result, address);
}

void BodyLowering::lower(std::uint32_t part, bool dry) {
  const Schedule::Part& range = schedule_.parts[part];
  begin_ = range.begin;
  own_.assign(range.end - range.begin, {});
  from_others_.clear();
  std::size_t next_output = 0;
  auto store_up_to = [&](std::uint32_t position) {
    for (; !dry && next_output < range.outputs.size(); ++next_output) {
      std::uint32_t output = range.outputs[next_output];
      std::uint32_t at_position = schedule_.output_positions[output];
      if (at_position > position) return;
      store_output(output, at_position);
    }
  };
  for (std::uint32_t p = range.begin; p < range.end; ++p) {
    if (op(p) > Op::direction && !schedule_.fused[p]) compute(p);
    if (schedule_.temporary[p] != Schedule::none)
      store_vector(value(p), at(layout_.temporaries + layout_.vector_size * schedule_.temporary[p]));
    store_up_to(p);
  }
  store_up_to(Schedule::none);
  flush_check();
}

}  // namespace bolza::codegen
