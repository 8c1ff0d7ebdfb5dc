// SPDX-License-Identifier: Apache-2.0
#include "base/text_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/codes.h"
#include "base/printable.h"

namespace bolza {
namespace {

bool is_padding(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string lower(std::string_view text) {
  std::string out;
  for (char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// A line without what stands in quotes or brackets, and without blanks that no word follows.
std::string bare(std::string_view line) {
  std::string out;
  for (std::size_t k = 0; k < line.size(); ++k) {
    bool opens = line[k] == '"' || line[k] == '[';
    std::size_t close = opens ? line.find(line[k] == '"' ? '"' : ']', k + 1) : std::string_view::npos;
    out += opens ? 'x' : line[k];
    if (close != std::string_view::npos) k = close;
  }
  while (!out.empty() && is_padding(out.back())) out.pop_back();
  out.erase(0, std::min(out.find_first_not_of(" \t\r"), out.size()));
  return out;
}

/// Tabs next to another separator are blanks.
char separator_in(std::string_view line) {
  std::string text = bare(line);
  auto is_other = [&](std::size_t k) { return k < text.size() && (text[k] == ',' || text[k] == ';'); };
  for (std::size_t k = text.find('\t'); k < text.size(); k = text.find('\t', k + 1))
    if (!is_other(text.find_last_not_of(" \t", k)) && !is_other(text.find_first_not_of(" \t", k))) return '\t';
  for (char c : {';', ',', ' '})
    if (text.find(c) != std::string::npos) return c;
  return ',';
}

bool has_decimal_comma(std::string text) {
  std::size_t comma = text.find(',');
  if (comma == std::string::npos || text.find(',', comma + 1) != std::string::npos) return false;
  text[comma] = '.';
  return number_in(text).has_value();
}

/// A row of words: one that begins with a number, or has marks of missing ones alone, is a row of the table.
bool is_heading(const std::vector<Cell>& row) {
  auto is_word = [](const Cell& c) {
    return !number_in(c.text) && !is_missing(c) && !looks_missing(c) && !has_decimal_comma(c.text);
  };
  return !number_in(row[0].text) && std::any_of(row.begin(), row.end(), is_word);
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7f'; });
}

std::string remedy_for(const Cell& cell) {
  if (has_decimal_comma(cell.text) || cell.text.find(',') != std::string::npos) return "decimals are written with a point";
  return "";
}

void drop_empty_end(std::vector<Cell>& row, std::size_t least) {
  while (row.size() > least && row.back().text.empty()) row.pop_back();
}

}  // namespace

TextRows::TextRows(std::string_view text, SourceId file, Comments comments) : text_(text), file_(file), comments_(comments) {
  if (text.starts_with("\xef\xbb\xbf")) at_ = 3;
}

void TextRows::skip_lines(std::size_t count) {
  for (; count > 0 && at_ < text_.size(); --count, ++line_) at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
}

void TextRows::add_cell(std::vector<Cell>& row, std::size_t& count, std::size_t from, std::size_t to) const {
  while (from < to && is_padding(text_[from])) ++from;
  while (to > from && is_padding(text_[to - 1])) --to;
  std::string_view raw = text_.substr(from, to - from);
  bool is_unit = separator_ == ' ' && count > 0 && raw.starts_with('[') && raw.ends_with(']');
  if (is_unit) {  // "y [m]" is one cell
    Cell& named = row[count - 1];
    named.text += " " + std::string(raw);
    named.span.end = static_cast<std::uint32_t>(to);
    return;
  }
  if (row.size() == count) row.emplace_back();
  Cell& cell = row[count++];
  cell.span = place(from, to);
  if (raw.find('"') == std::string_view::npos) return void(cell.text.assign(raw));
  cell.text.clear();
  bool whole = raw.size() >= 2 && raw.front() == '"' && raw.back() == '"';
  if (whole) raw = raw.substr(1, raw.size() - 2);
  for (std::size_t k = 0; k < raw.size(); ++k) {
    cell.text += raw[k];
    if (whole && raw.substr(k, 2) == "\"\"") ++k;
  }
}

bool TextRows::next(std::vector<Cell>& row) {
  while (at_ < text_.size()) {
    end_ = std::min(text_.find('\n', at_), text_.size());
    begin_ = std::exchange(at_, end_ + 1);
    ++line_;
    if (comments_ == Comments::ends) end_ = std::min(text_.find('#', begin_), end_);
    std::size_t first = begin_;
    while (first < end_ && is_padding(text_[first])) ++first;
    if (first == end_ || text_[first] == '#') continue;
    if (!separator_) separator_ = separator_in(text_.substr(begin_, end_ - begin_));
    std::size_t count = 0;
    for (std::size_t at = separator_ == ' ' ? first : begin_; at <= end_; ++at) {
      std::size_t from = at;
      auto parts = [&](char c) { return separator_ == ' ' ? is_padding(c) : c == separator_; };
      for (bool quoted = false; at < end_ && (quoted || !parts(text_[at])); ++at) quoted ^= text_[at] == '"';
      if (separator_ != ' ' || at > from) add_cell(row, count, from, at);
    }
    row.resize(count);
    for (Cell& cell : row)
      if (!is_plain(cell.text)) cell.text = printable(cell.text);
    return true;
  }
  return false;
}

Result<TableReader> TableReader::open(const Sources& sources, SourceId file, Diagnostics& diagnostics) {
  TableReader reader(TextRows(sources.text(file), file));
  if (!reader.rows_.next(reader.header_))
    return diagnostics.error(table_malformed, {}, {"`" + std::string(sources.path(file)) + "` is empty"});
  std::set<std::string_view> names;
  for (const Cell& cell : reader.header_)
    if (!cell.text.empty() && !names.insert(cell.text).second)
      return diagnostics.error(table_malformed, cell.span, {"there are two columns called `" + cell.text + "`"});
  return reader;
}

Result<bool> TableReader::next(std::vector<Cell>& row, Diagnostics& diagnostics) {
  if (!rows_.next(row)) return false;
  drop_empty_end(row, header_.size());
  Span behind{rows_.place().file, rows_.place().end, rows_.place().end};
  while (rows_.separator() == '\t' && row.size() < header_.size()) row.push_back({"", behind});
  if (row.size() == header_.size()) return true;
  std::vector<Note> notes;
  if (rows_.separator() == ',' && row.size() > header_.size())
    notes.push_back({{}, "commas separate columns here: decimals are written with a point"});
  return diagnostics.error(
      table_malformed, rows_.place(),
      {"this row has " + std::to_string(row.size()) + " cells, the header " + std::to_string(header_.size())},
      std::move(notes));
}

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
  Result<TableReader> reader = TableReader::open(sources, sources.add(path, content.str()), diagnostics);
  if (!reader) return diagnostics.already_reported();
  TextTable table{path, reader->header(), {}};
  for (std::vector<Cell> row;;) {
    Result<bool> more = reader->next(row, diagnostics);
    if (!more) return diagnostics.already_reported();
    if (!*more) return table;
    table.rows.push_back(row);
  }
}

std::string unit_in(const std::string& head) {
  std::size_t open = head.find(" [");
  bool there = open != std::string::npos && head.ends_with(']') && head.size() > open + 3;
  return there ? head.substr(open + 2, head.size() - open - 3) : "";
}

std::string name_in(const std::string& head) { return head.ends_with(']') ? head.substr(0, head.find(" [")) : head; }

Result<std::size_t> time_column(const std::string& file, const std::vector<Cell>& header, Diagnostics& diagnostics) {
  for (std::string_view name : {"time", "t", "Time"})
    for (std::size_t c = 0; c < header.size(); ++c)
      if (name_in(header[c].text) == name) return c;
  std::vector<std::string> known;
  for (const Cell& c : header) known.push_back(c.text);
  std::vector<Note> notes = did_you_mean("time", known);
  if (header.size() == 1) notes.push_back({{}, "tabs, semicolons, commas or blanks separate columns"});
  else if (std::all_of(known.begin(), known.end(), [](const std::string& head) { return number_in(head).has_value(); }))
    notes.push_back({{}, "the first line names the columns"});
  else if (notes.empty()) notes.push_back({{}, "the column with the times is called `time` or `t`"});
  return diagnostics.error(column_missing, header[0].span, {file, "time"}, std::move(notes));
}

bool is_missing(const Cell& cell) {
  if (cell.text.size() > 4) return false;
  std::string text = lower(cell.text);
  return text.empty() || text == "na" || text == "nan" || text == "-nan" || text == "null";
}

bool looks_missing(const Cell& cell) {
  constexpr std::array words{"n/a", "#n/a", "n.a.", "#value!", "none", "missing", "nd", "-", "--", ".", "?"};
  std::string text = lower(cell.text);
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.starts_with('+')) return {};
  double value = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (stop != text.data() + text.size() || std::isnan(value)) return {};
  if (error == std::errc()) return value;
  if (error != std::errc::result_out_of_range) return {};
  std::size_t exponent = text.find_first_of("eE");  // too large a number is none, too small a one is 0
  bool is_small = exponent != std::string_view::npos ? text.substr(exponent + 1).starts_with('-') : text.find('.') <= 2;
  return is_small ? std::optional(std::signbit(value) || text.starts_with('-') ? -0.0 : 0.0) : std::nullopt;
}

Result<double> number_of(const Cell& cell, Diagnostics& diagnostics) {
  if (std::optional<double> value = number_in(cell.text)) return *value;
  std::vector<Note> notes;
  if (std::string remedy = remedy_for(cell); !remedy.empty()) notes.push_back({{}, remedy});
  if (looks_missing(cell)) notes.push_back({{}, "a cell without a number is empty or `NA`"});
  return diagnostics.error(number_expected, cell.span, {cell.text}, std::move(notes));
}

std::optional<NotNumbers> read_numbers(std::string_view text, std::optional<std::size_t> heading, NumberTable& into) {
  TextRows rows(text, {}, TextRows::Comments::ends);
  rows.skip_lines(heading.value_or(0));
  into = {};
  for (std::vector<Cell> row; rows.next(row);) {
    if (into.columns == 0 && !heading && is_heading(row)) {
      rows.separate_anew();
      continue;
    }
    drop_empty_end(row, into.columns > 0 ? into.columns : row.size() - row.back().text.empty());
    for (std::size_t c = 0; c < row.size(); ++c)
      if (auto value = number_in(row[c].text)) into.numbers.push_back(*value);
      else return NotNumbers{.line = rows.line(), .cell = c + 1, .text = row[c].text, .remedy = remedy_for(row[c])};
    if (into.columns > 0 && row.size() != into.columns)
      return NotNumbers{.line = rows.line(), .found = row.size(), .wanted = into.columns};
    into.columns = row.size();
  }
  return into.columns > 0 ? std::nullopt : std::optional(NotNumbers{});
}

std::string said(const NotNumbers& fault, bool shows) {
  if (fault.line == 0) return "it has no numbers";
  std::string line = "line " + std::to_string(fault.line);
  if (fault.cell == 0)
    return line + " has " + std::to_string(fault.found) + " numbers, the lines before it " + std::to_string(fault.wanted);
  std::string text = line + ": ";
  if (fault.text.empty()) text += "cell " + std::to_string(fault.cell) + " is empty";
  else if (shows) text += "`" + fault.text.substr(0, 40) + "` is not a number";
  else text += "cell " + std::to_string(fault.cell) + " is not a number";
  return fault.remedy.empty() ? text : text + "; " + fault.remedy;
}

}  // namespace bolza
