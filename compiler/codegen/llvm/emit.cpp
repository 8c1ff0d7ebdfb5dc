// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/emit_internal.h"

#include <set>

#include "compiler/codegen/llvm/constant_tables_internal.h"
#include "compiler/codegen/llvm/object_internal.h"

namespace bolza::codegen {

std::string emit(ProblemTables& tables, const Machine& machine, ModuleForm form, std::span<const bolza_kind> kinds,
                 bool single) {
  ModuleBuilder module(tables.expressions(), machine, tables.abi().name);
  std::set<std::string> emitted;
  KernelNames names;
  auto add = [&](const KernelShape& shape) {
    std::string name = kernel_name(tables.expressions(), shape);
    if (emitted.insert(name).second) module.add_kernel(name, shape);
    return name;
  };
  for (const auto& function : tables.functions())
    for (bolza_kind kind : kinds) {
      if (kind == BOLZA_TRACE || kind >= BOLZA_KINDS) continue;
      EmittedKind& row = names[{&function->abi(), kind}];
      row.kernels = &function->tables(kind, machine.width);
      for (KernelShape shape : function->shapes(kind)) {
        row.points.push_back(add(shape));
        bool scalar = shape.scalar || single;
        shape.scalar = true;
        row.single.push_back(scalar ? add(shape) : "");
      }
    }
  module.finish();
  for (llvm::Function& f : *module.module)
    if (emitted.contains(f.getName().str())) f.setLinkage(llvm::GlobalValue::InternalLinkage);
  module.define_interrupted();
  set_layout(*module.module);
  add_constant_tables(module, tables.abi(), names, emitted_symbol(tables.abi()));
  Form as = form == ModuleForm::object ? Form::object : form == ModuleForm::assembly ? Form::assembly : Form::intermediate;
  return translate(*module.module, Tier::optimised, as);
}

}  // namespace bolza::codegen
