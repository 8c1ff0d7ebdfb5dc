// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/interpret.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "compiler/ir/apply.h"
#include "compiler/ir/node_map.h"

namespace bolza::ir {

Tape make_tape(const Dag& dag, std::span<const ExprId> roots) {
  Tape tape;
  std::vector<ExprId> nodes = reachable(dag, roots);
  NodeMap<std::uint32_t> place(nodes.size());
  tape.steps.reserve(nodes.size());
  for (ExprId e : nodes) {
    Tape::Step step{.op = dag.op(e)};
    std::span<const ExprId> x = dag.operands(e);
    if (step.op == Op::call) {
      step.b = static_cast<std::uint32_t>(tape.arguments.size());
      step.c = static_cast<std::uint32_t>(x.size());
      step.program = dag.program(e);
      for (ExprId argument : x) tape.arguments.push_back(*place.find(argument));
    } else {
      if (x.size() > 0) step.a = *place.find(x[0]);
      if (x.size() > 1) step.b = *place.find(x[1]);
      if (x.size() > 2) step.c = *place.find(x[2]);
      if (step.op == Op::number) step.literal = dag.value(e);
      else if (x.empty() || step.op == Op::output) step.b = dag.index(e);
    }
    place[e] = static_cast<std::uint32_t>(tape.steps.size());
    tape.steps.push_back(step);
  }
  for (ExprId root : roots) tape.roots.push_back(*place.find(root));
  return tape;
}

template <class T>
struct Interpreter<T>::Frame {
  const Program* program;
  std::vector<T> locals;
  std::vector<std::vector<T>> arrays;
  std::vector<T> tape;  // of push and pop
  std::vector<T> work;
};

template <class T>
Interpreter<T>::Interpreter(const Expressions& expressions, std::uint64_t operation_limit)
    : all_(expressions),
      limit_(operation_limit) {}

template <class T>
Interpreter<T>::~Interpreter() = default;

template <class T>
bool Interpreter<T>::fail(RunStatus status, Span span, std::string text) {
  if (report_ && objection_) report_ = *objection_;
  else if (report_) report_ = {status, span, std::move(text)};
  return false;
}

template <class T>
bool Interpreter<T>::spend(std::uint64_t operations) {
  if (left_ < operations) return fail(RunStatus::operation_limit, {});
  left_ -= operations;
  return true;
}

// ---------------------------------------------------------------- expressions

template <class T>
bool Interpreter<T>::execute(const Tape& tape, const LeafValues<T>& leaves, std::vector<T>& work) {
  if (!spend(tape.steps.size())) return false;
  if (work.size() < tape.steps.size()) work.resize(tape.steps.size());
  auto leaf = [](std::span<const T> values, std::uint32_t k) {
    expects(k < values.size(), "every leaf that is read has a value");
    return values[k];
  };
  std::unordered_map<std::size_t, std::vector<T>> outputs;  // of call steps
  for (std::size_t i = 0; i < tape.steps.size(); ++i) {
    const Tape::Step& s = tape.steps[i];
    switch (s.op) {
      case Op::number:
        work[i] = static_cast<T>(s.literal);
        break;
      case Op::slot:
        work[i] = leaf(leaves.slots, s.b);
        break;
      case Op::datum:
        work[i] = leaf(leaves.data, s.b);
        break;
      case Op::weight:
        work[i] = leaf(leaves.weights, s.b);
        break;
      case Op::direction:
        work[i] = leaf(leaves.directions, s.b);
        break;
      case Op::call: {
        std::vector<T> arguments;
        for (std::uint32_t k = 0; k < s.c; ++k) arguments.push_back(work[tape.arguments[s.b + k]]);
        std::vector<T>& results = outputs[i];
        results.resize(output_count(all_.programs[s.program.index()]));
        if (!run_program(s.program, arguments, results)) return false;
        break;
      }
      case Op::output:
        work[i] = outputs.at(s.a).at(s.b);
        break;
      default:
        work[i] = apply<T>(s.op, work[s.a], work[s.b], work[s.c]);
    }
  }
  return true;
}

template <class T>
RunReport Interpreter<T>::evaluate(const Tape& tape, const LeafValues<T>& leaves, std::span<T> values) {
  report_ = {};
  objection_.reset();
  left_ = limit_;
  depth_ = 0;
  bool done = execute(tape, leaves, work_);
  for (std::size_t r = 0; r < tape.roots.size(); ++r) values[r] = done ? work_[tape.roots[r]] : static_cast<T>(NAN);
  return report_;
}

template <class T>
RunReport Interpreter<T>::evaluate(std::span<const ExprId> roots, const LeafValues<T>& leaves, std::span<T> values) {
  return evaluate(make_tape(all_.dag, roots), leaves, values);
}

// ---------------------------------------------------------------- Programs

template <class T>
RunReport Interpreter<T>::run(ProgramId program, std::span<const T> arguments, std::span<T> outputs) {
  report_ = {};
  objection_.reset();
  left_ = limit_;
  depth_ = 0;
  if (!run_program(program, arguments, outputs))
    for (T& value : outputs) value = static_cast<T>(NAN);
  return report_;
}

template <class T>
bool Interpreter<T>::run_foreign(const Program& program, std::span<const T> arguments, std::span<T> outputs) {
  std::vector<double> x(arguments.begin(), arguments.end()), y(outputs.size());
  if (program.foreign->call(program.foreign->self.get(), x.data(), y.data()) != 0)
    return fail(RunStatus::foreign_failed, program.span, program.foreign->name);
  std::copy(y.begin(), y.end(), outputs.begin());
  return true;
}

template <class T>
bool Interpreter<T>::run_program(ProgramId id, std::span<const T> arguments, std::span<T> outputs) {
  const Program& program = all_.programs[id.index()];
  expects(arguments.size() == argument_count(program), "a Program is run with all its arguments");
  if (program.foreign) return run_foreign(program, arguments, outputs);
  if (depth_ >= 200) return fail(RunStatus::too_deep, program.span);
  ++depth_;
  Frame frame{&program, std::vector<T>(program.locals.size()), {}, {}, {}};
  for (const LocalArray& array : program.arrays) frame.arrays.emplace_back(array.fixed ? 0 : array.size);
  std::size_t next = 0;
  for (const Program::Port& port : program.inputs) {
    if (!port.is_array) frame.locals[port.id] = arguments[next++];
    else
      for (T& x : frame.arrays[port.id]) x = arguments[next++];
  }
  bool done = run_block(frame, BlockId(std::size_t{0})) != Flow::failed;
  next = 0;
  for (const Program::Port& port : program.outputs) {
    if (!port.is_array) outputs[next++] = frame.locals[port.id];
    else
      for (T x : frame.arrays[port.id]) outputs[next++] = x;
  }
  --depth_;
  return done;
}

template <class T>
bool Interpreter<T>::value(Frame& frame, ExprId e, T& result) {
  std::unique_ptr<Tape>& tape = tapes_[e.value];
  if (!tape) tape = std::make_unique<Tape>(make_tape(all_.dag, std::span(&e, 1)));
  const Tape& known = *tape;
  if (!execute(known, {.slots = frame.locals}, frame.work)) return false;
  result = frame.work[known.roots[0]];
  return true;
}

// What is not a number stays so: that is reported elsewhere.
template <class T>
bool Interpreter<T>::fits(const auto& variable, T x, const Statement& s) {
  if (variable.type != ScalarType::integer || !(std::fabs(x) > static_cast<T>(largest_integer))) return true;
  return fail(RunStatus::integer_overflow, s.span, variable.name);
}

template <class T>
std::optional<std::size_t> Interpreter<T>::element(Frame& frame, const Statement& s) {
  T index;
  if (!value(frame, s.index, index)) return {};
  const LocalArray& array = frame.program->arrays[s.array];
  if (index >= 0 && index < static_cast<T>(array.size)) return static_cast<std::size_t>(index);
  fail(RunStatus::index_out_of_range, s.span,
       std::to_string(static_cast<long long>(index) + 1) + " of " + array.name + "[" + std::to_string(array.size) + "]");
  return {};
}

template <class T>
T Interpreter<T>::loaded(const Frame& frame, std::uint32_t array, std::size_t at) {
  const auto& fixed = frame.program->arrays[array].fixed;
  return fixed ? static_cast<T>(fixed->values[at]) : frame.arrays[array][at];
}

// Recursion here follows the nesting of statements, which the parser bounds.
template <class T>
typename Interpreter<T>::Flow Interpreter<T>::run_block(Frame& frame, BlockId block) {
  if (!block) return Flow::next;
  for (const Statement& s : frame.program->blocks[block.index()]) {
    Flow flow = spend(1) ? run_statement(frame, s) : Flow::failed;
    if (flow == Flow::failed && !report_.span) report_.span = s.span;
    if (flow == Flow::failed && report_.program.empty()) report_.program = frame.program->name;
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

template <class T>
typename Interpreter<T>::Flow Interpreter<T>::run_statement(Frame& frame, const Statement& s) {
  T x;
  std::optional<std::size_t> place;
  auto flow = [](bool done) { return done ? Flow::next : Flow::failed; };
  switch (s.kind) {
    case StatementKind::assign:
      if (!value(frame, s.value, x) || !fits(frame.program->locals[s.target], x, s)) return Flow::failed;
      frame.locals[s.target] = x;
      return Flow::next;
    case StatementKind::load:
      if (!(place = element(frame, s))) return Flow::failed;
      frame.locals[s.target] = loaded(frame, s.array, *place);
      return Flow::next;
    case StatementKind::store:
      if (!value(frame, s.value, x) || !fits(frame.program->arrays[s.array], x, s) || !(place = element(frame, s)))
        return Flow::failed;
      frame.arrays[s.array][*place] = x;
      return Flow::next;
    case StatementKind::call:
      return run_call(frame, s);
    case StatementKind::branch:
      if (!value(frame, s.value, x)) return Flow::failed;
      return run_block(frame, x != 0 ? s.body : s.otherwise);
    case StatementKind::loop_for:
      return run_for(frame, s);
    case StatementKind::loop_while:
      return run_while(frame, s);
    case StatementKind::exit_loop:
      return Flow::leave_loop;
    case StatementKind::exit_program:
      return Flow::leave_program;
    case StatementKind::check:
      return run_check(frame, s);
    case StatementKind::push:
      if (!value(frame, s.value, x) || !spend(1)) return Flow::failed;
      frame.tape.push_back(x);
      return Flow::next;
    case StatementKind::pop:
      if (frame.tape.empty()) return flow(fail(RunStatus::tape_empty, s.span));
      frame.locals[s.target] = frame.tape.back();
      frame.tape.pop_back();
      return Flow::next;
  }
  return Flow::failed;
}

template <class T>
typename Interpreter<T>::Flow Interpreter<T>::run_for(Frame& frame, const Statement& s) {
  T from, step, to;
  if (!value(frame, s.from, from) || !value(frame, s.step, step) || !value(frame, s.to, to)) return Flow::failed;
  if (step == 0) return fail(RunStatus::zero_step, s.span) ? Flow::next : Flow::failed;
  T trips = std::floor((to - from) / step + static_cast<T>(1e-9));  // the last value counts although 0.1 is not exact
  for (T i = 0; i <= trips; i += 1) {
    frame.locals[s.target] = from + i * step;
    Flow flow = spend(1) ? run_block(frame, s.body) : Flow::failed;
    if (flow == Flow::leave_loop) break;
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

template <class T>
typename Interpreter<T>::Flow Interpreter<T>::run_while(Frame& frame, const Statement& s) {
  for (;;) {
    T go;
    if (!spend(1) || !value(frame, s.value, go)) return Flow::failed;
    if (go == 0) return Flow::next;
    Flow flow = run_block(frame, s.body);
    if (flow == Flow::leave_loop) return Flow::next;
    if (flow != Flow::next) return flow;
  }
}

template <class T>
typename Interpreter<T>::Flow Interpreter<T>::run_check(Frame& frame, const Statement& s) {
  T x;
  if (s.goes_on && (objection_ || s.level == AssertionLevel::warning)) return Flow::next;
  if (!value(frame, s.value, x)) return Flow::failed;
  if (x != 0) return Flow::next;
  std::vector<double> values;
  for (ExprId e : s.arguments) {
    if (!value(frame, e, x)) return Flow::failed;
    values.push_back(static_cast<double>(x));
  }
  RunReport report{RunStatus::check_failed, s.span, s.text, std::move(values), s.action, frame.program->name};
  if (s.goes_on) {
    objection_ = std::move(report);
    return Flow::next;
  }
  if (report_) report_ = std::move(report);
  return Flow::failed;
}

template <class T>
typename Interpreter<T>::Flow Interpreter<T>::run_call(Frame& frame, const Statement& s) {
  std::vector<T> arguments(s.arguments.size()), outputs(s.targets.size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!value(frame, s.arguments[i], arguments[i])) return Flow::failed;
  if (!run_program(s.program, arguments, outputs)) return Flow::failed;
  for (std::size_t i = 0; i < outputs.size(); ++i) frame.locals[s.targets[i]] = outputs[i];
  return Flow::next;
}

template class Interpreter<double>;
template class Interpreter<long double>;

std::vector<double> evaluate(const Expressions& expressions, std::span<const ExprId> roots,
                             const LeafValues<double>& leaves) {
  std::vector<double> values(roots.size());
  Interpreter<double>(expressions).evaluate(roots, leaves, values);
  return values;
}

}  // namespace bolza::ir
