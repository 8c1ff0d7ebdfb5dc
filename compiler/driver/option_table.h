// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostics.h"
#include "base/result.h"

namespace bolza::driver {

/// What an option's value looks like.
enum class OptionType : std::uint8_t {
  choice,
  number,
  integer,
  mesh,
  grid,  ///< intervals, of all controls or by name
  list,  ///< some of `choices` with commas between them, or `all`, or `none`
  flag,
  text,
  row  ///< name of a row of one of the solver library's tables, checked where that library is opened
};

/// One solver option, named the same on the command line (`--mesh 100`), in a chain (`radau(mesh=100)`) and in
/// `annotation(mesh = 100)`. One table row each; `bolza methods` and `--help` print it.
struct OptionRow {
  std::string_view name;
  OptionType type;
  std::string_view fallback;                 ///< the default, as text; "" when it depends on other things
  std::array<std::string_view, 12> choices;  ///< of a choice; unused ones empty
  std::array<std::string_view, 6> aliases;   ///< accepted spellings in other tools
  std::string_view help;
};

std::span<const OptionRow> option_table();

/// A classical name for a combination: `ipopt+cvodes`, `nlsq_cvodes`, `euler`.
struct MethodRow {
  std::string_view name;
  std::array<std::pair<std::string_view, std::string_view>, 4> options;  ///< unused ones empty
  std::string_view help;
};

std::span<const MethodRow> method_table();

/// Values by canonical name, all checked. Options of engines have the engine's name before a dot, "ipopt.max_iter", and are
/// checked where the solver library is open; "chain" is what the class's
/// annotation says in the words of `--chain`.
struct Options {
  std::map<std::string, std::string> values;
  std::map<std::string, Span> places;  ///< where each was set, as far as known

  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;  ///< given value or the table's default
  double number(std::string_view name) const;     ///< expects a row of type number or integer
  int integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  Span place(std::string_view name) const;  ///< no place when the table's default holds
  /// Later settings win.
  void merge(const Options& other);
};

/// Checks and stores one setting. `name` may be an alias, differ in case, `-` or `_`; `method`, `solver` and `transcription`
/// accept method names. Errors: E901 unknown option (with the near match), E902 value of the wrong form, E903 no such
/// method.
Result<Done> set_option(Options& options, std::string_view name, std::string_view value, Span at, Diagnostics& diagnostics);

}  // namespace bolza::driver
