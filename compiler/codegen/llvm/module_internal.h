// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/codegen/kernel_shape.h"
#include "compiler/codegen/machine.h"
#include "compiler/ir/program.h"

namespace bolza::codegen {

/// One LLVM module under construction: what several kernels of it share.
class ModuleBuilder {
 public:
  ModuleBuilder(const ir::Expressions& expressions, const Machine& machine, const std::string& name);

  /// A kernel of the ABI's signature under the given external name.
  void add_kernel(const std::string& name, const KernelShape& shape);
  /// Emits the Programs that kernels called. Call once, after the last kernel.
  void finish();

  /// `int program(const double *in, double *out, double *top, double *end, long *turns)`: element a of in and out is at
  /// a · stride, the tape and large arrays grow from top, `turns` are those left for all its loops and calls, and how many
  /// may be left when an interrupt ends it. Returns bits of the ABI.
  llvm::Function* program(ir::ProgramId id, std::uint32_t stride);
  /// `void program(const double *in, double *out, char *frame)`: for the lanes in use of vectors of that width; adds its
  /// bits to the frame's status.
  llvm::Function* program_lanes(ir::ProgramId id, std::uint32_t width);
  /// libm's function, or libmvec's of that width; pure.
  llvm::FunctionCallee math(const std::string& libm, std::uint32_t arity, std::uint32_t width);
  /// What calls a foreign function, and its first argument: symbols that the engine knows (foreign_symbols.h).
  std::pair<llvm::FunctionCallee, llvm::Constant*> foreign(const ir::Foreign& function);
  /// Constants, once for all Programs that have the same.
  llvm::Constant* numbers(const ir::FixedNumbers& fixed);
  /// How often the turns of a call were used up: each time the next ones have half as many, down to some hundred thousand,
  /// for whoever makes a step smaller and tries again must come to an end, too.
  llvm::GlobalVariable* endless_calls();
  /// A flag that is not 0 when what takes many turns is to end. Outside, but in objects for other programs.
  llvm::Constant* interrupted();
  void define_interrupted();
  /// A new function with the attributes that all of ours have.
  llvm::Function* function(llvm::FunctionType* type, llvm::GlobalValue::LinkageTypes linkage, const std::string& name);

  const ir::Expressions& expressions;
  const Machine& machine;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, llvm::Function*> programs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, llvm::Function*> program_lanes_;
  std::map<std::string, llvm::Constant*> numbers_;                ///< by digest
  std::vector<std::pair<ir::ProgramId, std::uint32_t>> waiting_;  ///< declared, not yet written
};

/// Writes the body of `program(…)`.
void lower_program(ModuleBuilder& module, const ir::Program& program, std::uint32_t stride, llvm::Function* function);

}  // namespace bolza::codegen
