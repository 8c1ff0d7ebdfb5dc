// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/interior/interior_times.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/parameters/parameter_order.h"

namespace bolza::passes {

using ir::Op;

void InteriorTimes::collect() {
  look_at_timed();
  const ir::FlatModel& flat = system_.flat;
  for (const ir::Section* section : {&flat.equations, &flat.optimization->path.section, &flat.optimization->integrand})
    for_each_instance(*section, [&](const GroupInstance& i) {
      for (const Kink& kink : kinks_of(i.applied.roots, i.applied.slots, i.applied.data))
        add(kink.time, system_.span_of_origin(i.origin));
    });
}

void InteriorTimes::look_at_timed() {
  for (const ir::Variable& variable : system_.flat.variables) {
    if (variable.kind != ir::VariableKind::timed) continue;
    for (std::uint32_t e = 0; e < variable.size; ++e) {
      VariableId v(variable.first.index() + e);
      if (!system_.varies(system_.owner[v.index()])) continue;
      const ir::Term& term = system_.flat.time_slots[variable.time_slot + (variable.one_time_slot ? 0 : e)].time;
      AffineInParameters time = times_.of(term);
      reads_at_free_time_ |= time.known && time.is_free() && !is_start(time) && !is_final(time);
      if (time.known && time.on_time == 0 && std::isfinite(time.offset)) add(time, term.span ? term.span : variable.span);
      else if (!not_affine_) not_affine_ = v;
    }
  }
}

std::vector<Kink> InteriorTimes::kinks_of(std::span<const ExprId> roots, std::span<const VariableId> slots,
                                          std::span<const double> data) {
  std::vector<Kink> found;
  if (std::find(slots.begin(), slots.end(), VariableId(0u)) == slots.end()) return found;
  const ir::Dag& dag = system_.dag();
  for (ExprId e : ir::reachable(dag, roots)) {
    Op op = dag.op(e);
    bool is_pair = op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal || op == Op::min ||
                   op == Op::max;
    if (!is_pair && op != Op::abs && op != Op::sign) continue;
    AffineInParameters zero = times_.of(dag.operands(e)[0], slots, data);
    if (is_pair) zero = plus(zero, times_.of(dag.operands(e)[1], slots, data), -1);
    if (!zero.known || zero.on_time == 0) continue;
    double by = zero.on_time;
    zero.on_time = 0;
    AffineInParameters time = scaled(zero, -1 / by);
    if (!time.on.empty() && !is_start(time) && !is_final(time)) found.push_back({e, std::move(time), by > 0});
  }
  return found;
}

void InteriorTimes::add(const AffineInParameters& time, Span span) {
  if (!is_start(time) && !is_final(time) && !find(time)) all_.push_back({time, span, text_of(time)});
}

bool InteriorTimes::any_is_free() const {
  return std::any_of(all_.begin(), all_.end(), [](const InteriorTime& t) { return t.time.is_free(); });
}

std::optional<std::size_t> InteriorTimes::find(const AffineInParameters& time) const {
  for (std::size_t k = 0; k < all_.size(); ++k)
    if (same_time(all_[k].time, time)) return k;
  return {};
}

std::string InteriorTimes::text_of(const AffineInParameters& time) const {
  std::string text;
  auto add = [&](double weight, const std::string& what) {
    text += text.empty() ? (weight < 0 ? "-" : "") : weight < 0 ? " - " : " + ";
    double size = std::fabs(weight);
    text += what.empty() ? number_text(size) : size == 1 ? what : number_text(size) + "*" + what;
  };
  for (const auto& [v, weight] : time.on) add(weight, system_.name(v));
  if (time.offset != 0 || text.empty()) add(time.offset, "");
  return text;
}

}  // namespace bolza::passes
