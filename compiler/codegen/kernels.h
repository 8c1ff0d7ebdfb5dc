// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/codegen/cache.h"
#include "compiler/codegen/compile_statistics.h"
#include "compiler/codegen/jit_library.h"
#include "compiler/codegen/kernel_shape.h"
#include "compiler/codegen/machine.h"
#include "compiler/codegen/object_loader.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

/// Name of the shape's function, "bolza_<digest>": equal shapes, equal names.
std::string kernel_name(const ir::Expressions& expressions, const KernelShape& shape);

/// Turns shapes into callable kernels. Each distinct shape is compiled once in its life; a batch is one object and one cache
/// entry, whose key names the shapes' skeletons, the ABI, the LLVM version and the machine. LLVM is opened for what is not
/// in the cache only.
class KernelStore {
 public:
  /// @param small  instructions of a module that is optimised whatever tier is asked for
  KernelStore(Machine machine, Cache cache, OpenJit open_jit, unsigned small = small_code);

  /// One address per shape, same order. Objects of the optimised tier in the cache are taken for either tier.
  std::vector<bolza_kernel> get(const ir::Expressions& expressions, std::span<const KernelShape> shapes, Tier tier);

  const Machine& machine() const { return machine_; }
  const CompileStatistics& statistics() const { return statistics_; }

 private:
  struct Batch {
    std::vector<std::string> names;
    std::vector<const KernelShape*> shapes;
  };
  Batch missing(std::span<const KernelShape> shapes, std::span<const std::string> names, Tier tier) const;
  std::string key_of(const Batch& batch, Tier tier) const;
  bool load_from_cache(const ir::Expressions& expressions, const Batch& batch, Tier tier);
  void compile(const ir::Expressions& expressions, const Batch& batch, Tier tier);
  bool load(const ir::Expressions& expressions, const Batch& batch, const std::string& object, Tier tier);

  struct Known {
    bolza_kernel kernel = nullptr;
    Tier tier = Tier::quick;
  };
  Machine machine_;
  Cache cache_;
  OpenJit open_jit_;
  unsigned small_;
  std::unique_ptr<ObjectLoader> loader_;
  std::map<std::string, Known> known_;
  CompileStatistics statistics_;
};

}  // namespace bolza::codegen
