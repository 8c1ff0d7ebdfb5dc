// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>

#include "base/span.h"

/// The abstract syntax tree of one Modelica file (with Optimica and DOML). Immutable after parsing.
///
/// Invariants
///  * Every node is trivially destructible and lives in the arena of its `StoredFile`; pointers and lists stay valid as long
///  as the file.
///  * Identifiers are views into the text of `Sources`, which outlives every file; quoted identifiers keep their quotes.
///    String values and descriptions are without quotes, escapes resolved, `"a" + "b"` descriptions joined.
///  * `const X*` may be null only where the comment says so. Lists contain no null pointer unless the comment says so.
///  * Nesting of any kind is at most `max_depth`: recursion over the tree is safe. Chains (`a + b + c …`) are one node.
///  * `1:n` in spans is text of the file the node came from; a node made from several places covers them.
namespace bolza::syntax::ast {

inline constexpr int max_depth = 512;

template <class T>
using List = std::span<const T>;

struct Expr;
struct Class;
struct Component;
struct Modification;
struct Element;

// ---------------------------------------------------------------- names

/// One subscript: an expression, or `:` (then `index` is null).
struct Subscript {
  const Expr* index = nullptr;
  Span span;
  bool whole() const { return index == nullptr; }
};

struct NamePart {
  std::string_view identifier;
  Span span;  ///< of the identifier alone
  List<Subscript> subscripts;
};

/// `a[1].b`, `.Modelica.Math.sin`, a type name or a component reference. Type names have no subscripts. At least one part.
struct Reference {
  bool global = false;  ///< leading dot
  List<NamePart> parts;
  Span span;
  bool simple() const { return !global && parts.size() == 1 && parts[0].subscripts.empty(); }
};

// ---------------------------------------------------------------- expressions

enum class Operator : std::uint8_t {
  add,
  subtract,
  elementwise_add,
  elementwise_subtract,  // + - .+ .-   (additive chains; also unary)
  multiply,
  divide,
  elementwise_multiply,
  elementwise_divide,  // * / .* ./   (multiplicative chains)
  power,
  elementwise_power,  // ^ .^
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,  // < <= > >= == <>
  and_,
  or_,
  not_,
};

enum class ExprKind : std::uint8_t {
  integer_literal,  // integer, number, text
  real_literal,     // number, text (an integer literal above 2^63 - 1 is one too, with a warning)
  string_literal,   // text: the value
  boolean_literal,  // boolean
  end,              // `end` inside a subscript
  name,             // reference
  unary,            // op in {add, subtract, elementwise_add, elementwise_subtract, not_}; operands[0]
  power,            // op in {power, elementwise_power}; operands[0..1]
  additive,        // operands[0] operators[0] operands[1] operators[1] … left-associative; n operands, n-1 operators, n >= 2
  multiplicative,  // likewise
  logical_and,     // operands, n >= 2
  logical_or,      // operands, n >= 2
  relation,        // op; operands[0..1]
  range,           // start:stop (two operands) or start:step:stop (three, in the order of the source)
  if_,             // condition, value, condition, value, …, else value: operands, odd number >= 3
  call,  // reference (a timed variable `x(t1)` is one too), arguments; der, initial, pure are references of that name
  partial_function,  // `function f(a = 1)` as an argument: reference, arguments (only named)
  array,             // {a, b, c}: operands, may be empty
  comprehension,     // {e for i in r, j}: operands[0], iterators
  matrix,            // [a, b; c, d]: rows, at least one, none empty
  tuple,        // (a, , b): operands, null for a hole; also `()`; never just one expression (that is the expression itself)
  subscripted,  // (e)[i, j]: operands[0], subscripts
  member,       // (e).a.b: operands[0], reference holds the parts after the dot
};

struct Iterator {
  std::string_view name;
  Span span;                    ///< of the name
  const Expr* range = nullptr;  ///< null: implied by the subscripts where the name is used
};

struct NamedArgument {
  std::string_view name;
  Span name_span;
  const Expr* value = nullptr;
};

/// `f(a, b, c = 1)`, or `sum(e for i in r)`: then `iterators` is not empty and `positional` has the one expression e.
struct Arguments {
  List<const Expr*> positional;
  List<NamedArgument> named;
  List<Iterator> iterators;
  Span span;  ///< with the parentheses
};

struct Expr {
  ExprKind kind = ExprKind::integer_literal;
  Operator op = Operator::add;
  bool boolean = false;
  bool parenthesised = false;  ///< written in parentheses; matters to printers and lints only
  Span span;                   ///< without such parentheses
  std::int64_t integer = 0;
  double number = 0.0;
  std::string_view text;
  List<const Expr*> operands;
  List<Operator> operators;
  List<List<const Expr*>> rows;
  List<Iterator> iterators;
  List<Subscript> subscripts;
  const Reference* reference = nullptr;
  const Arguments* arguments = nullptr;
};

/// What a constraint without a relation says of a control with few values.
enum class SwitchingCall : std::uint8_t { none, allowed_values, min_dwell_time, max_switches };
inline SwitchingCall switching_call(const Expr& expr) {
  if (expr.kind != ExprKind::call || expr.reference == nullptr || !expr.reference->simple()) return SwitchingCall::none;
  std::string_view name = expr.reference->parts[0].identifier;
  return name == "allowedValues"  ? SwitchingCall::allowed_values
         : name == "minDwellTime" ? SwitchingCall::min_dwell_time
         : name == "maxSwitches"  ? SwitchingCall::max_switches
                                  : SwitchingCall::none;
}

// ---------------------------------------------------------------- modifications

/// Common tail of most things: `"description" annotation(…)`.
struct Comment {
  std::string_view description;              ///< empty when there is none
  const Modification* annotation = nullptr;  ///< null when there is none
};

enum class ArgumentKind : std::uint8_t {
  modification,     // [each] [final] a.b.c(…) = e "d"
  redeclaration,    // redeclare [each] [final] …: element
  replaceable,      // [each] [final] replaceable …: element
  break_component,  // `break c` in an extends clause: reference
  break_connect,    // `break connect(a, b)` in an extends clause: first, second
};

/// One argument of a modification `( … , … )`.
struct Argument {
  ArgumentKind kind = ArgumentKind::modification;
  bool each = false;
  bool final_ = false;
  Span span;
  const Reference* name = nullptr;  ///< modification, break_component: what is modified, may be qualified; else null
  const Modification* modification = nullptr;  ///< null: only the name was written, as in annotations and `final x`
  std::string_view description;
  const Element* element = nullptr;  ///< redeclaration, replaceable: a class definition or one component; else null
  const Expr* first = nullptr;       ///< break_connect; else null
  const Expr* second = nullptr;
};

/// `(arguments) = value`; each part optional.
struct Modification {
  List<const Argument*> arguments;
  const Expr* value = nullptr;  ///< null when there is none
  bool breaks = false;          ///< `= break`: removes a value
  bool assigned = false;        ///< `:= value` (old form)
  Span span;
};

// ---------------------------------------------------------------- elements

enum class Variability : std::uint8_t { none, discrete, parameter, constant };
enum class Causality : std::uint8_t { none, input, output };
enum class Connection : std::uint8_t { none, flow, stream };

/// What stands before a class definition or a component clause.
struct Prefixes {
  bool protected_ = false;  ///< declared in a `protected` section
  bool redeclare = false;
  bool final_ = false;
  bool inner = false;
  bool outer = false;
  bool replaceable = false;
  bool each = false;  ///< inside a modification
};

struct ConstrainedBy {
  const Reference* type = nullptr;             ///< never null
  const Modification* modification = nullptr;  ///< null when there is none
  Comment comment;
  Span span;
};

/// One declared component; a clause `Real x, y[2];` gives two that share `type`.
struct Component {
  Prefixes prefixes;
  Connection connection = Connection::none;
  Variability variability = Variability::none;
  Causality causality = Causality::none;
  bool field = false;               ///< of PDEModelica: has a value at every point of its domain
  const Reference* type = nullptr;  ///< never null
  List<Subscript> type_dimensions;  ///< of `Real[3] x[2]`: {3}; the dimensions of x are [2, 3]
  std::string_view name;
  Span name_span;
  List<Subscript> dimensions;                  ///< of `Real[3] x[2]`: {2}
  const Modification* modification = nullptr;  ///< with the binding as its value; null when there is neither
  const Expr* condition = nullptr;             ///< after `if`; null when there is none
  const ConstrainedBy* constrained_by = nullptr;
  Comment comment;
  Span span;    ///< of this declaration, without the prefixes and the type
  Span clause;  ///< of the whole clause
  const Expr* binding() const { return modification ? modification->value : nullptr; }
};

enum class ImportKind : std::uint8_t {
  qualified,    // import A.B.C;         name = A.B.C
  renaming,     // import X = A.B.C;     alias = X
  unqualified,  // import A.B.*;         name = A.B
  several,      // import A.B.{C, D};    name = A.B, members = {C, D}
};

struct Import {
  ImportKind kind = ImportKind::qualified;
  const Reference* name = nullptr;  ///< never null
  std::string_view alias;
  List<NamePart> members;
  Comment comment;
  Span span;
};

struct Extends {
  const Reference* type = nullptr;             ///< never null
  const Modification* modification = nullptr;  ///< null when there is none
  const Modification* annotation = nullptr;    ///< null when there is none
  bool protected_ = false;
  Span span;
};

/// DOML: `minimize [name =] expression;` or `maximize …`.
struct Objective {
  bool maximize = false;
  std::string_view name;  ///< empty when there is none
  Span name_span;
  const Expr* expression = nullptr;
  Comment comment;
  Span span;
};

enum class ElementKind : std::uint8_t { import_, extends, class_, component, objective };

/// Exactly one pointer, the one of the kind, is not null.
struct Element {
  ElementKind kind = ElementKind::component;
  const Import* import_ = nullptr;
  const Extends* extends = nullptr;
  const Class* class_ = nullptr;
  const Component* component = nullptr;
  const Objective* objective = nullptr;
  Span span;
};

// ---------------------------------------------------------------- equations, statements, constraints

struct Equation;
struct Statement;
struct Constraint;

template <class Item>
struct Branch {
  const Expr* condition = nullptr;  ///< null for `else`, which is last
  List<const Item*> body;
  Span span;
};

enum class EquationKind : std::uint8_t {
  equality,  // left = right; left may be a tuple
  call,      // left: an expression of kind call
  connect,   // left, right: names (or names of a wider form that later rooms refuse)
  if_,       // branches
  for_,      // iterators, body
  when,      // branches, no else
};

struct Equation {
  EquationKind kind = EquationKind::equality;
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  List<Branch<Equation>> branches;
  List<Iterator> iterators;
  List<const Equation*> body;
  const Reference* domain = nullptr;  ///< `… indomain omega.left`; null when it was not written
  Comment comment;
  Span span;
};

enum class StatementKind : std::uint8_t {
  assign,        // target := value; target is a name
  multi_assign,  // (a, , b) := f(x); target is a tuple
  call,          // value: an expression of kind call
  if_,           // branches
  for_,          // iterators, body
  while_,        // value: the condition; body
  when,          // branches, no else
  break_,
  return_,
};

struct Statement {
  StatementKind kind = StatementKind::assign;
  const Expr* target = nullptr;
  const Expr* value = nullptr;
  List<Branch<Statement>> branches;
  List<Iterator> iterators;
  List<const Statement*> body;
  Comment comment;
  Span span;
};

enum class ConstraintRelation : std::uint8_t { equal, less_equal, greater_equal, less, greater };  // = <= >= < >

enum class ConstraintKind : std::uint8_t {
  relation,  // operands[0] relations[0] operands[1] …, n >= 2 operands: `a <= x <= b`
  for_,      // iterators, body
  if_,       // branches
};

/// Optimica. `name` is the label of `label: a <= b;`.
struct Constraint {
  ConstraintKind kind = ConstraintKind::relation;
  std::string_view name;  ///< empty when there is none
  List<const Expr*> operands;
  List<ConstraintRelation> relations;
  List<Branch<Constraint>> branches;
  List<Iterator> iterators;
  List<const Constraint*> body;
  const Reference* domain = nullptr;  ///< as of an equation
  Comment comment;
  Span span;
};

template <class Item>
struct Section {
  bool initial = false;
  List<const Item*> items;
  Span span;
};

/// `external "C" y = f(a, b) annotation(…);`
struct External {
  std::string_view language;     ///< "" when not written: then it is C
  const Expr* output = nullptr;  ///< null when there is none
  std::string_view function;     ///< "" when not written: then the name of the class
  List<const Expr*> arguments;
  bool called = false;  ///< a function call was written
  const Modification* annotation = nullptr;
  Span span;
};

// ---------------------------------------------------------------- classes

enum class ClassKind : std::uint8_t {
  class_,
  model,
  block,
  record,
  connector,
  type,
  package,
  function,
  operator_,
  operator_record,
  operator_function,
  optimization,
};

enum class ClassForm : std::uint8_t {
  composition,         // model M … end M;
  extending,           // model extends M(…) … end M;  modification holds the (…)
  alias,               // model M = N[3](…);
  enumeration,         // type E = enumeration(a, b);
  partial_derivative,  // function df = der(f, x, y);
};

struct EnumerationLiteral {
  std::string_view name;
  Span span;
  Comment comment;
};

struct Class {
  ClassKind kind = ClassKind::class_;
  ClassForm form = ClassForm::composition;
  std::string_view name;
  Span name_span;
  Span span;  ///< from the first prefix to before the `;`
  Prefixes prefixes;
  bool encapsulated = false;
  bool partial = false;
  bool expandable = false;  ///< connectors
  bool pure = false;        ///< functions
  bool impure = false;
  Comment comment;                                ///< the annotation joins all class annotations, also misplaced ones
  const ConstrainedBy* constrained_by = nullptr;  ///< null when there is none

  // composition, extending
  const Modification* attributes =
      nullptr;  ///< `optimization C(objective = …)`; with a warning also on other classes; null when there is none
  List<const Element*> elements;  ///< in source order
  List<Section<Equation>> equations;
  List<Section<Statement>> algorithms;
  List<Section<Constraint>> constraints;
  const External* external = nullptr;  ///< null when there is none

  // alias, partial_derivative: `base`; extending, alias: `modification`
  const Reference* base = nullptr;
  Causality base_causality = Causality::none;
  List<Subscript> base_dimensions;
  const Modification* modification = nullptr;  ///< null when there is none
  List<NamePart> with_respect_to;

  // enumeration
  List<EnumerationLiteral> literals;
  bool open_enumeration = false;  ///< enumeration(:)
};

/// One file: `within A.B; class … class …`. Owns all of its nodes.
struct StoredFile {
  StoredFile() = default;
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  SourceId source;
  bool has_within = false;
  const Reference* within = nullptr;  ///< null for `within;` and when there is no within clause
  List<const Class*> classes;
  std::pmr::monotonic_buffer_resource arena;
};

}  // namespace bolza::syntax::ast
