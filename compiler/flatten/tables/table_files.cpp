// SPDX-License-Identifier: Apache-2.0
// Tables in files: the library's text format (`#1`, then `double name(rows, columns)` and the numbers), CSV, MATLAB files.
#include "compiler/flatten/tables/table_files_internal.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text_table.h"
#include "compiler/foreign/mat_files.h"

namespace bolza::flatten {
namespace {

bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';'; }

/// Words parted by blanks, commas, semicolons and line ends; comments run from `#` to the end of the line.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// "" at the end.
  std::string_view next() {
    for (;;) {
      while (at_ < text_.size() && is_gap(text_[at_])) ++at_;
      if (at_ >= text_.size() || text_[at_] != '#') break;
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
    std::size_t from = at_;
    while (at_ < text_.size() && !is_gap(text_[at_]) && text_[at_] != '#') ++at_;
    return text_.substr(from, at_ - from);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<double> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return {};
  return value;
}

using TableRows = std::vector<std::vector<double>>;

/// `rows × columns` numbers; nothing when one is missing.
std::optional<TableRows> numbers(std::string_view text, std::size_t rows, std::size_t columns) {
  if (columns > 0 && rows > text.size() / columns) return {};  // a number takes a character at least
  Words words(text);
  TableRows out(rows);
  for (auto& row : out)
    for (std::size_t j = 0; j < columns; ++j) {
      auto value = number(words.next());
      if (!value) return {};
      row.push_back(*value);
    }
  return out;
}

/// The numbers after `double name(rows, columns)`.
std::optional<TableRows> named_table(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    std::istringstream head(text.substr(line, text.find('\n', at) - line));
    std::string type, rest;
    head >> type;
    std::getline(head, rest);
    std::size_t open = rest.find('('), comma = rest.find(',', open), close = rest.find(')', comma);
    if ((type != "double" && type != "float") || close == std::string::npos) continue;
    std::string found = rest.substr(rest.find_first_not_of(" \t"));
    if (found.substr(0, found.find_first_of(" \t(")) != name) continue;
    auto trimmed = [&](std::size_t from, std::size_t to) {
      std::istringstream part(rest.substr(from, to - from));
      std::size_t value = 0;
      part >> value;
      return value;
    };
    return numbers(std::string_view(text).substr(text.find(')', line) + 1), trimmed(open + 1, comma),
                   trimmed(comma + 1, close));
  }
  return {};
}

/// "" or what is wrong, without a word of the file: it may be no table.
std::string read_separated(const std::string& text, std::size_t heading_lines, TableRows& rows) {
  NumberTable read;
  if (auto fault = read_numbers(text, heading_lines, read)) {
    bool is_heading = fault->cell > 0 && fault->line == heading_lines + 1;
    std::string remedy = is_heading && fault->remedy.empty()
                             ? "; `nHeaderLines = " + std::to_string(fault->line) + "` leaves out a heading"
                             : "";
    return said(*fault, false) + remedy;
  }
  for (auto row = read.numbers.begin(); row != read.numbers.end(); row += static_cast<std::ptrdiff_t>(read.columns))
    rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(read.columns));
  return "";
}

/// @param refused  becomes the file that is there but may not be read
std::optional<std::string> content(const std::string& name, std::span<const std::string_view> beside,
                                   const instance::TrustRules& trust, Sources& sources, std::string& refused) {
  std::vector<std::filesystem::path> places{name};
  for (std::string_view other : beside) places.push_back(std::filesystem::path(other).parent_path() / name);
  for (const auto& place : places) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(place, error)) continue;
    if (!trust.may_read(place.string(), instance::TrustRules::Contents::numbers)) {
      refused = place.string();
      continue;
    }
    std::ifstream in(place, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    sources.add(place.string(), "");  // no message shows a line of it, but it is known to have been read
    return text.str();
  }
  return {};
}

}  // namespace

std::string read_table_file(const std::string& name, const std::string& table, std::size_t heading_lines,
                            std::span<const std::string_view> beside, const instance::TrustRules& trust, Sources& sources,
                            std::vector<std::vector<double>>& rows) {
  std::string refused;
  auto text = content(name, beside, trust, sources, refused);
  if (!text && !refused.empty())
    return "`" + refused + "` is neither next to the model nor in a package, and is read for trusted models alone (--trust)";
  if (!text) return "there is no file `" + name + "`";
  if (name.ends_with(".mat")) {
    auto read = foreign::matrix_in_mat_file(*text, table);
    if (!read)
      return "`" + name + "` has no matrix of numbers `" + table + "` (MATLAB files of versions 4, 6 and 7 are read)";
    rows = std::move(*read);
    return "";
  }
  if (name.ends_with(".csv")) {
    std::string wrong = read_separated(*text, heading_lines, rows);
    return wrong.empty() ? "" : "`" + name + "`: " + wrong;
  }
  auto read = named_table(*text, table);
  if (!read) return "`" + name + "` has no table `" + table + "` in the text format";
  rows = std::move(*read);
  return "";
}

}  // namespace bolza::flatten
