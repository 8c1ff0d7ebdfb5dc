#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/codegen/cache.h"
#include "compiler/codegen/engine.h"
#include "compiler/codegen/kernel_shape.h"
#include "compiler/codegen/machine.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

/// What making kernels has cost so far.
struct CompileStatistics {
  std::size_t kernels = 0;         ///< asked for, each shape counted once
  std::size_t objects = 0;         ///< loaded
  std::size_t from_cache = 0;      ///< of `objects`: found on disk, no IR was built
  std::size_t damaged = 0;         ///< cache entries that did not load and were made again
  double seconds = 0;              ///< all of it: keys, lowering, code generation, linking
};

/// Turns shapes into callable kernels. Each distinct shape is compiled once in its life; a batch is one object and one cache
/// entry, whose key names the shapes' skeletons, the ABI, the LLVM version and the machine.
class KernelStore {
 public:
  KernelStore(const ir::Expressions& expressions, Machine machine, Cache cache);

  /// One address per shape, same order. Objects of the optimised tier in the cache are taken for either tier.
  std::vector<bolza_kernel> get(std::span<const KernelShape> shapes, Tier tier);

  /// Name of the shape's function, "bolza_<digest>": equal shapes, equal names.
  std::string name_of(const KernelShape& shape) const;
  /// Object, assembly or IR is made elsewhere from these two.
  const Machine& machine() const { return machine_; }
  const CompileStatistics& statistics() const { return statistics_; }

 private:
  struct Batch {
    std::vector<std::string> names;
    std::vector<const KernelShape*> shapes;
  };
  Batch missing(std::span<const KernelShape> shapes, std::span<const std::string> names, Tier tier) const;
  std::string key_of(const Batch& batch, Tier tier) const;
  bool load_from_cache(const Batch& batch, Tier tier);
  void compile(const Batch& batch, Tier tier);
  bool load(const Batch& batch, const std::string& object, Tier tier);

  struct Known {
    bolza_kernel kernel = nullptr;
    Tier tier = Tier::quick;
  };
  const ir::Expressions& expressions_;
  Machine machine_;
  Cache cache_;
  Engine engine_;
  std::map<std::string, Known> known_;
  CompileStatistics statistics_;
};

}  // namespace bolza::codegen
