#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bolza::codegen {

struct Symbol;

/// Loads objects into this process and finds their functions. What it loaded lives as long as it.
class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Adds an object to a name space of its own and looks up its symbols. Mathematical functions come from libm and libmvec,
  /// `outside` names what else it may refer to.
  /// @return an address per symbol, or nothing when the object does not define them all or is damaged.
  std::vector<void*> load(const std::string& object, std::span<const std::string> symbols,
                          std::span<const Symbol> outside = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace bolza::codegen
