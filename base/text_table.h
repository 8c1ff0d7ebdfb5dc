// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"

namespace bolza {

struct Cell {
  std::string text;  ///< without quotes and surrounding blanks
  Span span;
};

/// The rows of a text with separated columns, from the first to the last. The first row says what separates: tabs, else
/// semicolons, else commas, outside of quotes and brackets, else blanks, any number of which are one. Cells may be quoted,
/// "" is a quote in them. A byte order mark, the \r of line ends and lines that are empty or begin with # are left out.
/// Every table that the program reads is read by this class. Cost: O(text); a row allocates only what is longer than before.
class TextRows {
 public:
  enum class Comments : std::uint8_t { lines, ends };  ///< ends: a # ends a row, too

  /// `text` is that of `file` (which may be none) and stays where it is.
  TextRows(std::string_view text, SourceId file, Comments comments = Comments::lines);

  /// False at the end.
  bool next(std::vector<Cell>& row);
  /// The next row says what separates, as where this one was a heading.
  void separate_anew() { separator_ = 0; }
  void skip_lines(std::size_t count);

  char separator() const { return separator_; }
  std::size_t line() const { return line_; }  ///< of the row, from 1
  Span place() const { return place(begin_, end_); }

 private:
  Span place(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  void add_cell(std::vector<Cell>& row, std::size_t& count, std::size_t from, std::size_t to) const;

  std::string_view text_;
  SourceId file_;
  Comments comments_;
  char separator_ = 0;
  std::size_t at_ = 0, line_ = 0, begin_ = 0, end_ = 0;
};

/// The same with a header. Empty cells behind the last column are left out; where tabs separate, empty cells at the end of a
/// row may be missing, as editors leave out what is blank.
class TableReader {
 public:
  /// Reads the header. Errors  E931 there is none, two columns of one name.
  static Result<TableReader> open(const Sources& sources, SourceId file, Diagnostics& diagnostics);

  const std::vector<Cell>& header() const { return header_; }
  /// False at the end. Errors  E931 a row of another length.
  Result<bool> next(std::vector<Cell>& row, Diagnostics& diagnostics);
  Span place() const { return rows_.place(); }

 private:
  explicit TableReader(TextRows rows) : rows_(rows) {}

  TextRows rows_;
  std::vector<Cell> header_;
};

/// A table of text: a header line, then rows of as many cells.
struct TextTable {
  std::string file;
  std::vector<Cell> header;
  std::vector<std::vector<Cell>> rows;

  /// The column called one of these names; the first one counts.
  std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const;
};

/// Errors  E930 unreadable, E931 as TableReader.
Result<TextTable> read_table(const std::string& path, Sources& sources, Diagnostics& diagnostics);

/// "y [m]" in a header: the name, and the unit in brackets, which may be empty.
std::string name_in(const std::string& head);
std::string unit_in(const std::string& head);
/// The column `time`, `t` or `Time`, with or without a unit. Errors  E933.
Result<std::size_t> time_column(const std::string& file, const std::vector<Cell>& header, Diagnostics& diagnostics);

/// Is the cell without a value: empty, NA, NaN?
bool is_missing(const Cell& cell);
/// Does it say so by a word that tables elsewhere use and that is none here: n/a, -, none?
bool looks_missing(const Cell& cell);
/// The number in a cell, independent of the locale; "inf" is one. Absent when it is none.
std::optional<double> number_in(std::string_view text);
/// Errors  E932 text where a number is wanted.
Result<double> number_of(const Cell& cell, Diagnostics& diagnostics);

/// Rows of numbers, all of one length.
struct NumberTable {
  std::size_t columns = 0;
  std::vector<double> numbers;  ///< row by row
};
/// Why a text is no table of numbers.
struct NotNumbers {
  std::size_t line = 0;  ///< 0: there is no row of numbers
  std::size_t cell = 0;  ///< from 1; 0: the row has `found` numbers, those before it `wanted`
  std::size_t found = 0, wanted = 0;
  std::string text, remedy;  ///< of the cell that is no number
};

/// Reads a table without a header, for a model. `heading` lines are left out; where it is absent, rows without numbers
/// before the first one with some. A # ends a row. Gives what is wrong, if anything is.
std::optional<NotNumbers> read_numbers(std::string_view text, std::optional<std::size_t> heading, NumberTable& into);
/// "line 3 has 2 numbers, the lines before it 3"; the cell is quoted with `shows` alone, for it may be none of a table.
std::string said(const NotNumbers& fault, bool shows);

}  // namespace bolza
