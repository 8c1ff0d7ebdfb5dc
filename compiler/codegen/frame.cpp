// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/codegen/frame_internal.h"

namespace bolza::codegen {
namespace {

using ir::Op;

constexpr std::size_t first_tape = 4096;  // doubles; a kernel that needs more says so

class Cursor {
 public:
  std::uint32_t take(std::size_t bytes, std::uint32_t alignment) {
    at_ = (at_ + alignment - 1) / alignment * alignment;
    std::uint32_t begin = at_;
    at_ += static_cast<std::uint32_t>(bytes);
    return begin;
  }
  std::uint32_t end() const { return (at_ + 63) / 64 * 64; }

 private:
  std::uint32_t at_ = Frame::state_size;
};

void count_leaves(const ir::Dag& dag, const Schedule& schedule, Frame& frame) {
  for (ir::ExprId e : schedule.order) {
    Op op = dag.op(e);
    if (op == Op::datum) frame.n_data = std::max(frame.n_data, dag.index(e) + 1);
    if (op == Op::weight) frame.n_weights = std::max(frame.n_weights, dag.index(e) + 1);
    if (op == Op::direction) frame.has_directions = true;
    if (op == Op::call) frame.has_calls = true;
  }
}

bool visit_tape(const ir::Expressions& expressions, ir::ProgramId id, std::vector<std::uint8_t>& seen) {
  if (seen[id.index()]) return false;
  seen[id.index()] = 1;
  const ir::Program& program = expressions.programs[id.index()];
  if (array_doubles(program) > local_array_limit) return true;
  for (const auto& block : program.blocks)
    for (const ir::Statement& statement : block) {
      if (statement.kind == ir::StatementKind::push) return true;
      if (statement.kind == ir::StatementKind::call && visit_tape(expressions, statement.program, seen)) return true;
    }
  return false;
}

}  // namespace

Frame lay_out(const ir::Expressions& expressions, const KernelShape& shape, const Schedule& schedule, std::uint32_t width) {
  Frame frame;
  count_leaves(expressions.dag, schedule, frame);
  std::uint32_t v = frame.vector_size = 8 * width;
  Cursor cursor;
  frame.slot_rows = cursor.take(8 * shape.slots.size(), 8);
  frame.weight_rows = cursor.take(8 * frame.n_weights, 8);
  frame.direction_rows = cursor.take(frame.has_directions ? 8 * shape.slots.size() : 0, 8);
  frame.output_rows = cursor.take(8 * shape.outputs.size(), 8);
  bool any_shared =
      shape.across_instances || std::find(shape.slots.begin(), shape.slots.end(), SlotClass::shared) != shape.slots.end();
  frame.slot_splats = cursor.take(any_shared ? v * shape.slots.size() : 0, 64);
  frame.datum_splats = cursor.take(v * frame.n_data, 64);
  frame.staging = cursor.take(shape.across_instances ? v * shape.outputs.size() : 0, 64);
  frame.check = cursor.take(v, 64);
  frame.bad = cursor.take(v, 64);
  frame.temporaries = cursor.take(std::size_t{v} * schedule.n_temporaries, 64);
  frame.call_arguments.assign(schedule.order.size(), 0);
  frame.call_results.assign(schedule.order.size(), 0);
  for (std::uint32_t p = 0; p < schedule.order.size(); ++p) {
    if (expressions.dag.op(schedule.order[p]) != Op::call) continue;
    const ir::Program& program = expressions.programs[expressions.dag.program(schedule.order[p]).index()];
    frame.call_arguments[p] = cursor.take(v * argument_count(program), 64);
    frame.call_results[p] = cursor.take(v * output_count(program), 64);
  }
  frame.size = cursor.end();
  return frame;
}

std::uint32_t array_doubles(const ir::Program& program) {
  std::uint32_t sum = 0;
  for (const ir::LocalArray& array : program.arrays) sum += array.fixed ? 0 : array.size;
  return sum;
}

bool uses_tape(const ir::Expressions& expressions, ir::ProgramId program) {
  std::vector<std::uint8_t> seen(expressions.programs.size(), 0);
  return visit_tape(expressions, program, seen);
}

std::vector<ir::ExprId> calls_of(const ir::Dag& dag, const Schedule& schedule) {
  std::vector<ir::ExprId> calls;
  for (ir::ExprId e : schedule.order)
    if (dag.op(e) == Op::call) calls.push_back(e);
  return calls;
}

std::size_t wanted_scratch(const ir::Expressions& expressions, const KernelShape& shape, std::uint32_t width) {
  Schedule schedule = make_schedule(expressions.dag, shape.outputs, shape.slots);
  Frame frame = lay_out(expressions, shape, schedule, width);
  std::size_t doubles = frame.in_scratch() ? frame.size / 8 + 8 : 0;
  for (ir::ExprId call : calls_of(expressions.dag, schedule)) {
    ir::ProgramId program = expressions.dag.program(call);
    if (!uses_tape(expressions, program)) continue;
    doubles += first_tape + 2 * array_doubles(expressions.programs[program.index()]);
    break;
  }
  return doubles;
}

}  // namespace bolza::codegen
