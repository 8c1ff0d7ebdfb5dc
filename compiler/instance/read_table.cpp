#include <charconv>
#include <filesystem>
#include <string>

#include "compiler/instance/codes.h"
#include "compiler/instance/evaluator_internal.h"
#include "compiler/instance/folders_internal.h"

/// Numbers from CSV files, for `Modelica.DOML.readTable`.
namespace bolza::instance {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) + 1 - from);
}

/// What parts the fields: a comma, else a semicolon, else a tab, else blanks.
char separator_of(std::string_view line) {
  for (char c : {',', ';', '\t'})
    if (line.find(c) != std::string_view::npos) return c;
  return ' ';
}

std::vector<std::string_view> fields_of(std::string_view line) {
  char separator = separator_of(line);
  std::vector<std::string_view> fields;
  for (;;) {
    std::size_t end = line.find(separator);
    std::string_view field = trimmed(line.substr(0, end));
    if (separator != ' ' || !field.empty()) fields.push_back(field);
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

bool read_number(std::string_view field, double& number) {
  if (!field.empty() && field[0] == '+') field.remove_prefix(1);
  auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && end == field.data() + field.size() && !field.empty();
}

/// Empty when all fields are numbers, else the first that is none.
std::string_view append_numbers(const std::vector<std::string_view>& fields, std::vector<double>& into) {
  for (std::string_view field : fields) {
    double number = 0.0;
    if (!read_number(field, number)) return field.empty() ? std::string_view("(nothing)") : field;
    into.push_back(number);
  }
  return {};
}

}  // namespace

Result<Value> table_of_text(std::string_view text, const std::string& name, Span at, Diagnostics& d) {
  Value table;
  std::size_t columns = 0, rows = 0, line_number = 0;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string_view> fields = fields_of(line);
    std::size_t before = table.numbers.size();
    std::string_view wrong = append_numbers(fields, table.numbers);
    if (!wrong.empty() && rows == 0) {  // a heading
      table.numbers.resize(before);
      continue;
    }
    std::string where = "line " + std::to_string(line_number);
    if (!wrong.empty())
      return d.error(codes::bad_table, at, {name, where + ": `" + std::string(wrong.substr(0, 40)) + "` is not a number"});
    if (rows > 0 && fields.size() != columns)
      return d.error(codes::bad_table, at,
                     {name, where + " has " + std::to_string(fields.size()) + " numbers, the lines before it " +
                                std::to_string(columns)});
    columns = fields.size();
    ++rows;
  }
  if (rows == 0) return d.error(codes::bad_table, at, {name, "it has no numbers"});
  table.dimensions = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  return table;
}

Result<Value> read_table(const std::string& name, std::span<const std::string_view> beside, Span at, Diagnostics& d) {
  namespace fs = std::filesystem;
  std::string first;
  for (std::string_view file : beside) {
    fs::path path = fs::path(file).parent_path() / name;  // an absolute name stays what it is
    if (first.empty()) first = path.string();
    std::error_code none;
    if (!fs::is_regular_file(path, none)) continue;
    if (auto text = read_file(path.string()))
      return table_of_text(text->starts_with("\xEF\xBB\xBF") ? text->substr(3) : *text, name, at, d);
  }
  return d.error(codes::bad_table, at, {name, "there is no file `" + first + "`"});
}

}  // namespace bolza::instance
