// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>

#include "compiler/instance/evaluate.h"
#include "compiler/instance/lookup.h"

namespace bolza::instance {

class Evaluator;

inline bool is_numeric(const Value& v) { return v.kind == ValueKind::real || v.kind == ValueKind::integer; }

/// The local variables of a function call that is being run.
struct Frame {
  /// An argument of which only what is asked for is computed.
  struct Argument {
    const ast::Expr* expr = nullptr;
    Evaluator* caller = nullptr;
  };
  const Instance* function = nullptr;
  std::unordered_map<const Instance*, Value> locals;
  Frame* around = nullptr;       ///< of the fields of a record: those of the function, or of the record around it
  std::vector<std::int64_t> at;  ///< of the fields of an array of records: which element it is
  std::unordered_map<const ast::Expr*, Value> modifications;  ///< of elements of arrays of records, all of them
  std::unordered_map<const Instance*, Argument> arguments;    ///< of an input that is not among the locals
};

/// Bounds what one evaluation may cost.
struct EvaluationBudget {
  std::size_t steps = 0;
  std::size_t depth = 0;
  bool may_act = false;   ///< the model runs: functions may print and write files
  std::string objection;  ///< the message of the assertion that failed then
  /// A call while the model runs may take long, one while it is compiled may not.
  std::size_t most_steps() const { return may_act ? 200'000'000 : 2'000'000; }
  const char* most_steps_text() const { return may_act ? "200 million steps" : "2 million steps"; }
  static constexpr std::size_t deep = 200;  ///< from here on, what constants need is evaluated without nesting
#ifdef BOLZA_SANITIZES_ADDRESS
  static constexpr std::size_t most_depth = 600;  ///< frames are several times as large
#else
  static constexpr std::size_t most_depth = 1'200;  ///< nested expressions, calls included
#endif
};

/// Where a name leads that goes through nonuniform arrays.
struct Led {
  std::vector<Resolved> ways;            ///< through one element each, row by row
  std::vector<std::int64_t> dimensions;  ///< of the ways
};

enum class Flow : std::uint8_t { next, break_, return_ };

/// One walk over expressions in one scope.
class Evaluator {
 public:
  Evaluator(InstanceTree& tree, const Scope& scope, Diagnostics& d, EvaluationBudget& budget)
      : tree_(tree),
        scope_(scope),
        d_(d),
        budget_(budget) {}

  Result<Value> value(const ast::Expr& expr);
  /// Indices of the scope's instance; a 0 says "the same for all".
  std::vector<std::int64_t> indices;
  std::vector<IteratorValue> iterators;
  Frame* frame = nullptr;

  /// The value of a component for given indices of its array ancestors; stays in the tree's store.
  Result<const Value*> component(const Instance& component, std::span<const std::int64_t> at, Span used_at);
  /// @param closure  a function with some of its inputs; null: none are given yet
  Result<std::vector<Value>> call_function(const Instance& function, const ast::Arguments* arguments, Span span,
                                           const Value* closure = nullptr);
  /// The same with values of inputs; those that have none are as they are declared.
  Result<std::vector<Value>> run_with(const Instance& function, std::vector<std::pair<const Instance*, Value>> inputs,
                                      Span span);
  Result<std::vector<Value>> external_result(const Instance& function, Span span);
  /// The object that a call of an external object's constructor makes.
  Result<void*> constructed(const Instance& constructor, const ast::Expr& call, Span span);
  Result<std::vector<Selector>> selectors(ast::List<ast::Subscript> subscripts, std::span<const std::int64_t> dimensions,
                                          std::string_view name);
  Result<Value> scalar(const ast::Expr& expr, ValueKind kind, std::string_view what);
  /// A local variable of the frame. Stays where it is until the variable is assigned.
  Result<const Value*> local(const Instance& variable, Span span);
  /// Gives a local variable what it begins with, if that has a value.
  Result<Done> begin(const Instance& variable, Span span);
  /// Own sizes of a local variable, or of a field of one; -1 where its value says them.
  Result<std::vector<std::int64_t>> declared_sizes(const Instance& variable);
  const Scope& scope() const { return scope_; }
  /// Where a name leads that may go through nonuniform arrays.
  Result<Led> elements_in(const Resolved& resolved);
  /// The values of all its ways as one array.
  Result<Value> gathered(const Led& led, Span span);

 private:
  friend class FunctionRun;
  friend bool fields_agree(InstanceTree& tree, const Instance& root, Diagnostics& d);
  /// An argument of a call.
  struct Given {
    const Instance* input = nullptr;
    Value value;
    Span span;
  };
  struct ExternalCall;
  Result<ExternalCall> prepared_call(const Instance& function, Span span);
  Result<std::vector<Value>> shared_library_result(const Instance& function, Span span);
  Result<Value> dispatch(const ast::Expr& expr);
  Result<Value> name(const ast::Expr& expr);
  Result<Value> path(const Resolved& resolved, Span span);
  Result<Value> rest_of(const Value& from, ast::List<ast::NamePart> parts, const ast::NamePart& first);
  /// What a local variable begins with.
  Result<Value> first_value(const Instance& variable, Span span);
  Result<Value> first_record(const Instance& variable, const std::vector<std::int64_t>& sizes, Span span);
  Result<Value> declared_value(const Instance& variable);
  /// Those of this frame and of those around it that belongs to the scope.
  Frame* frame_of(const Scope& scope) const;
  bool fits_record(const Value& value, const Instance& target);
  Result<Value> if_expression(const ast::Expr& expr);
  Result<Value> range(const ast::Expr& expr);
  Result<Value> array(std::span<const ast::Expr* const> elements, Span span);
  Result<Value> matrix(const ast::Expr& expr);
  Result<Value> chain(const ast::Expr& expr);
  Result<Value> logical(const ast::Expr& expr);
  Result<Value> comprehension(const ast::Expr& body, ast::List<ast::Iterator> iterators);
  Result<Done> for_each(ast::List<ast::Iterator> iterators, std::size_t at, const ast::Expr& body, std::vector<Value>& out,
                        std::vector<std::int64_t>& sizes);
  Result<Value> iterator_range(const ast::Iterator& iterator, const ast::Expr& body);
  Result<Value> call(const ast::Expr& expr);
  Result<Value> builtin(std::string_view name, const ast::Expr& expr);
  Result<Value> reduction(std::string_view name, const ast::Expr& expr);
  Result<Value> size_call(const ast::Expr& expr);
  Result<std::vector<Value>> positional(const ast::Expr& expr, std::size_t least, std::size_t most);
  Result<Value> string_call(const ast::Expr& expr);
  Result<Value> type_call(Type type, const ast::Expr& expr);
  // operator_values.cpp
  /// What an operator of an operator record gives; nothing where no operand is of one.
  std::optional<Result<Value>> overloaded(std::string_view name, std::vector<Value> operands, bool elementwise, Span span);
  Result<Value> over_elements(std::string_view name, const std::vector<Value>& operands, Span span);
  Result<Value> product_of_arrays(const Value& a, const Value& b, Span span);
  Result<Value> folded(std::string_view name, const Value& all, Span span);
  Result<Value> binary(ast::Operator op, const Value& a, const Value& b, Span span);
  /// The constructor of an operator record that a call means; null: the record's own.
  Result<const Instance*> constructor_for(const Instance& record, const ast::Arguments& arguments, Span span);
  Result<Value> enumeration_call(const Definition& enumeration, const ast::Expr& expr);
  Result<Value> record_call(const Instance& record, const ast::Expr& expr);
  Result<std::vector<Given>> arguments_of(const Instance& function, const ast::Arguments* arguments, Span span,
                                          const Value* closure = nullptr);
  /// A function as an argument: a name, or `function f(a = 1)`.
  Result<Value> function_value(const ast::Expr& expr);
  /// The function that a functional input of the function that is run stands for; null when the name is none.
  const Value* functional(const Resolved& resolved) const;
  Result<Done> pass_arguments(Frame& callee, const std::vector<Given>& arguments);
  Result<std::vector<Value>> run_once(const Instance& function, const std::vector<Given>& arguments, Span span);
  Result<Value> given(const ScopedExpr& given, const Instance& target, std::span<const std::int64_t> at, Span used_at);
  Result<Value> predefined_component(const Instance& component, std::span<const std::int64_t> at, Span used_at);
  Result<Value> record_component(const Instance& component, std::span<const std::int64_t> at, Span used_at);
  Result<Value> fitted(Value value, const Instance& target, Span at);
  Result<bool> is_free(const Instance& component);
  // evaluate_ahead.cpp
  /// Components of the same instance that the value of a scalar one is computed from, and that have no value yet.
  std::vector<const Instance*> needed_by(const Instance& component) const;
  /// Gives values to what a component needs, directly and indirectly, the last ones first.
  void evaluate_ahead(const Instance& component);
  void note_differing(const Value& all, std::span<const std::int64_t> which, const ScopedExpr& given);

  // nonuniform_values.cpp
  Result<std::vector<Resolved>> through_elements(const Resolved& resolved, std::size_t k,
                                                 const std::vector<Selector>& chosen);
  using Key = std::pair<const void*, std::vector<std::int64_t>>;
  Result<const Value*> all_elements(const Instance& array, Key key, Span used_at);

  // partial_values.cpp
  using Names = std::span<const std::string_view>;
  /// A part of what an expression gives, computed without the rest where that is possible: n of `f(P(n = 2, a = x))`.
  Result<Value> part(const ast::Expr& expr, Names names);
  Result<Value> part_of_component(const Resolved& resolved, const ast::Expr& expr, Names names);
  Result<Value> part_of_call(const ast::Expr& expr, Names names);
  Result<Value> whole_then_part(const ast::Expr& expr, Names names);
  /// A structural field of a record that was given as a whole.
  std::optional<Value> part_of_given(const ScopedExpr& given, const Instance& target);

  InstanceTree& tree_;
  Scope scope_;
  Diagnostics& d_;
  EvaluationBudget& budget_;
  std::vector<std::int64_t> ends_;  ///< what `end` means, innermost last
};

/// Whether a path goes through a nonuniform array.
bool goes_through_nonuniform(const Resolved& resolved);
/// The path as names, with the names of elements in it.
std::vector<ast::NamePart> parts_of(const Resolved& resolved, Span span);

/// Dimensions of a field of the record that an expression gives (or of one of a record in it, …), with the record's own in
/// front. Neither the record nor the field needs to have a value.
Result<std::vector<std::int64_t>> shape_of_field(InstanceTree& tree, const ast::Expr& expr,
                                                 std::span<const std::string_view> names, const Scope& scope,
                                                 Diagnostics& d);
/// The expression that a call gives for an input, or a field of a record; null when it gives none.
const ast::Expr* argument_for(const Instance& input, const std::vector<const Instance*>& inputs,
                              const ast::Arguments& given);

/// Inputs, outputs in order.
std::vector<const Instance*> inputs_of(const Instance& function);
std::vector<const Instance*> outputs_of(const Instance& function);

// operators on values (arithmetic.cpp)
Result<Value> apply_unary(ast::Operator op, const Value& a, Span at, Diagnostics& d);
Result<Value> apply_binary(ast::Operator op, const Value& a, const Value& b, Span at, Diagnostics& d);
/// A whole-number power of a square matrix and so on; E234 otherwise.
Result<Value> apply_power(ast::Operator op, const Value& a, const Value& b, Span at, Diagnostics& d);
Result<Value> concatenate(std::size_t dimension, std::span<const Value> arrays, Span at, Diagnostics& d);
Value promote(Value value, std::size_t rank);

// strings (string_functions.cpp)

/// `external "builtin"` functions of Modelica.Utilities.Strings; none when there is no such function of such arguments.
std::optional<Result<Value>> apply_string_function(std::string_view name, std::span<const Value> arguments, Span at,
                                                   Diagnostics& d);

// tables (read_table.cpp)
/// The numbers of a CSV file as a matrix: fields separated by commas, semicolons, tabs or blanks; heading lines, empty lines
/// and lines that begin with `#` are left out. Relative names are looked for next to each of the files `beside`. Errors
/// E243, E257.
Result<Value> read_table(const std::string& name, std::span<const std::string_view> beside, const TrustRules& trust, Span at,
                         Diagnostics& d);
/// The same from a text.
Result<Value> table_of_text(std::string_view text, const std::string& name, Span at, Diagnostics& d);

// built-in functions of evaluated arguments (builtin_values.cpp); nothing for a name that is not among them
std::optional<Result<Value>> apply_builtin(std::string_view name, std::span<const Value> arguments, Span at, Diagnostics& d);

}  // namespace bolza::instance
