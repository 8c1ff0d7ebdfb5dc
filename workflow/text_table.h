#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"

namespace bolza::workflow {

struct Cell {
  std::string text;  ///< without quotes and surrounding blanks
  Span span;
};

/// A table of text: a header line, then rows of as many cells.
struct TextTable {
  std::string file;
  std::vector<Cell> header;
  std::vector<std::vector<Cell>> rows;

  /// The column called one of these names; the first one counts.
  std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const;
};

/// Reads a file with columns separated by commas, semicolons or tabs, whichever the header has. Cells may be quoted; lines
/// that are empty or begin with `#` are left out. Where tabs separate, empty cells at the end of a row may be missing, as
/// editors leave out what is blank.
/// Errors  E930 unreadable, E931 a row of another length, two columns of one name, no header.
Result<TextTable> read_table(const std::string& path, Sources& sources, Diagnostics& diagnostics);

/// Is the cell without a value: empty, NA, NaN?
bool is_missing(const Cell& cell);
/// Does it say so by a word that tables elsewhere use and that is none here: n/a, -, none?
bool looks_missing(const Cell& cell);
/// The number in a cell; "inf" is one. Absent when it is none.
std::optional<double> number_in(std::string_view text);
/// Errors  E932 text where a number is wanted.
Result<double> number_of(const Cell& cell, Diagnostics& diagnostics);

}  // namespace bolza::workflow
