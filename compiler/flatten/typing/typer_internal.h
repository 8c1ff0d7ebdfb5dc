#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/tables/table_internal.h"
#include "compiler/instance/lookup.h"

namespace bolza::flatten {

/// Expressions in which an iterator is a subscript: what it runs over where no range is given.
using Subscripted = std::vector<const ast::Expr*>;

/// Turns syntax into nodes: names, types and sizes are settled once, whatever the number of instances.
/// What gives a node gives null when it failed; `failure` says why.
/// Expressions, functions and statements are translated by turns, through this class: members for calls, their arguments and
/// tables are defined in `functions`, those for values at compile time in `calls`.
class Typer {
 public:
  Typer(Model& model, Work& work, Scope scope, Frame* frame = nullptr)
      : model(model),
        work(work),
        scope(scope),
        frame(frame) {}

  const Node* expression(const ast::Expr& expr);
  /// A call that stands as an equation or statement. Of a function without outputs: whether its assertions hold.
  const Node* statement(const ast::Expr& call);
  /// With a scalar of the given kind as result.
  const Node* scalar_real(const ast::Expr& expr);
  const Node* boolean_condition(const ast::Expr& expr);

  /// A range or vector that an iterator runs over; null ranges are deduced from the subscripts in `body` by the caller.
  const Node* range_of(const ast::Iterator& iterator, const Subscripted& body);
  /// The values that a range has for every instance, n·m entries.
  Outcome<std::vector<double>> range_values(const Node& range);
  /// What is known of the axes of all arrays around an instance; those that the space does not have are left out.
  std::vector<const Known*> known_axes(const Instance* around) const;
  /// An integer known now and equal for all instances; null is a failure of what should have given the node.
  Outcome<std::int64_t> known_integer(const Node* node);
  /// The texts of a String, one for each element; none, without message, where they are not known at compile time.
  std::optional<Texts> texts_of(const Node& value);
  std::optional<Texts> texts_of_part(const Node& value);
  std::optional<std::vector<std::int64_t>> known_indices(const Node& place, std::int64_t element);
  /// The object that an argument is, made once; where the elements of an array have different objects the space is split.
  std::optional<Object> object_of(const Node& value);
  /// The value where it is known now; nothing where the model has to run for it.
  std::optional<Known> known(const Node& node);
  /// The value, which has to be known now.
  Outcome<Known> value_now(const Node& node);
  /// The same of a scalar that is equal for all instances; where it is not the space is split.
  Outcome<double> number_now(const Node& node);

  /// A component with all its dimensions; `subscripts` per part.
  const Node* place(const instance::Resolved& resolved, Span span);
  /// The same path through one element of each nonuniform array on it; none when it was reported, the space has to be
  /// split, or subscripts choose more than one.
  std::optional<instance::Resolved> one_way(const instance::Resolved& resolved, Span span);
  /// A place of a variable that varies at the final time; others as they are.
  const Node* final_value(const Node* of, Span span);
  /// The whole of an instance below (or equal to) the scope's instance: its array ancestors at their axes.
  const Node* own_component(const Instance& instance, Span span);
  const Node* member(const Node* record, std::string_view name, Span span);
  std::vector<std::int64_t> dimensions_of(const Instance& instance);  ///< with those of its array ancestors
  const Node* constant_value(const Instance& instance, const instance::Value& value, Span span);

  // operators; element-wise where `elementwise`
  const Node* add(ir::Op op, const Node* a, const Node* b, bool elementwise, Span span);
  const Node* multiply(const Node* a, const Node* b, bool elementwise, Span span);
  const Node* divide(const Node* a, const Node* b, bool elementwise, Span span);
  const Node* power(const Node* a, const Node* b, bool elementwise, Span span);
  const Node* negate(const Node* a, Span span);
  /// The node in noEvent, if it would make events.
  const Node* without_events(const Node* node, Span span);
  const Node* matrix_product(const Node* a, const Node* b, Span span);
  const Node* derivative(const Node* of, Span span);
  /// Reports arrays that are too large to be meant; true when the sizes are good.
  bool sizes_are_good(const std::vector<std::int64_t>& dims, Span span);
  const Node* repeated(const Node* scalar, std::vector<std::int64_t> dims) {
    return fill(scalar, std::move(dims), scalar->span);
  }
  /// Whether a condition rests on parameters that shape the model: constants and parameters but no Reals, values known, none
  /// free.
  static bool is_structural(const Node& condition);
  /// All outputs of a call, given the first.
  std::vector<const Node*> outputs_of(const Node* call);
  const Node* if_expression(const Node* condition, const Node* yes, const Node* no, Span span);
  /// Why the function that gave null just now failed.
  Failure failure() const;
  /// Reports and gives null.
  const Node* wrong(const Code& code, Span span, Diagnostics::Arguments arguments = {});
  Nodes& nodes() { return model.nodes; }

  Model& model;
  Work& work;
  Scope scope;
  Frame* frame;
  std::vector<std::pair<std::string_view, const Node*>> iterators;
  std::vector<std::int64_t> ends;  ///< what `end` means, innermost last
  bool in_statements = false;      ///< `and`, `or` must not evaluate what does not matter
  bool in_when = false;            ///< `pre` takes continuous variables too
  bool in_initial = false;         ///< in an initial equation or algorithm: calls are made when the model starts
  const Node* due = nullptr;       ///< in a when-equation: what holds where its branch is due
  bool final_values = false;       ///< names of variables mean their values at the final time
  bool in_objective = false;       ///< `integral(…)` and `sumsq(…)` mean something
  /// Arguments of the call whose default arguments are being translated.
  const std::map<const Instance*, const Node*>* inputs = nullptr;

 private:
  const instance::Dimension* implied_range(const ast::Iterator& iterator, const Subscripted& body, std::int64_t& size);
  const Node* literal(const ast::Expr& expr);
  const Node* name(const ast::Reference& reference, Span span);
  const Node* unary(const ast::Expr& expr);
  const Node* additive(const ast::Expr& expr);
  bool all_operands(const ast::Expr& expr, std::vector<const Node*>& out);
  const Node* sum_of_terms(const ast::Expr& expr, const std::vector<const Node*>& terms, std::size_t first, std::size_t last,
                           bool flipped);
  const Node* multiplicative(const ast::Expr& expr);
  const Node* combined(ir::Op op, const Node* a, const Node* b, Span span);
  const Node* logical(const ast::Expr& expr, ir::Op op);
  const Node* relation(const ast::Expr& expr);
  const Node* string_relation(const ast::Expr& expr);
  std::optional<std::int64_t> count_along(const Node& start, const Node& step, const Node& stop) const;
  const Node* counted_from(const Node& start, const Node& step, std::int64_t n, Span span);
  const Node* range(const ast::Expr& expr);
  const Node* if_chain(const ast::Expr& expr);
  const Node* array(const ast::Expr& expr);
  const Node* matrix(const ast::Expr& expr);
  const Node* comprehension(const ast::Expr& body, ast::List<ast::Iterator> iterators, Span span);
  const Node* subscripted(const Node* base, ast::List<ast::Subscript> subscripts, Span span);
  bool subscript_nodes(const std::vector<std::int64_t>& dims, ast::List<ast::Subscript> subscripts, Span span,
                       std::vector<const Node*>& out);
  bool subscript_fits(const instance::Dimension& dimension, const Node* subscript);
  const Node* place_through(const instance::Resolved& resolved, std::size_t k, Span span);
  /// Indices along one dimension that a subscript chooses; null: all.
  std::optional<std::vector<std::int64_t>> chosen_along(const Node* subscript, std::int64_t size, std::size_t d, Span span);
  bool variable_place(const instance::Resolved& resolved, Span span, const Node*& base,
                      std::vector<const Node*>& subscripts);

  // events and the past
  const Node* event_operator(std::string_view name, const ast::Expr& expr, bool& known_name);
  const Node* before_event(std::string_view name, const Node* variable, Span span);
  const Node* sample(const ast::Expr& expr);
  bool in_model(Span span);  ///< reports what cannot be in a function
  const Node* delay(const ast::Expr& expr);

  // calls
  const Node* call(const ast::Expr& expr);
  const Node* builtin(std::string_view name, const ast::Expr& expr);
  bool defined_for_literals(ir::Op op, const std::vector<const Node*>& x, const ast::Expr& expr);
  const Node* homotopy(const ast::Expr& expr);
  const Node* array_builtin(std::string_view name, const ast::Expr& expr, bool& known_name);
  const Node* reduction(std::string_view name, const ast::Expr& expr);
  const Node* fold(std::string_view name, const Node* operand, Span span);
  /// The elements of `body` for all values of the iterators: dimensions outermost first, the last iterator in front.
  struct Iterated {
    const Node* body = nullptr;
    std::vector<AxisId> axes;
    std::vector<const Node*> ranges;
    std::vector<std::int64_t> sizes;
    std::vector<const Node*> unrolled;  ///< instead of `body`, when sizes in the body differ
  };
  std::optional<Iterated> iterate(const ast::Expr& body, ast::List<ast::Iterator> iterators);
  bool unroll(const ast::Expr& body, Iterated& into, ast::List<ast::Iterator> iterators);
  const Node* text_now(const ast::Expr& expr);
  const Node* timed(const instance::Resolved& resolved, const ast::Expr& expr);
  const Node* record_constructor(const instance::Resolved& resolved, const ast::Expr& expr);
  const Node* function_call(const instance::Resolved& resolved, const ast::Expr& expr);
  /// The call of a function some of whose inputs are given already.
  const Node* call_with(const Instance& function, const ast::Expr& expr, std::map<const Instance*, const Node*> bound);
  const Node* function_argument(const ast::Expr& expr);
  const Node* captured_function(const Instance& input, Span span);
  bool give(Node& function, const ast::Arguments& arguments);
  const Node* computed_call(const Instance& function, const ast::Expr& expr);
  bool as_statement_ = false;  ///< the next call stands as a statement: its function needs no outputs
  bool fixed_arguments(const Call& call, CallShape& shape);
  std::optional<double> known_argument(const std::map<const Instance*, const Node*>& bound, const Instance& input,
                                       Span span);
  bool fixed_argument(const Instance& input, const Node& value, CallShape& shape);
  void warn_of_quotients(const Frame& special, const Call& call, Span span);
  void name_event(const Frame& special, Call& call, Span span);
  /// Calls of the functions of library tables; nothing when it is none of them.
  std::optional<const Node*> table_call(const Instance& function, const std::map<const Instance*, const Node*>& bound,
                                        Span span);
  const TableData* table_of(const Node& object, Span span);
  const Node* table_2d_call(const Instance& function, const TableData& table, const std::vector<const Instance*>& inputs,
                            const std::map<const Instance*, const Node*>& bound, std::size_t order, Span span);
  /// The Program that `write` makes for a table, made once for every key.
  ir::ProgramId table_program(const TableData& table, const std::string& key, const std::function<ir::ProgramId()>& write);
  const Node* call_of(const Instance& function, ir::ProgramId program, const std::vector<Call::Argument>& given, Span span);
  bool bind_arguments(const Instance& function, const ast::Expr& expr, std::map<const Instance*, const Node*>& bound);
  bool arguments(const ast::Expr& expr, std::size_t least, std::size_t most, std::vector<const Node*>& out);
  /// body over new axes 1 … sizes; `make` gets one axis node per size.
  const Node* generate(const std::vector<std::int64_t>& sizes, Span span,
                       const std::function<const Node*(const std::vector<const Node*>&)>& make);
  const Node* concatenate(std::int64_t dimension, const std::vector<const Node*>& parts, Span span);
  const Node* promote(const Node* node, std::size_t rank, Span span);
  const Node* reshape(const Node* node, std::vector<std::int64_t> dims, Span span);
  const Node* fill(const Node* value, std::vector<std::int64_t> dims, Span span);
  const Node* sum_of(const Node* array, ir::Op op, Span span);
  bool same_dims(const Node* a, const Node* b, const char* what, Span span);
};

}  // namespace bolza::flatten
