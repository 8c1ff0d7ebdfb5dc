// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bolza::codegen {

/// A name that compiled code may use, and what it stands for.
struct Symbol {
  std::string name;
  const void* address = nullptr;
};

/// Loads objects into this process and finds their functions. What it loaded lives as long as it.
class ObjectLoader {
 public:
  virtual ~ObjectLoader() = default;

  /// Adds an object to a name space of its own and looks up its symbols. Mathematical functions come from libm and libmvec,
  /// `outside` names what else it may refer to and wins over them.
  /// @return an address per symbol, or nothing when the object does not define them all, refers to something unknown, or is
  ///         damaged.
  virtual std::vector<void*> load(const std::string& object, std::span<const std::string> symbols,
                                  std::span<const Symbol> outside) = 0;
};

/// Our own, without LLVM; null where it cannot read this machine's objects: then LLVM loads them.
std::unique_ptr<ObjectLoader> native_loader();

}  // namespace bolza::codegen
