// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/kernel_shape.h"

#include <algorithm>
#include <bit>

#include "compiler/codegen/schedule_internal.h"
#include "compiler/ir/interpret.h"

namespace bolza::codegen {
namespace {

using ir::Op;

class SkeletonWriter {
 public:
  SkeletonWriter(std::string& text, const ir::Expressions& expressions) : text_(text), all_(expressions) {}

  void kernel(const KernelShape& shape) {
    word(shape.scalar + 2u * shape.across_instances + 4u * shape.series + 8u * shape.solo);
    word(shape.n_point);
    word(shape.slots.size());
    for (SlotClass slot : shape.slots) byte(static_cast<std::uint8_t>(slot));
    Schedule schedule = make_schedule(all_.dag, shape.outputs, shape.slots);
    word(schedule.order.size());
    for (std::uint32_t p = 0; p < schedule.order.size(); ++p) node(schedule, p);
    word(shape.outputs.size());
    for (std::size_t o = 0; o < shape.outputs.size(); ++o) {
      word(schedule.output_positions[o]);
      byte(shape.adds[o]);
    }
    for (std::size_t k = 0; k < programs_.size(); ++k)
      program(programs_[k]);  // grows while Programs that call others are written
  }

 private:
  void byte(std::uint8_t b) { text_.push_back(static_cast<char>(b)); }
  void word(std::uint64_t w) {
    for (; w >= 128; w >>= 7) byte(static_cast<std::uint8_t>(w | 128));
    byte(static_cast<std::uint8_t>(w));
  }
  void real(double x) {
    auto bits = std::bit_cast<std::uint64_t>(x);
    for (int k = 0; k < 8; ++k) byte(static_cast<std::uint8_t>(bits >> (8 * k)));
  }

  void node(const Schedule& schedule, std::uint32_t p) {
    ir::ExprId e = schedule.order[p];
    Op op = all_.dag.op(e);
    byte(static_cast<std::uint8_t>(op));
    if (op == Op::number) return real(all_.dag.value(e));
    if (op == Op::call) {
      word(number_of(all_.dag.program(e)));
      word(schedule.operands(p).size());
    }
    if (op <= Op::direction || op == Op::output) word(all_.dag.index(e));
    for (std::uint32_t q : schedule.operands(p)) word(p - q);
  }

  std::size_t number_of(ir::ProgramId id) {
    auto at = std::find(programs_.begin(), programs_.end(), id);
    if (at != programs_.end()) return static_cast<std::size_t>(at - programs_.begin());
    programs_.push_back(id);
    return programs_.size() - 1;
  }

  void expression(ir::ExprId root) {
    if (!root) return word(0);
    ir::Tape tape = ir::make_tape(all_.dag, std::span(&root, 1));
    word(tape.steps.size());
    for (const ir::Tape::Step& step : tape.steps) {
      byte(static_cast<std::uint8_t>(step.op));
      if (step.op == Op::number) real(step.literal);
      else {
        word(step.a);
        word(step.b);
        word(step.c);
      }
    }
    word(tape.roots[0]);
  }

  void ports(const std::vector<ir::Program::Port>& ports) {
    word(ports.size());
    for (const ir::Program::Port& port : ports) {
      byte(port.is_array);
      word(port.id);
    }
  }

  void program(ir::ProgramId id) {
    const ir::Program& p = all_.programs[id.index()];
    word(p.foreign ? p.foreign->identity.size() + 1 : 0);
    if (p.foreign) text_ += p.foreign->identity;
    word(p.locals.size());
    word(p.arrays.size());
    for (const ir::LocalArray& array : p.arrays) {
      word(array.size);
      byte(array.fixed != nullptr);
      if (array.fixed) text_ += array.fixed->digest;
    }
    ports(p.inputs);
    ports(p.outputs);
    word(p.blocks.size());
    for (const auto& block : p.blocks) {
      word(block.size());
      for (const ir::Statement& s : block) statement(s);
    }
  }

  void statement(const ir::Statement& s) {
    byte(static_cast<std::uint8_t>(s.kind));
    if (s.kind == ir::StatementKind::check) {
      word(s.goes_on);
      return expression(s.value);
    }
    word(s.target);
    word(s.array);
    for (ir::ExprId e : {s.index, s.value, s.from, s.step, s.to}) expression(e);
    word(s.kind == ir::StatementKind::call ? number_of(s.program) + 1 : 0);
    word(s.arguments.size());
    for (ir::ExprId e : s.arguments) expression(e);
    word(s.targets.size());
    for (std::uint32_t t : s.targets) word(t);
    word(s.body.value);
    word(s.otherwise.value);
  }

  std::string& text_;
  const ir::Expressions& all_;
  std::vector<ir::ProgramId> programs_;
};

}  // namespace

void append_skeleton(std::string& text, const ir::Expressions& expressions, const KernelShape& shape) {
  SkeletonWriter(text, expressions).kernel(shape);
}

}  // namespace bolza::codegen
