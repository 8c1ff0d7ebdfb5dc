// SPDX-License-Identifier: Apache-2.0
// Tables as Programs: a search for the piece, then its polynomial.
#include "compiler/flatten/functions/table_programs_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"
#include "compiler/flatten/tables/table_internal.h"
#include "compiler/flatten/tables/table_patches_internal.h"
#include "compiler/flatten/tables/table_pieces_internal.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

namespace {

/// Abscissas that differ by less than this part of the table's range are one point in time.
constexpr double same_time = 1e-10;

class TableWriter {
 public:
  TableWriter(Model& model, const char* name, std::vector<const char*> inputs, Span span)
      : model_(model),
        dag_(model.dag()),
        writer_(model, nullptr),
        span_(span) {
    writer_.program.name = name;
    writer_.program.span = span;
    for (const char* input : inputs) {
      inputs_.push_back(writer_.new_local(input));
      writer_.program.inputs.push_back({false, inputs_.back()});
    }
    output_ = writer_.new_local("y");
    writer_.program.outputs.push_back({false, output_});
  }

  ExprId input(std::size_t k) { return dag_.slot(inputs_[k]); }
  ExprId number(double value) { return dag_.number(value); }
  ExprId make(Op op, ExprId a, ExprId b) { return dag_.make(op, a, b); }

  /// A local with this value.
  ExprId keep(const char* name, ExprId value, ir::ScalarType type = ir::ScalarType::real) {
    std::uint32_t local = writer_.new_local(name, type);
    writer_.assign(local, value, span_);
    return dag_.slot(local);
  }

  std::uint32_t array(std::vector<double> numbers) {
    auto n = static_cast<std::int64_t>(numbers.size());
    return writer_.literal_array(*model_.nodes.table(std::move(numbers), {n}, Basic::real, span_));
  }

  ExprId load(std::uint32_t array, ExprId index) { return writer_.load(array, index, span_); }

  /// How many of the n ascending numbers are not above `probe`.
  ExprId count(std::uint32_t numbers, std::size_t n, ExprId probe) {
    std::uint32_t low = writer_.new_local("low", ir::ScalarType::integer),
                  high = writer_.new_local("high", ir::ScalarType::integer),
                  middle = writer_.new_local("middle", ir::ScalarType::integer);
    ExprId l = dag_.slot(low), h = dag_.slot(high), m = dag_.slot(middle);
    writer_.assign(low, number(0), span_);
    writer_.assign(high, number(static_cast<double>(n)), span_);
    ir::Statement search{ir::StatementKind::loop_while, span_};
    search.value = make(Op::less, l, h);
    search.body = ir::BlockId(std::size_t{writer_.new_block()});
    std::uint32_t outside = writer_.enter(search.body.value);
    writer_.assign(middle, dag_.make(Op::floor, dag_.div(dag_.add(l, h), number(2))), span_);
    ExprId knot = load(numbers, m);
    ir::Statement side{ir::StatementKind::branch, span_};
    side.value = make(Op::less_equal, knot, probe);
    side.body = ir::BlockId(std::size_t{writer_.new_block()});
    side.otherwise = ir::BlockId(std::size_t{writer_.new_block()});
    std::uint32_t body = writer_.enter(side.body.value);
    writer_.assign(low, dag_.add(m, dag_.one()), span_);
    writer_.enter(side.otherwise.value);
    writer_.assign(high, m, span_);
    writer_.enter(body);
    writer_.push(std::move(side));
    writer_.enter(outside);
    writer_.push(std::move(search));
    return l;
  }

  /// The piece of a table that is not a function of time: at the last knot the one before it.
  ExprId piece(std::vector<double> knots, ExprId u) {
    knots.back() = std::nextafter(knots.back(), std::numeric_limits<double>::infinity());
    std::size_t n = knots.size();
    return count(array(std::move(knots)), n, u);
  }

  ExprId polynomial(const Pieces& pieces, ExprId piece, ExprId u) {
    ExprId d = dag_.sub(u, load(array(pieces.bases), piece)), value = dag_.zero();
    for (std::size_t k = 4; k-- > 0;) value = dag_.add(coefficient(pieces.coefficients[k], piece), dag_.mul(d, value));
    return value;
  }

  /// c[at]; 0 where all are.
  ExprId coefficient(const std::vector<double>& c, ExprId at) {
    bool zero = std::all_of(c.begin(), c.end(), [](double v) { return v == 0; });
    return zero ? dag_.zero() : load(array(c), at);
  }

  /// The run fails with this text where the condition does not hold.
  void check(ExprId condition, std::string text) {
    ir::Statement s{ir::StatementKind::check, span_};
    s.value = condition;
    s.text = std::move(text);
    writer_.push(std::move(s));
  }

  /// Far from any event this input has that value.
  void tells_side(std::uint32_t input, double nowhere) { writer_.program.event_sides.emplace_back(input, nowhere); }

  ir::ProgramId finish(ExprId value) {
    writer_.assign(output_, value, span_);
    auto& entry = writer_.program.blocks[0];
    entry.insert(entry.begin(), writer_.prologue.begin(), writer_.prologue.end());
    ir::ProgramId id(model_.flat.expressions.programs.size());
    model_.flat.expressions.programs.push_back(std::move(writer_.program));
    return id;
  }

 private:
  Model& model_;
  ir::Dag& dag_;
  ProgramWriter writer_;
  Span span_;
  std::vector<std::uint32_t> inputs_;
  std::uint32_t output_ = 0;
};

/// u moved by whole periods into the range of the table.
ExprId wrapped(TableWriter& w, ir::Dag& dag, double first, double period, ExprId u, ExprId probe) {
  ExprId periods = dag.make(Op::floor, dag.div(dag.sub(probe, w.number(first)), w.number(period)));
  return dag.sub(u, dag.mul(periods, w.number(period)));
}

/// The same for tables that are not functions of time: both ends of the range stay where they are.
ExprId wrapped_closed(TableWriter& w, ir::Dag& dag, double first, double last, ExprId u) {
  ExprId share = dag.div(dag.sub(u, w.number(first)), w.number(last - first));
  ExprId above = dag.sub(dag.make(Op::ceil, share), dag.one()), below = dag.make(Op::floor, share);
  ExprId periods = dag.select(w.make(Op::greater, u, w.number(last)), above,
                              dag.select(w.make(Op::less, u, w.number(first)), below, dag.zero()));
  return dag.sub(u, dag.mul(periods, w.number(last - first)));
}

void refuse_outside(TableWriter& w, double first, double last, ExprId u) {
  w.check(w.make(Op::logical_and, w.make(Op::greater_equal, u, w.number(first)), w.make(Op::less_equal, u, w.number(last))),
          "a table is asked for a value outside its range, and its extrapolation is NoExtrapolation");
}

/// The distinct abscissas at which a time table makes events, in table time.
std::vector<double> event_times(const TableData& table) {
  std::vector<double> all, out;
  for (const auto& row : table.rows) all.push_back(row[0]);
  double close = same_time * (all.back() - all.front());
  bool periodic = table.extrapolation == Extrapolation::periodic;
  if (!periodic) out.push_back(all.front());
  for (std::size_t i = 1; i < all.size(); ++i) {
    bool jump = all[i] - all[i - 1] <= close, inside = all[i] - all.front() > close && all.back() - all[i] > close;
    bool wanted =
        (table.time_events == TimeEvents::always && !jump) || (table.time_events == TimeEvents::at_discontinuities && jump);
    if (inside && wanted) out.push_back(all[i]);
  }
  if (all.size() > 1) out.push_back(all.back());
  return out;
}

}  // namespace

ir::ProgramId write_table(Model& model, const Pieces& pieces, Extrapolation outside, Span span) {
  TableWriter w(model, "table", {"u"}, span);
  ir::Dag& dag = model.dag();
  ExprId u = w.input(0);
  double first = pieces.knots.front(), last = pieces.knots.back();
  if (outside == Extrapolation::periodic && last > first) u = w.keep("v", wrapped_closed(w, dag, first, last, u));
  if (outside == Extrapolation::refused) refuse_outside(w, first, last, u);
  ExprId piece = pieces.steps ? w.count(w.array(pieces.knots), pieces.knots.size(), u) : w.piece(pieces.knots, u);
  return w.finish(w.polynomial(pieces, piece, u));
}

ir::ProgramId write_table_2d(Model& model, const Patches& patches, Extrapolation outside, Span span) {
  TableWriter w(model, "table2D", {"u1", "u2"}, span);
  ir::Dag& dag = model.dag();
  std::array<ExprId, 2> distance, piece;
  for (std::size_t v = 0; v < 2; ++v) {
    const std::vector<double>& knots = patches.knots[v];
    ExprId u = w.input(v);
    if (outside == Extrapolation::periodic && knots.back() > knots.front())
      u = w.keep("v", wrapped_closed(w, dag, knots.front(), knots.back(), u));
    if (outside == Extrapolation::refused && knots.size() > 1) refuse_outside(w, knots.front(), knots.back(), u);
    piece[v] = w.keep("i", w.piece(knots, u), ir::ScalarType::integer);
    distance[v] = w.keep("d", dag.sub(u, w.load(w.array(patches.bases[v]), piece[v])));
  }
  ExprId width = w.number(static_cast<double>(patches.bases[1].size()));
  ExprId at = w.keep("at", dag.add(dag.mul(piece[0], width), piece[1]), ir::ScalarType::integer);
  ExprId value = dag.zero();
  for (std::size_t k = 4; k-- > 0;) {
    ExprId along = dag.zero();
    for (std::size_t l = 4; l-- > 0;)
      along = dag.add(w.coefficient(patches.coefficients[k][l], at), dag.mul(distance[1], along));
    if (!dag.is_number(along)) along = w.keep("c", along);
    value = dag.add(along, dag.mul(distance[0], value));
  }
  return w.finish(value);
}

ir::ProgramId write_steps_2d(Model& model, const TableData& table, Span span) {
  TableWriter w(model, "steps2D", {"u1", "u2"}, span);
  ir::Dag& dag = model.dag();
  std::size_t rows = table.rows.size() - 1, columns = table.rows[0].size() - 1;
  std::vector<double> x, z(table.rows[0].begin() + 1, table.rows[0].end()), values;
  for (std::size_t i = 1; i <= rows; ++i) {
    x.push_back(table.rows[i][0]);
    values.insert(values.end(), table.rows[i].begin() + 1, table.rows[i].end());
  }
  std::array<ExprId, 2> u{w.input(0), w.input(1)}, at, share;
  ExprId outside = dag.zero();
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<double>& knots = k == 0 ? x : z;
    if (knots.size() < 2) continue;  // nothing depends on it
    double first = knots.front(), last = knots.back();
    if (table.extrapolation == Extrapolation::periodic) u[k] = w.keep("v", wrapped_closed(w, dag, first, last, u[k]));
    if (table.extrapolation == Extrapolation::refused) refuse_outside(w, first, last, u[k]);
    if (table.extrapolation == Extrapolation::hold)
      u[k] = w.keep("v", w.make(Op::max, w.number(first), w.make(Op::min, w.number(last), u[k])));
    ExprId here = w.make(Op::logical_or, w.make(Op::less, u[k], w.number(first)), w.make(Op::greater, u[k], w.number(last)));
    outside = w.make(Op::logical_or, outside, here);
  }
  outside = w.keep("outside", outside, ir::ScalarType::boolean);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<double>& knots = k == 0 ? x : z;
    share[k] = dag.zero();
    at[k] = dag.zero();
    if (knots.size() < 2) continue;
    std::uint32_t array = w.array(knots);
    ExprId before = dag.sub(w.count(array, knots.size(), u[k]), dag.one());
    ExprId most = w.number(static_cast<double>(knots.size() - 2));
    at[k] = w.keep("i", w.make(Op::max, dag.zero(), w.make(Op::min, most, before)), ir::ScalarType::integer);
    ExprId low = w.load(array, at[k]), high = w.load(array, dag.add(at[k], dag.one()));
    share[k] = dag.div(dag.sub(u[k], low), dag.sub(high, low));
    share[k] = dag.select(outside, share[k], w.make(Op::greater_equal, u[k], w.number(knots.back())));
    share[k] = w.keep("share", share[k]);
  }
  std::uint32_t array = w.array(std::move(values));
  auto value = [&](int down, int right) {
    ExprId row = dag.add(at[0], w.number(down)), column = dag.add(at[1], w.number(right));
    return w.load(array, dag.add(dag.mul(row, w.number(static_cast<double>(columns))), column));
  };
  auto along = [&](int down) {
    ExprId left = value(down, 0);
    if (dag.is_number(share[1], 0)) return left;
    return w.keep("y", dag.add(left, dag.mul(share[1], dag.sub(value(down, 1), left))));
  };
  ExprId above = along(0);
  if (dag.is_number(share[0], 0)) return w.finish(above);
  return w.finish(dag.add(above, dag.mul(share[0], dag.sub(along(1), above))));
}

namespace {

std::vector<const char*> with_start(const TableData& table, std::vector<const char*> inputs) {
  if (table.starts_at_run_time) inputs.insert(inputs.end(), {"start", "shift"});
  return inputs;
}

/// When a table of time starts, and the time that its abscissas count from.
struct StartOfTable {
  ExprId start, shift;
};

StartOfTable start_of(TableWriter& w, const TableData& table, std::uint32_t first_input) {
  if (table.starts_at_run_time) return {w.input(first_input), w.input(first_input + 1)};
  return {w.number(table.start_time), w.number(table.shift_time)};
}

}  // namespace

ir::ProgramId write_time_table(Model& model, const TableData& table, const Pieces& pieces, Span span) {
  TableWriter w(model, "timeTable", with_start(table, {"t", "next", "before"}), span);
  auto [start, shift] = start_of(w, table, 3);
  ir::Dag& dag = model.dag();
  ExprId t = w.input(0), next = w.input(1), before = w.input(2);
  double first = pieces.knots.front(), last = pieces.knots.back(), close = same_time * (last - first);
  constexpr double never = std::numeric_limits<double>::max();
  w.tells_side(1, never);
  w.tells_side(2, never);
  ExprId settled = w.make(Op::equal, next, before);
  ExprId reached = w.make(Op::logical_and, w.make(Op::greater_equal, t, next), w.make(Op::less, next, w.number(never)));
  ExprId waiting = w.keep("waiting", w.make(Op::logical_and, settled, reached), ir::ScalarType::boolean);
  ExprId u = w.keep("u", dag.sub(t, shift));
  ExprId left = dag.sub(dag.sub(next, shift), w.number(close)), right = dag.add(u, w.number(close));
  ExprId probe = w.keep("probe", dag.select(waiting, left, right));
  if (table.extrapolation == Extrapolation::periodic && last > first) {
    ExprId moved = w.keep("v", wrapped(w, dag, first, last - first, u, probe));
    probe = w.keep("probe", wrapped(w, dag, first, last - first, probe, probe));
    u = moved;
  }
  if (table.extrapolation == Extrapolation::refused) refuse_outside(w, first - close, last + close, u);
  ExprId piece = w.count(w.array(pieces.knots), pieces.knots.size(), probe);
  ExprId value = w.polynomial(pieces, piece, u);
  ExprId not_yet = w.make(Op::logical_or, w.make(Op::less, t, start),
                          w.make(Op::logical_and, waiting, w.make(Op::greater_equal, start, next)));
  return w.finish(dag.select(not_yet, dag.zero(), value));
}

ir::ProgramId write_next_event(Model& model, const TableData& table, Span span) {
  TableWriter w(model, "nextTimeEvent", with_start(table, {"t"}), span);
  auto [start, shift] = start_of(w, table, 1);
  ir::Dag& dag = model.dag();
  ExprId t = w.input(0);
  constexpr double never = std::numeric_limits<double>::max();
  double first = table.rows.front()[0], last = table.rows.back()[0], period = last - first, close = same_time * period;
  std::vector<double> events = event_times(table);
  ExprId u = w.keep("u", dag.sub(t, shift));
  bool periodic = table.extrapolation == Extrapolation::periodic && period > 0;
  ExprId periods = dag.zero();
  if (periodic)
    periods = w.keep("periods",
                     dag.make(Op::floor, dag.div(dag.sub(dag.add(u, w.number(close)), w.number(first)), w.number(period))));
  ExprId inside = w.keep("inside", dag.sub(u, dag.mul(periods, w.number(period))));
  std::size_t n = events.size();
  events.push_back(periodic ? last : never);
  std::uint32_t times = w.array(events);
  ExprId event = w.load(times, w.count(times, n, dag.add(inside, w.number(close))));
  ExprId at = dag.add(event, dag.add(dag.mul(periods, w.number(period)), shift));
  ExprId later = dag.select(w.make(Op::less, event, w.number(never)), at, w.number(never));
  if (table.rows.size() == 1) later = w.number(never);
  return w.finish(dag.select(w.make(Op::less, t, start), start, later));
}

}  // namespace bolza::flatten
