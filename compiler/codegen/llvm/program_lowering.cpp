// SPDX-License-Identifier: Apache-2.0
// A Program as a scalar function: locals and small arrays on the stack, the tape and large arrays where the caller says.
// What the interpreter of compiler/ir does is the definition; a failed check, a wrong index or a zero step end the run with
// NaN results.
#include <array>
#include <limits>

#include "base/expects.h"
#include "compiler/codegen/frame_internal.h"
#include "compiler/codegen/llvm/module_internal.h"
#include "compiler/codegen/llvm/operators_internal.h"
#include "compiler/ir/interpret.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {
namespace {

using ir::Op;
using ir::Statement;
using ir::StatementKind;
using llvm::BasicBlock;
using llvm::Value;

class ProgramLowering {
 public:
  ProgramLowering(ModuleBuilder& module, const ir::Program& program, std::uint32_t stride, llvm::Function* function)
      : module_(module),
        program_(program),
        stride_(stride),
        function_(function),
        b_(BasicBlock::Create(module.context, "entry", function)),
        operators_(module, b_, 1) {}

  void lower();

 private:
  void place_locals();
  void read_arguments();
  void lower_foreign();
  void write_outputs();
  void write_failure();
  Value* value(ir::ExprId root);
  Value* step_value(const ir::Tape& tape, const ir::Tape::Step& step, const std::vector<Value*>& values);
  Value* condition(ir::ExprId root) { return operators_.condition(value(root)); }
  Value* slot_at(Value* base, std::uint64_t k) { return b_.CreateConstInBoundsGEP1_64(b_.getDoubleTy(), base, k); }
  Value* load(Value* address) { return b_.CreateAlignedLoad(b_.getDoubleTy(), address, llvm::Align(8)); }
  void store(Value* v, Value* address) { b_.CreateAlignedStore(v, address, llvm::Align(8)); }
  BasicBlock* block(const char* name) { return BasicBlock::Create(module_.context, name, function_); }
  void fail_unless(Value* good, BasicBlock* otherwise);
  Value* element(const Statement& s);
  void lower_block(ir::BlockId id);
  void lower_statement(const Statement& s);
  void lower_call(const Statement& s);
  void lower_branch(const Statement& s);
  void lower_for(const Statement& s);
  void lower_while(const Statement& s);
  Value* turns_left() { return b_.CreateLoad(b_.getInt64Ty(), function_->getArg(4)); }
  Value* turns_when_interrupted() {
    return b_.CreateLoad(b_.getInt64Ty(), b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), function_->getArg(4), 1));
  }
  Value* interrupted() {
    Value* flag = b_.CreateLoad(b_.getInt8Ty(), module_.interrupted(), true);
    return b_.CreateICmpNE(flag, b_.getInt8(0));
  }
  void take(Value* turns) { b_.CreateStore(b_.CreateSub(turns_left(), turns), function_->getArg(4)); }
  void write_endless();
  void push(Value* v);
  Value* pop();

  ModuleBuilder& module_;
  const ir::Program& program_;
  std::uint32_t stride_;
  llvm::Function* function_;
  llvm::IRBuilder<> b_;
  Operators operators_;
  std::vector<Value*> locals_, arrays_;
  Value *top_ = nullptr, *bottom_ = nullptr;  ///< address of the tape's top; its value at the start
  BasicBlock *done_ = nullptr, *failed_ = nullptr, *too_small_ = nullptr, *endless_ = nullptr;
  std::vector<BasicBlock*> loop_ends_;
};

/// The arguments side by side, the call through the adapter of foreign functions, the results back.
void ProgramLowering::lower_foreign() {
  std::size_t n = argument_count(program_), m = output_count(program_);
  auto buffer = [&](std::size_t size) { return b_.CreateAlloca(llvm::ArrayType::get(b_.getDoubleTy(), size ? size : 1)); };
  Value *arguments = buffer(n), *results = buffer(m);
  for (std::size_t k = 0; k < n; ++k) store(load(slot_at(function_->getArg(0), stride_ * k)), slot_at(arguments, k));
  auto [call, self] = module_.foreign(*program_.foreign);
  Value* status = b_.CreateCall(call, {self, arguments, results});
  failed_ = block("failed");
  fail_unless(b_.CreateICmpEQ(status, b_.getInt32(0)), failed_);
  for (std::size_t k = 0; k < m; ++k) store(load(slot_at(results, k)), slot_at(function_->getArg(1), stride_ * k));
  b_.CreateRet(b_.getInt32(0));
  b_.SetInsertPoint(failed_);
  write_failure();
  b_.CreateRet(b_.getInt32(BOLZA_EXTERNAL));
}

void ProgramLowering::lower() {
  if (program_.foreign) return lower_foreign();
  done_ = block("done");
  failed_ = block("failed");
  too_small_ = block("too_small");
  endless_ = block("endless");
  place_locals();
  read_arguments();
  lower_block(ir::BlockId(std::size_t{0}));
  b_.CreateBr(done_);
  b_.SetInsertPoint(done_);
  write_outputs();
  b_.CreateRet(b_.getInt32(0));
  write_endless();
  b_.SetInsertPoint(failed_);
  write_failure();
  b_.CreateRet(b_.getInt32(BOLZA_ASSERT));
  b_.SetInsertPoint(too_small_);
  write_failure();
  b_.CreateRet(b_.getInt32(BOLZA_SCRATCH));
}

void ProgramLowering::place_locals() {
  for (std::size_t k = 0; k < program_.locals.size(); ++k) {
    locals_.push_back(b_.CreateAlloca(b_.getDoubleTy()));
    store(operators_.number(0), locals_.back());
  }
  top_ = b_.CreateAlloca(b_.getPtrTy());
  std::uint32_t doubles = array_doubles(program_);
  Value* arrays = function_->getArg(2);
  bottom_ = arrays;
  if (doubles > local_array_limit) {
    Value* end = slot_at(arrays, doubles);
    auto* fits = block("fits");
    b_.CreateCondBr(b_.CreateICmpULE(end, function_->getArg(3)), fits, too_small_);
    b_.SetInsertPoint(fits);
    bottom_ = end;
  } else if (doubles) {
    arrays = b_.CreateAlloca(llvm::ArrayType::get(b_.getDoubleTy(), doubles));
  }
  b_.CreateStore(bottom_, top_);
  if (doubles) b_.CreateMemSet(arrays, b_.getInt8(0), 8ull * doubles, llvm::MaybeAlign(8));
  std::uint64_t begin = 0;
  for (const ir::LocalArray& array : program_.arrays) {
    arrays_.push_back(array.fixed ? module_.numbers(*array.fixed) : slot_at(arrays, begin));
    begin += array.fixed ? 0 : array.size;
  }
}

void ProgramLowering::read_arguments() {
  std::uint64_t next = 0;
  auto argument = [&] { return load(slot_at(function_->getArg(0), stride_ * next++)); };
  for (const ir::Program::Port& port : program_.inputs) {
    if (!port.is_array) store(argument(), locals_[port.id]);
    else
      for (std::uint32_t k = 0; k < program_.arrays[port.id].size; ++k) store(argument(), slot_at(arrays_[port.id], k));
  }
}

void ProgramLowering::write_outputs() {
  std::uint64_t next = 0;
  auto write = [&](Value* v) { store(v, slot_at(function_->getArg(1), stride_ * next++)); };
  for (const ir::Program::Port& port : program_.outputs) {
    if (!port.is_array) write(load(locals_[port.id]));
    else
      for (std::uint32_t k = 0; k < program_.arrays[port.id].size; ++k) write(load(slot_at(arrays_[port.id], k)));
  }
}

void ProgramLowering::write_failure() {
  std::size_t n = output_count(program_);
  for (std::size_t k = 0; k < n; ++k)
    store(operators_.number(std::numeric_limits<double>::quiet_NaN()), slot_at(function_->getArg(1), stride_ * k));
}

// A call that takes more turns than it may is a failure as one of an assertion is.
void ProgramLowering::write_endless() {
  b_.SetInsertPoint(endless_);
  b_.CreateAtomicRMW(llvm::AtomicRMWInst::Add, module_.endless_calls(), b_.getInt64(1), llvm::MaybeAlign(8),
                     llvm::AtomicOrdering::Monotonic);
  b_.CreateBr(failed_);
}

void ProgramLowering::fail_unless(Value* good, BasicBlock* otherwise) {
  auto* next = block("next");
  b_.CreateCondBr(good, next, otherwise);
  b_.SetInsertPoint(next);
}

Value* ProgramLowering::value(ir::ExprId root) {
  ir::Tape tape = ir::make_tape(module_.expressions.dag, std::span(&root, 1));
  std::vector<Value*> values;
  values.reserve(tape.steps.size());
  for (const ir::Tape::Step& step : tape.steps) values.push_back(step_value(tape, step, values));
  return values[tape.roots[0]];
}

Value* ProgramLowering::step_value(const ir::Tape& tape, const ir::Tape::Step& step, const std::vector<Value*>& values) {
  if (step.op == Op::number) return operators_.number(step.literal);
  if (step.op == Op::slot) return load(locals_[step.b]);
  if (step.op == Op::pow && tape.steps[step.b].op == Op::number)
    return operators_.power(values[step.a], tape.steps[step.b].literal);
  int arity = ir::row_of(step.op).arity;
  expects(arity > 0 && step.op != Op::output, "expressions of Programs have slots and numbers as leaves, and no calls");
  std::array places{step.a, step.b, step.c};
  std::array<Value*, 3> x{};
  for (int k = 0; k < arity; ++k)
    x[k] = Operators::takes_mask(step.op, k) ? operators_.condition(values[places[k]]) : values[places[k]];
  Value* v = operators_.apply(step.op, x[0], x[1], x[2]);
  return Operators::gives_mask(step.op) ? operators_.truth(v) : v;
}

Value* ProgramLowering::element(const Statement& s) {
  Value* index = value(s.index);
  Value* inside = b_.CreateAnd(b_.CreateFCmpOGE(index, operators_.number(0)),
                               b_.CreateFCmpOLT(index, operators_.number(program_.arrays[s.array].size)));
  fail_unless(inside, failed_);
  return b_.CreateInBoundsGEP(b_.getDoubleTy(), arrays_[s.array], b_.CreateFPToSI(index, b_.getInt64Ty()));
}

void ProgramLowering::push(Value* v) {
  Value* top = b_.CreateLoad(b_.getPtrTy(), top_);
  fail_unless(b_.CreateICmpULT(top, function_->getArg(3)), too_small_);
  store(v, top);
  b_.CreateStore(slot_at(top, 1), top_);
}

Value* ProgramLowering::pop() {
  Value* top = b_.CreateLoad(b_.getPtrTy(), top_);
  fail_unless(b_.CreateICmpUGT(top, bottom_), failed_);
  Value* last = b_.CreateConstInBoundsGEP1_64(b_.getDoubleTy(), top, ~std::uint64_t{0});
  b_.CreateStore(last, top_);
  return load(last);
}

// Recursion here follows the nesting of statements, which the parser bounds.
void ProgramLowering::lower_block(ir::BlockId id) {
  if (!id) return;
  for (const Statement& s : program_.blocks[id.index()]) {
    lower_statement(s);
    if (s.kind != StatementKind::exit_loop && s.kind != StatementKind::exit_program) continue;
    b_.SetInsertPoint(block("unreachable"));  // what follows an exit is still well formed
  }
}

void ProgramLowering::lower_statement(const Statement& s) {
  switch (s.kind) {
    case StatementKind::assign:
      return store(value(s.value), locals_[s.target]);
    case StatementKind::load:
      return store(load(element(s)), locals_[s.target]);
    case StatementKind::store: {
      Value* address = element(s);
      return store(value(s.value), address);
    }
    case StatementKind::call:
      return lower_call(s);
    case StatementKind::branch:
      return lower_branch(s);
    case StatementKind::loop_for:
      return lower_for(s);
    case StatementKind::loop_while:
      return lower_while(s);
    case StatementKind::exit_loop:
      b_.CreateBr(loop_ends_.back());
      return;
    case StatementKind::exit_program:
      b_.CreateBr(done_);
      return;
    case StatementKind::check:
      if (s.goes_on) return;
      return fail_unless(condition(s.value), failed_);
    case StatementKind::push:
      return push(value(s.value));
    case StatementKind::pop:
      return store(pop(), locals_[s.target]);
  }
}

void ProgramLowering::lower_call(const Statement& s) {
  llvm::BasicBlock& entry = function_->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());  // a buffer in a loop must not grow the stack
  auto buffer = [&](std::size_t n) { return at_entry.CreateAlloca(llvm::ArrayType::get(b_.getDoubleTy(), n ? n : 1)); };
  Value* arguments = buffer(s.arguments.size());
  Value* results = buffer(s.targets.size());
  for (std::size_t k = 0; k < s.arguments.size(); ++k) store(value(s.arguments[k]), slot_at(arguments, k));
  Value* top = b_.CreateLoad(b_.getPtrTy(), top_);
  llvm::Function* callee = module_.program(s.program, 1);
  fail_unless(b_.CreateICmpSGT(turns_left(), b_.getInt64(0)), endless_);
  Value* too_long = b_.CreateICmpSLT(turns_left(), turns_when_interrupted());
  fail_unless(b_.CreateNot(b_.CreateAnd(interrupted(), too_long)), endless_);
  take(b_.getInt64(1));
  Value* status = b_.CreateCall(callee, {arguments, results, top, function_->getArg(3), function_->getArg(4)});
  fail_unless(b_.CreateICmpNE(status, b_.getInt32(BOLZA_SCRATCH)), too_small_);
  fail_unless(b_.CreateICmpEQ(status, b_.getInt32(0)), failed_);
  for (std::size_t k = 0; k < s.targets.size(); ++k) store(load(slot_at(results, k)), locals_[s.targets[k]]);
}

void ProgramLowering::lower_branch(const Statement& s) {
  auto *yes = block("then"), *no = block("else"), *after = block("after");
  b_.CreateCondBr(condition(s.value), yes, no);
  b_.SetInsertPoint(yes);
  lower_block(s.body);
  b_.CreateBr(after);
  b_.SetInsertPoint(no);
  lower_block(s.otherwise);
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
}

void ProgramLowering::lower_for(const Statement& s) {
  Value *from = value(s.from), *step = value(s.step), *to = value(s.to);
  fail_unless(operators_.condition(step), failed_);
  Value* trips = b_.CreateFAdd(b_.CreateFDiv(b_.CreateFSub(to, from), step), operators_.number(1e-9));
  trips = operators_.apply(Op::floor, trips);  // the last value counts although 0.1 is not exact
  Value *left = turns_left(), *soon = b_.CreateSIToFP(b_.CreateSub(left, turns_when_interrupted()), b_.getDoubleTy());
  Value* most = b_.CreateSIToFP(left, b_.getDoubleTy());
  auto *before = b_.GetInsertBlock(), *head = block("for"), *body = block("do"), *after = block("after");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* i = b_.CreatePHI(b_.getDoubleTy(), 2);
  i->addIncoming(operators_.number(0), before);
  fail_unless(b_.CreateFCmpOLT(i, most), endless_);
  fail_unless(b_.CreateNot(b_.CreateAnd(interrupted(), b_.CreateFCmpOGT(i, soon))), endless_);
  b_.CreateCondBr(b_.CreateFCmpOLE(i, trips), body, after);
  b_.SetInsertPoint(body);
  store(b_.CreateFAdd(from, b_.CreateFMul(i, step)), locals_[s.target]);
  loop_ends_.push_back(after);
  lower_block(s.body);
  loop_ends_.pop_back();
  i->addIncoming(b_.CreateFAdd(i, operators_.number(1)), b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(after);
  take(b_.CreateFPToSI(i, b_.getInt64Ty()));
}

void ProgramLowering::lower_while(const Statement& s) {
  Value *most = turns_left(), *soon = b_.CreateSub(most, turns_when_interrupted());
  auto *before = b_.GetInsertBlock(), *head = block("while"), *body = block("do"), *after = block("after");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* trips = b_.CreatePHI(b_.getInt64Ty(), 2);
  trips->addIncoming(b_.getInt64(0), before);
  fail_unless(b_.CreateICmpSLT(trips, most), endless_);
  fail_unless(b_.CreateNot(b_.CreateAnd(interrupted(), b_.CreateICmpSGT(trips, soon))), endless_);
  b_.CreateCondBr(condition(s.value), body, after);
  b_.SetInsertPoint(body);
  loop_ends_.push_back(after);
  lower_block(s.body);
  loop_ends_.pop_back();
  trips->addIncoming(b_.CreateAdd(trips, b_.getInt64(1)), b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(after);
  take(trips);
}

}  // namespace

void lower_program(ModuleBuilder& module, const ir::Program& program, std::uint32_t stride, llvm::Function* function) {
  ProgramLowering(module, program, stride, function).lower();
}

}  // namespace bolza::codegen
