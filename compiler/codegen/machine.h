// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace bolza::codegen {

/// The processor that kernels are made for. Part of every cache key.
struct Machine {
  std::string identity;      ///< what the processor says of itself: equal texts, equal code
  std::uint32_t width = 1;   ///< lanes of a vector of doubles: 8, 4 or 1
  bool fma = false;          ///< a fused multiply-add is one instruction; then products are contracted, in every lane alike
  bool vector_math = false;  ///< libmvec's functions of this width can be called
};

/// How an object is compiled. Both tiers give the same bits: no transformation that changes rounding is ever on.
enum class Tier : std::uint8_t {
  quick,      ///< least compile time
  optimised,  ///< about three times the compile time, 10 to 40 % faster code
};

/// How the kernels of a model's functions are called, all kinds but the Hessian: with many points at a time, with one as by
/// integrators, or both. `one` serves many points too, one after the other.
enum class Calls : std::uint8_t { many, one, both };

/// Instructions of a module that is optimised whatever tier is asked for: it takes a few milliseconds.
inline constexpr unsigned small_code = 2000;

/// This machine. `width` 0 takes the widest vectors there are; 4 or 1 ask for less. Cost: under a millisecond; opens no
/// LLVM.
Machine host_machine(std::uint32_t width = 0);

/// "19.1.7", of the headers that were compiled against: kernels of another version are not taken from the cache.
std::string llvm_version();

}  // namespace bolza::codegen
