// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "compiler/codegen/kernel_shape.h"
#include "compiler/codegen/schedule_internal.h"

namespace bolza::codegen {

/// Where a kernel keeps what lives longer than one instruction sequence: byte offsets into one block of memory, on the stack
/// when it is small, else at the start of scratch.
///
///   state          status, top of the tape, end of the tape, lanes in use
///   rows           a pointer per point slot, weight, direction and output: set once per instance
///   splats         shared values and data, one vector each: set once per instance; across instances also the points' values
///   temporaries    values that cross from one part of a split body to a later one
///   calls          arguments and results of Programs, a vector each
struct Frame {
  static constexpr std::uint32_t status = 0, tape_top = 8, tape_end = 16, lanes = 24, state_size = 64;
  static constexpr std::uint32_t stack_limit = 64 * 1024;

  std::uint32_t vector_size = 8;
  std::uint32_t slot_rows = 0, weight_rows = 0, direction_rows = 0, output_rows = 0;  ///< indexed by k
  std::uint32_t slot_splats = 0, datum_splats = 0;                                    ///< indexed by k
  std::uint32_t staging = 0;         ///< across instances: a vector per output, before its lanes go to their rows
  std::uint32_t check = 0, bad = 0;  ///< sums of 0 · output: this block, all points
  std::uint32_t temporaries = 0;
  std::vector<std::uint32_t> call_arguments, call_results;  ///< [order], of call nodes
  std::uint32_t size = 0;

  std::uint32_t n_data = 0, n_weights = 0;
  bool has_directions = false;
  bool has_calls = false;

  bool in_scratch() const { return size > stack_limit; }
};

Frame lay_out(const ir::Expressions& expressions, const KernelShape& shape, const Schedule& schedule, std::uint32_t width);

/// Can the Program, or one that it calls, push on the tape or put its arrays there?
bool uses_tape(const ir::Expressions& expressions, ir::ProgramId program);

/// The call nodes of a schedule.
std::vector<ir::ExprId> calls_of(const ir::Dag& dag, const Schedule& schedule);

/// Doubles of scratch that a call of the kernel should bring along; it says BOLZA_SCRATCH when a tape needs more. Cost: a
/// schedule.
std::size_t wanted_scratch(const ir::Expressions& expressions, const KernelShape& shape, std::uint32_t width);

inline constexpr std::uint32_t local_array_limit =
    2048;  ///< doubles of a Program's arrays on the stack; more go to the tape
std::uint32_t array_doubles(const ir::Program& program);

}  // namespace bolza::codegen
