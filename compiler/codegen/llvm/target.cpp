// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>

#include <map>

#include "compiler/codegen/llvm/target_internal.h"

namespace bolza::codegen {
namespace {

Target find_target() {
  Target target;
  target.triple = llvm::sys::getProcessTriple();
  target.cpu = llvm::sys::getHostCPUName().str();
  std::map<std::string, bool> sorted;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) sorted[feature.getKey().str()] = feature.getValue();
  for (const auto& [name, on] : sorted) target.features += (target.features.empty() ? "" : ",") + ((on ? "+" : "-") + name);
  return target;
}

}  // namespace

const Target& host_target() {
  static const Target target = find_target();
  return target;
}

}  // namespace bolza::codegen
