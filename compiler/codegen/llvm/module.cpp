// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/expects.h"
#include "compiler/codegen/foreign_symbols_internal.h"
#include "compiler/codegen/frame_internal.h"
#include "compiler/codegen/llvm/kernel_internal.h"
#include "compiler/codegen/llvm/module_internal.h"
#include "compiler/codegen/llvm/series_internal.h"
#include "compiler/codegen/llvm/target_internal.h"

namespace bolza::codegen {
namespace {

constexpr std::uint64_t most_turns = 100'000'000, most_halved = 8;  // a trial point of a solver must not hang the process
constexpr std::uint64_t turns_after_interrupt = 65'536;             // so that what was found before can still be evaluated

/// The vector function ABI of x86-64: class letter, lanes, one v per argument.
std::string vector_name(const std::string& libm, std::uint32_t arity, std::uint32_t width) {
  return (width == 8 ? "_ZGVeN8" : "_ZGVdN4") + std::string(arity, 'v') + "_" + libm;
}

}  // namespace

ModuleBuilder::ModuleBuilder(const ir::Expressions& expressions, const Machine& machine, const std::string& name)
    : expressions(expressions),
      machine(machine),
      module(std::make_unique<llvm::Module>(name, context)) {
  module->setTargetTriple(host_target().triple);
}

llvm::Function* ModuleBuilder::function(llvm::FunctionType* type, llvm::GlobalValue::LinkageTypes linkage,
                                        const std::string& name) {
  llvm::Function* f = llvm::Function::Create(type, linkage, name, *module);
  f->setDoesNotThrow();
  f->addFnAttr("target-cpu", host_target().cpu);
  f->addFnAttr("target-features", host_target().features);
  if (machine.width == 8) {  // some processors are tuned to avoid the widest vectors unless asked to use them
    f->addFnAttr("prefer-vector-width", "512");
    f->addFnAttr("min-legal-vector-width", "512");
  }
  return f;
}

llvm::FunctionCallee ModuleBuilder::math(const std::string& libm, std::uint32_t arity, std::uint32_t width) {
  llvm::Type* type = llvm::Type::getDoubleTy(context);
  if (width > 1) type = llvm::FixedVectorType::get(type, width);
  std::vector<llvm::Type*> arguments(arity, type);
  return module->getOrInsertFunction(width == 1 ? libm : vector_name(libm, arity, width),
                                     llvm::FunctionType::get(type, arguments, false));
}

std::pair<llvm::FunctionCallee, llvm::Constant*> ModuleBuilder::foreign(const ir::Foreign& function) {
  ForeignSymbols names = foreign_symbols(function);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), std::vector<llvm::Type*>(3, pointer), false);
  return {module->getOrInsertFunction(names.call, type),
          module->getOrInsertGlobal(names.self, llvm::Type::getInt8Ty(context))};
}

void ModuleBuilder::add_kernel(const std::string& name, const KernelShape& shape) {
  if (shape.series) SeriesLowering(*this, shape, name).lower();
  else KernelLowering(*this, shape, name).lower();
}

llvm::Constant* ModuleBuilder::numbers(const ir::FixedNumbers& fixed) {
  llvm::Constant*& known = numbers_[fixed.digest];
  if (known) return known;
  llvm::Constant* values = llvm::ConstantDataArray::get(context, llvm::ArrayRef<double>(fixed.values));
  constexpr bool is_constant = true;
  constexpr auto linkage = llvm::GlobalValue::PrivateLinkage;
  auto* made = new llvm::GlobalVariable(*module, values->getType(), is_constant, linkage, values, "numbers");
  made->setAlignment(llvm::Align(8));
  return known = made;
}

llvm::GlobalVariable* ModuleBuilder::endless_calls() {
  const char* name = "endless_calls";
  if (llvm::GlobalVariable* known = module->getGlobalVariable(name, true)) return known;
  auto* number = llvm::Type::getInt64Ty(context);
  auto* made = llvm::cast<llvm::GlobalVariable>(module->getOrInsertGlobal(name, number));
  made->setInitializer(llvm::ConstantInt::get(number, 0));
  made->setLinkage(llvm::GlobalValue::InternalLinkage);
  return made;
}

llvm::Constant* ModuleBuilder::interrupted() {
  return module->getOrInsertGlobal(interrupt_symbol, llvm::Type::getInt8Ty(context));
}

void ModuleBuilder::define_interrupted() {
  llvm::GlobalVariable* flag = module->getGlobalVariable(interrupt_symbol, true);
  if (flag == nullptr) return;
  flag->setInitializer(llvm::ConstantInt::get(flag->getValueType(), 0));
  flag->setLinkage(llvm::GlobalValue::InternalLinkage);
}

llvm::Function* ModuleBuilder::program(ir::ProgramId id, std::uint32_t stride) {
  llvm::Function*& known = programs_[{id.value, stride}];
  if (known) return known;
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), std::vector<llvm::Type*>(5, pointer), false);
  known = function(type, llvm::GlobalValue::InternalLinkage,
                   "program" + std::to_string(id.value) + "_" + std::to_string(stride));
  waiting_.emplace_back(id, stride);
  return known;
}

llvm::Function* ModuleBuilder::program_lanes(ir::ProgramId id, std::uint32_t width) {
  llvm::Function*& known = program_lanes_[{id.value, width}];
  if (known) return known;
  llvm::IRBuilder<> b(context);
  auto* type = llvm::FunctionType::get(b.getVoidTy(), std::vector<llvm::Type*>(3, b.getPtrTy()), false);
  known = function(type, llvm::GlobalValue::InternalLinkage,
                   "program" + std::to_string(id.value) + "_lanes" + std::to_string(width));
  auto* entry = llvm::BasicBlock::Create(context, "entry", known);
  auto* head = llvm::BasicBlock::Create(context, "lane", known);
  auto* done = llvm::BasicBlock::Create(context, "done", known);
  b.SetInsertPoint(entry);
  auto state = [&](std::uint32_t offset) { return b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), known->getArg(2), offset); };
  llvm::Value* top = b.CreateLoad(b.getPtrTy(), state(Frame::tape_top));
  llvm::Value* end = b.CreateLoad(b.getPtrTy(), state(Frame::tape_end));
  llvm::Value* lanes = b.CreateLoad(b.getInt64Ty(), state(Frame::lanes));
  llvm::Value* turns = b.CreateAlloca(llvm::ArrayType::get(b.getInt64Ty(), 2));
  b.CreateBr(head);
  b.SetInsertPoint(head);  // there is always one lane in use
  llvm::PHINode* lane = b.CreatePHI(b.getInt64Ty(), 2);
  lane->addIncoming(b.getInt64(0), entry);
  llvm::Value* in = b.CreateInBoundsGEP(b.getDoubleTy(), known->getArg(0), lane);
  llvm::Value* out = b.CreateInBoundsGEP(b.getDoubleTy(), known->getArg(1), lane);
  llvm::Value* halved = b.CreateLoad(b.getInt64Ty(), endless_calls());
  halved = b.CreateSelect(b.CreateICmpULT(halved, b.getInt64(most_halved)), halved, b.getInt64(most_halved));
  llvm::Value* most = b.CreateLShr(b.getInt64(most_turns), halved);
  b.CreateStore(most, turns);
  b.CreateStore(b.CreateSub(most, b.getInt64(turns_after_interrupt)),
                b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), turns, 1));
  llvm::Value* bits = b.CreateZExt(b.CreateCall(program(id, width), {in, out, top, end, turns}), b.getInt64Ty());
  b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt64Ty(), state(Frame::status)), bits), state(Frame::status));
  llvm::Value* next = b.CreateAdd(lane, b.getInt64(1));
  lane->addIncoming(next, head);
  b.CreateCondBr(b.CreateICmpULT(next, lanes), head, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return known;
}

void ModuleBuilder::finish() {
  while (!waiting_.empty()) {
    auto [id, stride] = waiting_.back();
    waiting_.pop_back();
    lower_program(*this, expressions.programs[id.index()], stride, programs_[{id.value, stride}]);
  }
}

}  // namespace bolza::codegen
