// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/tables/table_internal.h"
#include "compiler/instance/lookup.h"
#include "compiler/instance/overloads.h"

namespace bolza::flatten {

/// Expressions in which an iterator is a subscript: what it runs over where no range is given.
using Subscripted = std::vector<const ast::Expr*>;

struct Ways;

/// Turns syntax into nodes: names, types and sizes are settled once, whatever the number of instances.
/// Expressions, functions and statements are translated by turns, through this class: members for calls, their arguments and
/// tables are defined in `functions`, those for values at compile time in `calls`.
class Typer {
 public:
  Typer(Model& model, Work& work, Scope scope, Frame* frame = nullptr)
      : model(model),
        work(work),
        scope(scope),
        frame(frame) {}

  Typed expression(const ast::Expr& expr);
  /// Each of them; after a mistake the others are translated too, so that their mistakes are reported at once.
  Outcome<std::vector<const Node*>> expressions(std::span<const ast::Expr* const> exprs);
  Outcome<std::pair<const Node*, const Node*>> both(const ast::Expr& a, const ast::Expr& b);
  /// A call that stands as an equation or statement. Of a function without outputs: whether its assertions hold.
  Typed statement(const ast::Expr& call);
  /// With a scalar of the given kind as result.
  Typed scalar_real(const ast::Expr& expr);
  Typed boolean_condition(const ast::Expr& expr);

  /// A range or vector that an iterator runs over; null ranges are deduced from the subscripts in `body` by the caller.
  Typed range_of(const ast::Iterator& iterator, const Subscripted& body);
  /// The values that a range has for every instance, n·m entries.
  Outcome<std::vector<double>> range_values(const Node& range);
  /// What is known of the axes of all arrays around an instance; those that the space does not have are left out.
  std::vector<const Known*> known_axes(const Instance* around) const;
  /// An integer known now and equal for all instances.
  Outcome<std::int64_t> known_integer(const Typed& node);
  /// The texts of a String, one for each element; none, without message, where they are not known at compile time.
  Outcome<std::optional<Texts>> texts_of(const Node& value);
  Outcome<std::optional<Texts>> texts_of_part(const Node& value);
  Outcome<std::optional<std::vector<std::int64_t>>> known_indices(const Node& place, std::int64_t element);
  /// The object that an argument is, made once; where the elements of an array have different objects the space is split.
  Outcome<Object> object_of(const Node& value);
  /// The value where it is known now; nothing where the model has to run for it.
  Outcome<std::optional<Known>> known(const Node& node);
  /// Whether a condition holds, where constants and what shapes the model settle that for all instances: then the branches
  /// that are not taken need not make sense.
  Outcome<std::optional<bool>> settled(const Node& condition);
  /// The value, which has to be known now.
  Outcome<Known> value_now(const Node& node);
  /// The same of a scalar that is equal for all instances; where it is not the space is split.
  Outcome<double> number_now(const Node& node);

  /// A component with all its dimensions; `subscripts` per part.
  Typed place(const instance::Resolved& resolved, Span span);
  /// The same path through the elements of the nonuniform arrays on it that the subscripts choose.
  Outcome<Ways> ways(const instance::Resolved& resolved, Span span);
  /// The same where they choose one; where they choose more that is reported.
  Outcome<instance::Resolved> one_way(const instance::Resolved& resolved, Span span);
  /// A place of a variable that varies at the final time; others as they are.
  const Node* final_value(const Node* of, Span span);
  /// The whole of an instance below (or equal to) the scope's instance: its array ancestors at their axes.
  const Node* own_component(const Instance& instance, Span span);
  const std::string* known_text(const Instance& instance) const;
  Typed member(const Node* record, std::string_view name, Span span);
  std::vector<std::int64_t> dimensions_of(const Instance& instance);  ///< with those of its array ancestors
  Typed constant_value(const Instance& instance, const instance::Value& value, Span span);

  // operators; element-wise where `elementwise`
  Typed add(ir::Op op, const Node* a, const Node* b, bool elementwise, Span span);
  Typed multiply(const Node* a, const Node* b, bool elementwise, Span span);
  Typed divide(const Node* a, const Node* b, bool elementwise, Span span);
  Typed power(const Node* a, const Node* b, bool elementwise, Span span);
  const Node* negate(const Node* a, Span span);
  /// The node in noEvent, if it would make events.
  Typed without_events(const Node* node, Span span);
  bool is_operator_record(const Node& node) const;
  /// What an operator ("'+'") of an operator record gives; nothing where no operand is of one.
  std::optional<Typed> overloaded(std::string_view name, const std::vector<const Node*>& operands, bool elementwise,
                                  Span span);
  Typed matrix_product(const Node* a, const Node* b, Span span);
  Typed derivative(const Node* of, Span span);
  std::optional<Typed> derivative_of_operator(const Node* of, Span span);
  /// A size as a number, or what gives it at run time.
  const Node* size_node(std::int64_t size, Span span);
  /// Reports what needs the size of an array that only the run tells.
  Outcome<Done> sized_now(const Node& array);
  /// Reports arrays that are too large to be meant.
  Outcome<Done> check_sizes(const std::vector<std::int64_t>& dims, Span span);
  Typed repeated(const Node* scalar, std::vector<std::int64_t> dims) { return fill(scalar, std::move(dims), scalar->span); }
  /// A call of a function whose inputs are given, in their order.
  Typed applied(const Instance& function, const std::vector<const Node*>& inputs, Span span);
  /// Whether a condition rests on parameters that shape the model: constants and parameters but no Reals, values known, none
  /// free.
  static bool is_structural(const Node& condition);
  /// All outputs of a call, given the first.
  std::vector<const Node*> outputs_of(const Node* call);
  const Node* clocked(ClockOperator op, const Node* operand, Basic basic, Span span);
  Typed if_expression(const Node* condition, const Node* yes, const Node* no, Span span);
  Reported wrong(const Code& code, Span span, Diagnostics::Arguments arguments = {}) {
    return model.diagnostics.error(code, span, arguments);
  }
  /// After the failure of a step that gave the message itself.
  Reported reported() const { return model.diagnostics.already_reported(); }
  Nodes& nodes() { return model.nodes; }

  Model& model;
  Work& work;
  Scope scope;
  Frame* frame;
  std::vector<std::pair<std::string_view, const Node*>> iterators;
  std::vector<std::int64_t> ends;  ///< what `end` means, innermost last
  bool in_statements = false;      ///< `and`, `or` must not evaluate what does not matter
  bool names_target = false;       ///< what is translated gets a value: it is no number, whatever it is now
  bool in_when = false;            ///< `pre` takes continuous variables too
  bool in_initial = false;         ///< in an initial equation or algorithm: calls are made when the model starts
  const Node* due = nullptr;       ///< in a when-equation: what holds where its branch is due
  bool final_values = false;       ///< names of variables mean their values at the final time
  bool in_objective = false;       ///< `sumsq(…)` means something
  bool over_time = false;          ///< `integral(…)`, `maxOverTime(…)` and `minOverTime(…)` mean something
  /// Arguments of the call whose default arguments are being translated.
  const std::map<const Instance*, const Node*>* inputs = nullptr;

 private:
  /// What an iterator without range runs over, everywhere of one size.
  struct ImpliedRange {
    const instance::Dimension* over = nullptr;
    std::int64_t size = 0;
  };
  Outcome<ImpliedRange> implied_range(const ast::Iterator& iterator, const Subscripted& body);
  const Node* literal(const ast::Expr& expr);
  Typed name(const ast::Reference& reference, Span span);
  Outcome<Done> use_of_conditional(const Instance& component, Span span);
  Typed extremum(const ast::Expr& expr, ir::Op op);
  Typed integral(const ast::Expr& expr);
  // of fields, in `fields`
  Typed integral_over_domain(const ast::Expr& expr);
  Typed outside_of_domains(const ast::Expr& expr);
  Typed unary(const ast::Expr& expr);
  Typed joined_texts(const ast::Expr& expr, const std::vector<const Node*>& parts);
  Typed additive(const ast::Expr& expr);
  Typed sum_of_terms(const ast::Expr& expr, const std::vector<const Node*>& terms, std::size_t first, std::size_t last,
                     bool flipped);
  Typed multiplicative(const ast::Expr& expr);
  const Node* combined(ir::Op op, const Node* a, const Node* b, Span span);
  Typed logical(const ast::Expr& expr, ir::Op op);
  Typed relation(const ast::Expr& expr);
  Typed string_relation(const ast::Expr& expr, const Node& a, const Node& b);
  std::optional<std::int64_t> count_along(const Node& start, const Node& step, const Node& stop) const;
  Typed counted_from(const Node& start, const Node& step, std::int64_t n, Span span);
  std::optional<std::int64_t> count_at_run_time(const Node& start, const Node& step, const Node& stop);
  Typed range(const ast::Expr& expr);
  Typed if_chain(const ast::Expr& expr);
  std::optional<Typed> branch_taken(const std::vector<std::pair<const Node*, const ast::Expr*>>& open,
                                    const ast::Expr& last);
  Typed array(const ast::Expr& expr);
  Typed matrix(const ast::Expr& expr);
  Typed comprehension(const ast::Expr& body, ast::List<ast::Iterator> iterators, Span span);
  Typed subscripted(const Node* base, ast::List<ast::Subscript> subscripts, Span span);
  /// @param out  null for `:`
  Outcome<Done> subscript_nodes(const std::vector<std::int64_t>& dims, ast::List<ast::Subscript> subscripts, Span span,
                                std::vector<const Node*>& out);
  Outcome<Done> check_subscript(const instance::Dimension& dimension, const Node* subscript);
  Typed place_through(const instance::Resolved& resolved, std::size_t k, Span span);
  /// Indices along one dimension that a subscript chooses; null: all.
  Outcome<std::vector<std::int64_t>> chosen_along(const Node* subscript, std::int64_t size, std::size_t d, Span span);
  /// The whole of the first component of a path, and the subscripts of all of them.
  Typed variable_place(const instance::Resolved& resolved, Span span, std::vector<const Node*>& subscripts);

  // events and the past
  /// Nothing when the name is none of these operators.
  std::optional<Typed> event_operator(std::string_view name, const ast::Expr& expr);
  Typed before_event(std::string_view name, const Node* variable, Span span);
  Typed sample(const ast::Expr& expr);
  /// The arguments of what cannot be in a function.
  Outcome<Done> arguments_in_model(const ast::Expr& expr, std::size_t least, std::size_t most,
                                   std::vector<const Node*>& out);
  Typed delay(const ast::Expr& expr);
  /// The value at 0 of what is transported.
  Typed spatial_distribution(const ast::Expr& expr);
  Outcome<Done> check_profile(const Node& transported);
  /// The value at 1, given that at 0.
  const Node* right_end(const Node& left);

  // clocks
  /// Nothing when the name is none of these operators.
  std::optional<Typed> clock_operator(std::string_view name, const ast::Expr& expr);
  /// Arguments by position or by name, in the order of the names; null where one is not given. Not in functions.
  Outcome<std::vector<const Node*>> named_arguments(const ast::Expr& expr, std::span<const std::string_view> names);
  Typed clock_constructor(const ast::Expr& expr);
  Typed solver_clock(const Node* clock, const Node* method, Span span);
  Typed event_clock(const Node* condition, const Node* start, Span span);
  Typed interval_clock(const Node* interval, const Node* resolution, Span span);
  Typed converted_clock(std::string_view name, const ast::Expr& expr);
  /// The operator on every field of a record.
  Typed clocked_operand(Node made, const Node* operand);
  Outcome<std::int64_t> clock_factor(const Node* factor, std::int64_t absent, std::int64_t least);

  // calls
  Typed call(const ast::Expr& expr);
  Typed builtin(std::string_view name, const ast::Expr& expr);
  Outcome<Done> check_literals(ir::Op op, const std::vector<const Node*>& x, const ast::Expr& expr);
  Typed homotopy(const ast::Expr& expr);

  // overconstrained connections
  /// Nothing when the name is none of these operators.
  std::optional<Typed> graph_operator(std::string_view name, const ast::Expr& expr);

  // streams
  /// Nothing when the name is neither inStream nor actualStream.
  std::optional<Typed> stream_operator(std::string_view name, const ast::Expr& expr);
  Typed actual_stream(const Node* own, const Node* in, const Node* flow, const Instance& variable, Span span);
  const Node* beside_flow(const Node* x, const Node* factor) const;
  Typed cardinality_of(const ast::Expr& argument, Span span);
  /// Nothing when the name is none of these functions.
  std::optional<Typed> array_builtin(std::string_view name, const ast::Expr& expr);
  Typed reduction(std::string_view name, const ast::Expr& expr);
  Typed fold(std::string_view name, const Node* operand, Span span);
  /// The elements of `body` for all values of the iterators: dimensions outermost first, the last iterator in front.
  struct Iterated {
    const Node* body = nullptr;
    std::vector<AxisId> axes;
    std::vector<const Node*> ranges;
    std::vector<std::int64_t> sizes;
    std::vector<const Node*> unrolled;  ///< instead of `body`, when sizes in the body differ
  };
  Outcome<Iterated> iterate(const ast::Expr& body, ast::List<ast::Iterator> iterators);
  Outcome<Done> unroll(const ast::Expr& body, Iterated& into, ast::List<ast::Iterator> iterators);
  Typed text_now(const ast::Expr& expr);
  Typed timed(const instance::Resolved& resolved, const ast::Expr& expr);
  Typed record_constructor(const instance::Resolved& resolved, const ast::Expr& expr);
  Typed function_call(const instance::Resolved& resolved, const ast::Expr& expr);
  /// The call of a function some of whose inputs are given already.
  Typed call_with(const Instance& function, const ast::Expr& expr, std::map<const Instance*, const Node*> bound);
  /// The same with nodes as its first arguments.
  Typed call_of(const Instance& function, const std::vector<const Node*>& arguments, Span span);
  // operators of operator records
  std::optional<Typed> fitting_call(std::string_view name, std::vector<const Node*> operands,
                                    const std::vector<instance::OperandType>& types, Span span);
  Typed overloaded_product(const Node* a, const Node* b, Span span);
  Typed folded_record(std::string_view name, const std::vector<const Node*>& terms, const Node& record, Span span);
  /// The constructor that a call means; null: the record's own.
  Outcome<const Instance*> constructor_for(const Instance& record, const ast::Expr& expr);
  Typed function_argument(const ast::Expr& expr);
  const Node* captured_function(const Instance& input, Span span);
  Outcome<Done> give(Node& function, const ast::Arguments& arguments);
  /// A call that can only be computed at compile time; nothing, without a message, when it cannot be computed then.
  std::optional<Typed> computed_call(const Instance& function, const ast::Expr& expr, Diagnostics& quiet);
  bool as_statement_ = false;  ///< the next call stands as a statement: its function needs no outputs
  Outcome<Done> fixed_arguments(const Call& call, CallShape& shape);
  Outcome<double> known_argument(const std::map<const Instance*, const Node*>& bound, const Instance& input, Span span);
  Outcome<Done> fixed_argument(const Instance& input, const Node& value, CallShape& shape);
  void warn_of_quotients(const Frame& special, const Call& call, Span span);
  void name_event(const Frame& special, Call& call, Span span);
  /// Calls of the functions of library tables; nothing when it is none of them.
  std::optional<Typed> table_call(const Instance& function, const std::map<const Instance*, const Node*>& bound, Span span);
  Outcome<const TableData*> table_of(const Node& object, Span span);
  Typed table_2d_call(const Instance& function, const TableData& table, const std::vector<const Instance*>& inputs,
                      const std::map<const Instance*, const Node*>& bound, std::size_t order,
                      const std::string& kinked_table, Span span);
  Outcome<Done> add_start(const TableData& table, const Node& object, const Instance& time,
                          std::vector<Call::Argument>& given);
  /// The Program that `write` makes for a table, made once for every key.
  ir::ProgramId table_program(const TableData& table, const std::string& key, const std::function<ir::ProgramId()>& write);
  Typed call_of(const Instance& function, ir::ProgramId program, const std::vector<Call::Argument>& given, Span span);
  Outcome<Done> bind_arguments(const Instance& function, const ast::Expr& expr,
                               std::map<const Instance*, const Node*>& bound);
  Outcome<Done> arguments(const ast::Expr& expr, std::size_t least, std::size_t most, std::vector<const Node*>& out);
  /// body over new axes 1 … sizes; `make` gets one axis node per size.
  Typed generate(const std::vector<std::int64_t>& sizes, Span span,
                 const std::function<const Node*(const std::vector<const Node*>&)>& make);
  Typed concatenate(std::int64_t dimension, const std::vector<const Node*>& parts, Span span);
  Typed promote(const Node* node, std::size_t rank, Span span);
  Typed reshape(const Node* node, std::vector<std::int64_t> dims, Span span);
  Typed fill(const Node* value, std::vector<std::int64_t> dims, Span span);
  const Node* sum_of(const Node* array, ir::Op op, Span span);
  Outcome<Done> check_same_dims(const Node* a, const Node* b, const char* what, Span span);
};

}  // namespace bolza::flatten
