#include "workflow/text_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "base/printable.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

bool is_padding(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Cells of the line [begin, end) of a text.
std::vector<Cell> cells_of(const std::string& text, std::size_t begin, std::size_t end, char separator, SourceId file) {
  std::vector<Cell> cells;
  std::size_t at = begin;
  for (;;) {
    std::size_t from = at;
    bool quoted = false;
    for (; at < end && (quoted || text[at] != separator); ++at) quoted ^= text[at] == '"';
    std::size_t to = at;
    while (from < to && is_padding(text[from])) ++from;
    while (to > from && is_padding(text[to - 1])) --to;
    Cell cell{text.substr(from, to - from), {file, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}};
    if (cell.text.size() >= 2 && cell.text.front() == '"' && cell.text.back() == '"') {
      std::string inner;
      for (std::size_t k = 1; k + 1 < cell.text.size(); ++k) {
        inner += cell.text[k];
        if (cell.text[k] == '"' && cell.text[k + 1] == '"' && k + 2 < cell.text.size()) ++k;
      }
      cell.text = inner;
    }
    cell.text = printable(cell.text);
    cells.push_back(std::move(cell));
    if (at >= end) return cells;
    ++at;
  }
}

std::string lower(std::string_view text) {
  std::string out;
  for (char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

char separator_of(std::string_view header) {
  for (char c : {'\t', ';', ','})
    if (header.find(c) != std::string_view::npos) return c;
  return ',';
}

}  // namespace

std::optional<std::size_t> TextTable::column(std::initializer_list<std::string_view> names) const {
  for (std::string_view name : names)
    for (std::size_t c = 0; c < header.size(); ++c)
      if (header[c].text == name) return c;
  return {};
}

Result<TextTable> read_table(const std::string& path, Sources& sources, Diagnostics& diagnostics) {
  if (std::error_code failure; std::filesystem::is_directory(path, failure))
    return diagnostics.error(table_unreadable, {}, {path, "it is a folder"}, {{{}, "every file in it is named by itself"}});
  std::ifstream in(path, std::ios::binary);
  std::stringstream content;
  if (in) content << in.rdbuf();
  if (!in || content.str().find('\0') != std::string::npos) {
    bool wide = in && (content.str().starts_with("\xff\xfe") || content.str().starts_with("\xfe\xff"));
    return diagnostics.error(table_unreadable, {},
                             {path, wide ? "it is in UTF-16; save it in UTF-8"
                                    : in ? "it is not text"
                                         : "there is no such file, or it may not be read"});
  }
  SourceId id = sources.add(path, content.str());
  std::string text(sources.text(id));
  TextTable table;
  table.file = path;
  std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  char separator = 0;
  while (at < text.size()) {
    std::size_t end = std::min(text.find('\n', at), text.size()), first = at;
    while (first < end && is_padding(text[first])) ++first;
    std::size_t begin = std::exchange(at, end + 1);
    if (first == end || text[first] == '#') continue;
    if (!separator) separator = separator_of(std::string_view(text).substr(begin, end - begin));
    std::vector<Cell> cells = cells_of(text, begin, end, separator, id);
    if (table.header.empty()) {
      table.header = std::move(cells);
      continue;
    }
    while (cells.size() > table.header.size() && cells.back().text.empty()) cells.pop_back();
    auto behind = static_cast<std::uint32_t>(end);
    while (separator == '\t' && cells.size() < table.header.size()) cells.push_back({"", {id, behind, behind}});
    if (cells.size() != table.header.size())
      return diagnostics.error(
          table_malformed, {id, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
          {"this row has " + std::to_string(cells.size()) + " cells, the header " + std::to_string(table.header.size())});
    table.rows.push_back(std::move(cells));
  }
  if (table.header.empty()) return diagnostics.error(table_malformed, {}, {"`" + path + "` is empty"});
  std::set<std::string_view> names;
  for (const Cell& cell : table.header)
    if (!cell.text.empty() && !names.insert(cell.text).second)
      return diagnostics.error(table_malformed, cell.span, {"there are two columns called `" + cell.text + "`"});
  return table;
}

bool is_missing(const Cell& cell) {
  std::string text = lower(cell.text);
  return text.empty() || text == "na" || text == "nan" || text == "null";
}

bool looks_missing(const Cell& cell) {
  constexpr std::array words{"n/a", "#n/a", "n.a.", "#value!", "none", "missing", "nd", "-", "--", ".", "?"};
  std::string text = lower(cell.text);
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<double> number_in(std::string_view text) {
  std::string own(text);
  if (own.empty()) return {};
  char* end = nullptr;
  double value = std::strtod(own.c_str(), &end);
  if (*end || std::isnan(value) || own.find_first_of("xX") != std::string::npos) return {};
  if (std::isinf(value) && own.find_first_of("0123456789") != std::string::npos) return {};  // 1e999
  return value;
}

Result<double> number_of(const Cell& cell, Diagnostics& diagnostics) {
  if (std::optional<double> value = number_in(cell.text)) return *value;
  bool comma = cell.text.find(',') != std::string::npos;
  std::vector<Note> notes;
  if (comma) notes.push_back({{}, "decimals are written with a point"});
  if (looks_missing(cell)) notes.push_back({{}, "a cell without a number is empty or `NA`"});
  return diagnostics.error(number_expected, cell.span, {cell.text}, std::move(notes));
}

}  // namespace bolza::workflow
