// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Scalar.h>

#include <memory>

#include "base/expects.h"
#include "compiler/codegen/llvm/object_internal.h"
#include "compiler/codegen/llvm/target_internal.h"

namespace bolza::codegen {
namespace {

std::unique_ptr<llvm::TargetMachine> target_machine(Tier tier) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const Target& own = host_target();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(own.triple, error);
  expects(target != nullptr, "LLVM can make code for this machine");
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // we contract ourselves: the same bits at every level
  auto level = tier == Tier::quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(own.triple, own.cpu, own.features, options,
                                                                          llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
}

void check(const llvm::Module& module) {
#ifndef NDEBUG
  std::string text;
  llvm::raw_string_ostream stream(text);
  expects(!llvm::verifyModule(module, &stream), text.c_str());
#else
  (void)module;
#endif
}

}  // namespace

void set_layout(llvm::Module& module) { module.setDataLayout(target_machine(Tier::quick)->createDataLayout()); }

std::string translate(llvm::Module& module, Tier tier, Form form) {
  std::unique_ptr<llvm::TargetMachine> target = target_machine(tier);
  module.setDataLayout(target->createDataLayout());
  check(module);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (form == Form::intermediate) {
    module.print(stream, nullptr);
    return {bytes.data(), bytes.size()};
  }
  llvm::legacy::PassManager passes;
  if (tier == Tier::optimised) {  // frames and rows of straight-line kernels become registers
    passes.add(llvm::createSROAPass());
    passes.add(llvm::createEarlyCSEPass());
    passes.add(llvm::createCFGSimplificationPass());
  }
  auto type = form == Form::object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  expects(!target->addPassesToEmitFile(passes, stream, nullptr, type), "the target can emit files");
  passes.run(module);
  return {bytes.data(), bytes.size()};
}

}  // namespace bolza::codegen
