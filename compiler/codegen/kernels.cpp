// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/kernels.h"

#include <set>

#include "base/clock.h"
#include "base/digest.h"
#include "base/expects.h"
#include "compiler/codegen/foreign_symbols_internal.h"

namespace bolza::codegen {
namespace {

constexpr int lowering_revision = 6;  // part of every key: raise it when the same shape gives other code

}  // namespace

KernelStore::KernelStore(Machine machine, Cache cache, OpenJit open_jit, unsigned small)
    : machine_(std::move(machine)),
      cache_(std::move(cache)),
      open_jit_(std::move(open_jit)),
      small_(small),
      loader_(native_loader()) {
  if (!loader_) loader_ = open_jit_().loader();
}

std::string kernel_name(const ir::Expressions& expressions, const KernelShape& shape) {
  std::string skeleton;
  append_skeleton(skeleton, expressions, shape);
  return "bolza_" + digest(skeleton);
}

std::vector<bolza_kernel> KernelStore::get(const ir::Expressions& expressions, std::span<const KernelShape> shapes,
                                           Tier tier) {
  auto start = Clock::now();
  std::vector<std::string> names;
  for (const KernelShape& shape : shapes) names.push_back(kernel_name(expressions, shape));
  Batch batch = missing(shapes, names, tier);
  if (!batch.names.empty()) {
    if (!load_from_cache(expressions, batch, tier)) compile(expressions, batch, tier);
    statistics_.kernels = known_.size();
    ++statistics_.objects;
  }
  std::vector<bolza_kernel> kernels;
  for (const std::string& name : names) kernels.push_back(known_.at(name).kernel);
  statistics_.seconds += seconds_since(start);
  return kernels;
}

KernelStore::Batch KernelStore::missing(std::span<const KernelShape> shapes, std::span<const std::string> names,
                                        Tier tier) const {
  Batch batch;
  std::set<std::string> listed;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    auto known = known_.find(names[k]);
    if (known != known_.end() && known->second.tier >= tier) continue;
    if (!listed.insert(names[k]).second) continue;
    batch.names.push_back(names[k]);
    batch.shapes.push_back(&shapes[k]);
  }
  return batch;
}

std::string KernelStore::key_of(const Batch& batch, Tier tier) const {
  std::string text = "bolza " + std::to_string(BOLZA_ABI_VERSION) + "." + std::to_string(lowering_revision) + " " +
                     llvm_version() + " " + machine_.identity + " " + std::to_string(machine_.width) +
                     (tier == Tier::quick ? " quick" : " optimised");
  for (const std::string& name : batch.names) text += " " + name;
  return digest(text);
}

bool KernelStore::load(const ir::Expressions& expressions, const Batch& batch, const std::string& object, Tier tier) {
  std::vector<void*> addresses = loader_->load(object, batch.names, outside_symbols(expressions));
  if (addresses.empty()) return false;
  for (std::size_t k = 0; k < addresses.size(); ++k)
    known_[batch.names[k]] = {reinterpret_cast<bolza_kernel>(addresses[k]), tier};
  return true;
}

bool KernelStore::load_from_cache(const ir::Expressions& expressions, const Batch& batch, Tier tier) {
  for (Tier at : {Tier::optimised, Tier::quick}) {
    if (at < tier) break;
    std::string key = key_of(batch, at);
    std::optional<std::string> object = cache_.find(key);
    if (!object) continue;
    if (load(expressions, batch, *object, at)) {
      ++statistics_.from_cache;
      return true;
    }
    ++statistics_.damaged;
    cache_.remove(key);
  }
  return false;
}

void KernelStore::compile(const ir::Expressions& expressions, const Batch& batch, Tier tier) {
  std::string object = open_jit_().compile(expressions, batch.names, batch.shapes, machine_, small_, tier);
  expects(load(expressions, batch, object, tier), "a compiled object can be loaded");
  cache_.put(key_of(batch, tier), object);
}

}  // namespace bolza::codegen
