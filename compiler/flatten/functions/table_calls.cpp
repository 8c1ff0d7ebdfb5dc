// SPDX-License-Identifier: Apache-2.0
// The tables of the Modelica library: external objects whose functions are computed natively, by Programs over the table's
// data (Modelica.Blocks.Tables, Modelica.Blocks.Sources.CombiTimeTable). They are recognised by the names of the C
// functions.
#include "compiler/flatten/functions/table_calls_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/functions/table_programs_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/tables/table_files_internal.h"
#include "compiler/flatten/tables/table_internal.h"
#include "compiler/flatten/tables/table_patches_internal.h"
#include "compiler/flatten/tables/table_pieces_internal.h"
#include "compiler/flatten/typing/evaluated_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/foreign/user_table.h"
#include "compiler/instance/functions/external_function.h"

namespace bolza::flatten {

using ir::Op;

namespace {

constexpr std::string_view prefix = "ModelicaStandardTables_Combi";

enum class TableKind : std::uint8_t { time, one, two };

/// The inputs of the constructors, in order.
constexpr std::array<std::string_view, 12> time_inputs{"tableName",  "fileName",    "table",         "startTime",
                                                       "columns",    "smoothness",  "extrapolation", "shiftTime",
                                                       "timeEvents", "verboseRead", "delimiter",     "nHeaderLines"};
constexpr std::array<std::string_view, 9> one_inputs{
    "tableName", "fileName", "table", "columns", "smoothness", "extrapolation", "verboseRead", "delimiter", "nHeaderLines"};
constexpr std::array<std::string_view, 8> two_inputs{"tableName",     "fileName",    "table",     "smoothness",
                                                     "extrapolation", "verboseRead", "delimiter", "nHeaderLines"};

std::optional<TableKind> table_kind_of(const Instance& object) {
  std::string name = object.definition ? instance::full_name(*object.definition) : "";
  if (name.ends_with("ExternalCombiTimeTable")) return TableKind::time;
  if (name.ends_with("ExternalCombiTable1D")) return TableKind::one;
  if (name.ends_with("ExternalCombiTable2D")) return TableKind::two;
  return {};
}

/// Arguments of a constructor by name.
class Arguments {
 public:
  Arguments(Model& model, const Instance& object, TableKind kind, const std::vector<std::int64_t>& indices)
      : model_(model),
        object_(object),
        indices_(indices) {
    const ast::Expr& call = *object.binding.expr;
    std::span<const std::string_view> names = kind == TableKind::time  ? std::span<const std::string_view>(time_inputs)
                                              : kind == TableKind::one ? std::span<const std::string_view>(one_inputs)
                                                                       : std::span<const std::string_view>(two_inputs);
    for (std::size_t k = 0; k < std::min(names.size(), call.arguments->positional.size()); ++k)
      given_[names[k]] = call.arguments->positional[k];
    for (const ast::NamedArgument& argument : call.arguments->named) given_[argument.name] = argument.value;
  }

  /// The text of an argument; null where it was not given.
  const ast::Expr* expression(std::string_view name) const {
    auto at = given_.find(name);
    return at == given_.end() ? nullptr : at->second;
  }
  /// Nothing when it was not given.
  Result<std::optional<instance::Value>> value(std::string_view name) {
    auto at = given_.find(name);
    if (at == given_.end()) return std::optional<instance::Value>();
    note_parameters(model_, *at->second, object_.binding.scope);
    auto result =
        instance::evaluate(model_.tree, *at->second, object_.binding.scope, model_.diagnostics, {.indices = indices_});
    if (!result) return model_.diagnostics.already_reported();
    return std::optional(std::move(*result));
  }
  Result<double> number(std::string_view name, double otherwise) {
    auto given = value(name);
    if (!given) return model_.diagnostics.already_reported();
    return *given && !(*given)->numbers.empty() ? (*given)->numbers[0] : otherwise;
  }
  /// The text of a String, "" when none was given.
  Result<std::string> text(std::string_view name) {
    auto given = value(name);
    if (!given) return model_.diagnostics.already_reported();
    return *given && !(*given)->strings.empty() ? (*given)->strings[0] : "";
  }

 private:
  Model& model_;
  const Instance& object_;
  std::vector<std::int64_t> indices_;
  std::map<std::string_view, const ast::Expr*> given_;
};

/// What is wrong with the data, "" when nothing is.
std::string defect(const TableData& table, TableKind kind) {
  if (table.rows.empty() || table.rows[0].empty()) return "it is empty";
  std::size_t first = kind == TableKind::two ? 1 : 0, n = table.rows.size(), width = table.rows[0].size();
  if (kind == TableKind::two && (n < 2 || width < 2)) return "it needs two rows and two columns at least";
  for (std::size_t i = first + 1; i < n; ++i) {
    double step = table.rows[i][0] - table.rows[i - 1][0];
    if (step < 0 || (step == 0 && kind != TableKind::time))
      return "the abscissa in row " + std::to_string(i + 1) + " is not greater than the one before";
  }
  for (std::size_t j = 2; kind == TableKind::two && j < width; ++j)
    if (table.rows[0][j] <= table.rows[0][j - 1])
      return "the abscissa in column " + std::to_string(j + 1) + " is not greater than the one before";
  for (std::size_t column : table.columns)
    if (column < 1 || column > width)
      return "it has " + std::to_string(width) + " columns, column " + std::to_string(column) + " is wanted";
  return "";
}

using TableRows = std::vector<std::vector<double>>;

/// The rows of a file.
Result<TableRows> rows_of_file(Model& model, const Instance& object, Arguments& given, const std::string& file, Span span) {
  std::string name = instance::file_of(file, model.tree.library());
  Sources& sources = model.tree.library().sources();
  std::vector<std::string_view> beside;
  if (object.binding.span.file) beside.push_back(sources.path(object.binding.span.file));
  if (model.tree.root().definition) beside.push_back(sources.path(model.tree.root().definition->source));
  auto table = given.text("tableName");
  auto heading = given.number("nHeaderLines", 0);
  if (!table || !heading) return model.diagnostics.already_reported();
  TableRows rows;
  std::string what =
      read_table_file(name, *table, static_cast<std::size_t>(*heading), beside, model.tree.library().trust(), sources, rows);
  if (!what.empty()) return model.diagnostics.error(bad_table, span, {instance::path_of(object), what});
  return rows;
}

Result<TableRows> read_rows(Model& model, const Instance& object, TableKind kind, Arguments& given, Span span) {
  auto wrong = [&](const std::string& what) {
    return model.diagnostics.error(bad_table, span, {instance::path_of(object), what});
  };
  auto file = given.text("fileName");
  if (!file) return model.diagnostics.already_reported();
  if (!file->empty() && *file != "NoName") return rows_of_file(model, object, given, *file, span);
  auto table = given.value("table");
  auto name = given.text("tableName");
  if (!table || !name) return model.diagnostics.already_reported();
  bool named = !name->empty() && *name != "NoName";
  TableRows rows;
  if (named && *table && (*table)->size() == 0) {  // so the library says it
    auto user_table = instance::function_in_text(model.tree, "usertab", span, model.diagnostics);
    if (!user_table) return model.diagnostics.already_reported();
    if (*user_table == nullptr)
      return wrong("`" + *name +
                   "` is in no file, and no external function in the class of the model has a C function `usertab` in "
                   "its `Include`: give `fileName`, or the numbers in `table`");
    auto defect = foreign::call_user_table(*user_table, *name, static_cast<foreign::UserTableKind>(kind), rows);
    if (defect) return wrong(*defect);
    return rows;
  }
  if (!*table || (*table)->dimensions.size() != 2) return wrong("it is empty");
  auto width = static_cast<std::ptrdiff_t>((*table)->dimensions[1]);
  for (auto row = (*table)->numbers.begin(); width > 0 && row != (*table)->numbers.end(); row += width)
    rows.emplace_back(row, row + width);
  return rows;
}

/// The component of the model that a table belongs to: the table itself may lie deep in a library.
Span declared_at(const Instance& object, Span otherwise) {
  const Instance* component = &object;
  while (component->parent != nullptr && component->parent->parent != nullptr) component = component->parent;
  return component->span ? component->span : otherwise;
}

/// When a table of time starts, where that is known now.
void find_start(Model& model, Arguments& given, TableData& out) {
  Diagnostics before = model.diagnostics;
  auto start = given.number("startTime", 0);
  auto shift = start ? given.number("shiftTime", 0) : start;
  if (shift) {
    out.start_time = *start;
    out.shift_time = *shift;
    return;
  }
  model.diagnostics = std::move(before);
  out.starts_at_run_time = true;
}

Result<TableData> read(Model& model, const Instance& object, TableKind kind, const std::vector<std::int64_t>& indices,
                       Span span) {
  Arguments given(model, object, kind, indices);
  auto rows = read_rows(model, object, kind, given, span);
  if (!rows) return model.diagnostics.already_reported();
  bool time = kind == TableKind::time;
  auto columns = kind == TableKind::two ? std::optional<instance::Value>() : given.value("columns");
  auto smoothness = given.number("smoothness", 1), extrapolation = given.number("extrapolation", 2),
       time_events = time ? given.number("timeEvents", 1) : 1.0;
  if (!columns || !smoothness || !extrapolation || !time_events) return model.diagnostics.already_reported();
  TableData out;
  out.rows = std::move(*rows);
  if (*columns)
    for (double c : (*columns)->numbers) out.columns.push_back(static_cast<std::size_t>(std::max(c, 0.0)));
  out.interpolation = static_cast<Interpolation>(*smoothness);
  out.extrapolation = static_cast<Extrapolation>(*extrapolation);
  if (time) {
    out.time_events = static_cast<TimeEvents>(*time_events);
    find_start(model, given, out);
  }
  if (std::string what = defect(out, kind); !what.empty())
    return model.diagnostics.error(bad_table, span, {instance::path_of(object), what});
  if (kind == TableKind::two && out.interpolation > Interpolation::constant)
    return model.diagnostics.error(bad_table, span,
                                   {instance::path_of(object),
                                    "tables of two variables have linear, constant and Akima's interpolation "
                                    "(ContinuousDerivative), no other: neither has the library"});
  return out;
}

}  // namespace

bool is_table_object(const Instance& object) { return object.definition != nullptr && table_kind_of(object).has_value(); }

/// The table of an object, read once; where the elements of an array have different tables the space is split.
Outcome<const TableData*> Typer::table_of(const Node& object, Span span) {
  const Node& base = object.kind == NodeKind::index ? *object.children[0] : object;
  const Instance* instance = base.kind == NodeKind::variable ? base.instance : nullptr;
  bool usable = instance != nullptr && instance->external_object && instance->rank() == 0 && instance->binding &&
                instance->binding.expr->kind == ast::ExprKind::call;
  auto kind = usable ? table_kind_of(*instance) : std::nullopt;
  if (!kind) return wrong(unsupported, span, {"this use of an external object"});
  std::vector<const Known*> axes = known_axes(instance->binding.scope.instance);
  bool uniform = std::all_of(axes.begin(), axes.end(), [](const Known* known) { return known->is_uniform(); });
  std::vector<double> which;
  for (std::size_t i = 0; i < (uniform ? 1 : work.space.n); ++i) {
    std::vector<std::int64_t> indices;
    for (const Known* known : axes) indices.push_back(static_cast<std::int64_t>((*known)[i]));
    if (model.unusable_tables.contains(instance)) return reported();
    auto data = read(model, *instance, *kind, indices, declared_at(*instance, span));
    if (!data) {
      model.unusable_tables.insert(instance);
      return reported();
    }
    auto at = std::find_if(model.tables.begin(), model.tables.end(), [&](const auto& known) { return *known == *data; });
    if (at == model.tables.end()) at = model.tables.insert(at, std::make_unique<TableData>(std::move(*data)));
    which.push_back(static_cast<double>(at - model.tables.begin()));
  }
  auto table = work.uniform(Known(std::move(which)));
  if (!table) return table.failure();
  return model.tables[static_cast<std::size_t>(*table)].get();
}

/// A call of a Program of one output over scalars.
Typed Typer::call_of(const Instance& function, ir::ProgramId program, const std::vector<Call::Argument>& given, Span span) {
  frame_for(model, function, program);
  Call call;
  call.function = &function;
  call.arguments = given;
  call.program = program.value;
  for (const Call::Argument& argument : given)
    if (!argument.value->dims.empty() || !is_numeric(argument.value->basic))
      return wrong(expected_type, argument.value->span, {"a scalar number", type_text(*argument.value)});
  nodes().calls.push_back(std::move(call));
  Node node;
  node.kind = NodeKind::call;
  node.call = &nodes().calls.back();
  node.span = span;
  for (const Instance* child : frame_of(model, program.value).function->children)  // several functions may share the Program
    if (is_output(*child)) node.instance = child;
  for (const Call::Argument& argument : given) node.level = std::max(node.level, argument.value->level);
  return nodes().add(std::move(node));
}

namespace {

Patches patches_of(const TableData& table, double rounding) {
  std::vector<double> x, y(table.rows[0].begin() + 1, table.rows[0].end());
  std::vector<std::vector<double>> z;
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    x.push_back(table.rows[i][0]);
    z.emplace_back(table.rows[i].begin() + 1, table.rows[i].end());
  }
  return interpolate(x, y, z, table.interpolation, table.extrapolation, rounding);
}

/// The library's table whose points are kinks of what is made of it; "" where there are none, or they are made round.
std::string kinked(const Model& model, const TableData& table, const Instance& object) {
  bool has_kinks = table.interpolation == Interpolation::linear && table.rows.size() > 2 && model.rounding == 0;
  const Instance* block = object.parent != nullptr && object.parent->parent != nullptr ? object.parent : &object;
  return has_kinks ? instance::path_of(*block) : "";
}

}  // namespace

/// f(u1, u2), or its first or second derivative by time: f1 u1' + f2 u2', and f11 u1'^2 + 2 f12 u1' u2' + f22 u2'^2 + f1
/// u1'' + f2 u2''.
Typed Typer::table_2d_call(const Instance& function, const TableData& table, const std::vector<const Instance*>& inputs,
                           const std::map<const Instance*, const Node*>& bound, std::size_t order,
                           const std::string& kinked_table, Span span) {
  bool steps = table.interpolation == Interpolation::constant;
  auto partial = [&](std::size_t by_first, std::size_t by_second) -> Typed {
    if (steps && order > 0) return nodes().number(0, Basic::real, span);
    auto write = [&] {
      if (steps) return write_steps_2d(model, table, span);
      Patches patches = patches_of(table, model.rounding);
      for (std::size_t k = 0; k < by_first; ++k) patches = differentiate(patches, 0);
      for (std::size_t k = 0; k < by_second; ++k) patches = differentiate(patches, 1);
      return write_table_2d(model, patches, table.extrapolation, span);
    };
    ir::ProgramId program = table_program(table, std::to_string(by_first) + "," + std::to_string(by_second), write);
    if (by_first + by_second == 0) model.flat.expressions.programs[program.index()].kinked_table = kinked_table;
    return call_of(function, program, {{inputs[1], bound.at(inputs[1]), 0}, {inputs[2], bound.at(inputs[2]), 0}}, span);
  };
  if (order == 0) return partial(0, 0);
  auto rate = [&](std::size_t k) { return bound.at(inputs[3 + k]); };
  std::optional<Typed> sum;
  auto add = [&](const Typed& factor, std::initializer_list<const Node*> others) {
    if (sum && !*sum) return;
    if (!factor) return void(sum = factor);
    const Node* term = factor;
    for (const Node* other : others) term = nodes().apply(Op::mul, {term, other}, Basic::real, span);
    sum = sum ? nodes().apply(Op::add, {*sum, term}, Basic::real, span) : term;
  };
  std::size_t last = order == 1 ? 0 : 2;
  add(partial(1, 0), {rate(last)});
  add(partial(0, 1), {rate(last + 1)});
  if (order == 1) return *sum;
  add(partial(2, 0), {rate(0), rate(0)});
  add(partial(0, 2), {rate(1), rate(1)});
  add(partial(1, 1), {rate(0), rate(1), nodes().number(2, Basic::real, span)});
  return *sum;
}

/// The arguments of a table of time whose start follows from initial equations.
Outcome<Done> Typer::add_start(const TableData& table, const Node& object, const Instance& time,
                               std::vector<Call::Argument>& given) {
  if (!table.starts_at_run_time) return Done{};
  const Instance& instance = *(object.kind == NodeKind::index ? object.children[0] : &object)->instance;
  Arguments arguments(model, instance, TableKind::time, {});
  Typer inside(model, work, instance.binding.scope);
  for (std::string_view name : {"startTime", "shiftTime"}) {
    const ast::Expr* written = arguments.expression(name);
    Typed value = nodes().number(0, Basic::real, instance.span);
    if (written != nullptr) value = inside.expression(*written);
    if (!value) return value.failure();
    given.push_back({&time, value, 0});
  }
  return Done{};
}

ir::ProgramId Typer::table_program(const TableData& table, const std::string& key,
                                   const std::function<ir::ProgramId()>& write) {
  auto known = model.table_programs.find({&table, key});
  if (known == model.table_programs.end()) known = model.table_programs.emplace(std::pair(&table, key), write()).first;
  return known->second;
}

std::optional<Typed> Typer::table_call(const Instance& function, const std::map<const Instance*, const Node*>& bound,
                                       Span span) {
  std::string_view name = function.external->function.empty() ? function.name : function.external->function;
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  std::string_view what = name.substr(std::min(name.find('_'), name.size() - 1) + 1);
  std::vector<const Instance*> inputs;
  for (const Instance* child : function.children)
    if (is_input(*child)) inputs.push_back(child);
  if (inputs.empty()) return {};
  auto read = table_of(*bound.at(inputs[0]), span);
  if (!read) return read.failure();
  const TableData* table = *read;
  const Node& object = *bound.at(inputs[0]);
  std::string kinked_table =
      kinked(model, *table, *(object.kind == NodeKind::index ? *object.children[0] : object).instance);
  auto argument = [&](std::size_t k) { return Call::Argument{inputs[k], bound.at(inputs[k]), 0}; };
  auto program = [&](const std::string& key, auto write) { return table_program(*table, key, write); };
  bool two = name.starts_with("Table2D"), time = name.starts_with("TimeTable");
  auto end_of = [&](bool least) { return (least ? table->rows[two ? 1 : 0] : table->rows.back())[0]; };
  if (what.starts_with("minimum") || what.starts_with("maximum")) {
    bool least = what.starts_with("minimum");
    if (!two) return nodes().number(end_of(least), Basic::real, span);
    double other = least ? table->rows[0][1] : table->rows[0].back();
    return nodes().table({end_of(least), other}, {2}, Basic::real, span);
  }
  if (what == "nextTimeEvent") {
    std::vector<Call::Argument> given{argument(1)};
    if (auto done = add_start(*table, object, *inputs[1], given); !done) return done.failure();
    return call_of(function, program("next", [&] { return write_next_event(model, *table, span); }), given, span);
  }
  std::size_t order = what == "getValue" ? 0 : what == "getDerValue" ? 1 : what == "getDer2Value" ? 2 : 3;
  if (order > 2) return wrong(unsupported, span, {"the external function `" + std::string(function.name) + "`"});
  if (two) return table_2d_call(function, *table, inputs, bound, order, kinked_table, span);
  auto column = known_integer(bound.at(inputs[1]));
  if (!column) return column.failure();
  if (*column < 1 || *column > static_cast<std::int64_t>(table->columns.size()))
    return wrong(subscript_out_of_range, span, {std::to_string(*column), "1", std::to_string(table->columns.size())});
  auto derivative = [&](std::size_t k) -> Typed {
    auto write = [&] {
      std::vector<double> x, y;
      for (const auto& row : table->rows) {
        x.push_back(row[0]);
        y.push_back(row[table->columns[static_cast<std::size_t>(*column - 1)] - 1]);
      }
      Pieces pieces = interpolate(x, y, table->interpolation, table->extrapolation);
      bool is_round = model.rounding > 0 && !time && table->interpolation == Interpolation::linear && x.size() > 2;
      if (is_round) pieces = rounded(pieces, model.rounding, table->extrapolation <= Extrapolation::last_two);
      for (std::size_t d = 0; d < k; ++d) pieces = differentiate(pieces);
      return time ? write_time_table(model, *table, pieces, span) : write_table(model, pieces, table->extrapolation, span);
    };
    std::vector<Call::Argument> given{argument(2)};
    if (time) {
      given.push_back(argument(3));
      given.push_back(argument(4));
      if (auto done = add_start(*table, object, *inputs[2], given); !done) return Typed(done.failure());
    }
    ir::ProgramId called = program(std::to_string(*column) + "." + std::to_string(k), write);
    if (k == 0) model.flat.expressions.programs[called.index()].kinked_table = kinked_table;
    return call_of(function, called, given, span);
  };
  std::size_t next = time ? 5 : 3;
  if (order == 0) return derivative(0);
  auto first = derivative(1);
  const Node* rate = bound.at(inputs[next]);
  if (!first) return first;
  if (order == 1) return nodes().apply(Op::mul, {first, rate}, Basic::real, span);
  auto second = derivative(2);  // y'' = f'' u'^2 + f' u''
  if (!second) return second;
  const Node* square = nodes().apply(Op::mul, {rate, rate}, Basic::real, span);
  return nodes().apply(Op::add,
                       {nodes().apply(Op::mul, {second, square}, Basic::real, span),
                        nodes().apply(Op::mul, {first, bound.at(inputs[next + 1])}, Basic::real, span)},
                       Basic::real, span);
}

}  // namespace bolza::flatten
