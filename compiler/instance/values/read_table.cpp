// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include "base/text_table.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/library/folders_internal.h"
#include "compiler/instance/library/refusal_internal.h"
#include "compiler/instance/values/evaluator_internal.h"

/// Numbers from CSV files, for `Modelica.DOML.readTable`.
namespace bolza::instance {

Result<Value> table_of_text(std::string_view text, const std::string& name, Span at, Diagnostics& d) {
  NumberTable read;
  if (auto fault = read_numbers(text, {}, read)) return d.error(codes::bad_table, at, {name, said(*fault, true)});
  Value table;
  std::size_t rows = read.numbers.size() / read.columns;
  table.dimensions = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(read.columns)};
  table.numbers = std::move(read.numbers);
  return table;
}

Result<Value> read_table(const std::string& name, std::span<const std::string_view> beside, const TrustRules& trust, Span at,
                         Diagnostics& d) {
  namespace fs = std::filesystem;
  std::string first, refused;
  for (std::string_view file : beside) {
    fs::path path = fs::path(file).parent_path() / name;  // an absolute name stays what it is
    if (first.empty()) first = path.string();
    std::error_code none;
    if (!fs::is_regular_file(path, none)) continue;
    if (!trust.may_read(path.string(), TrustRules::Contents::numbers)) refused = path.string();
    else if (auto text = read_file(path.string())) return table_of_text(*text, name, at, d);
  }
  if (!refused.empty()) return refuse_untrusted(trust, "readTable", "it reads `" + refused + "` for a model", at, d);
  return d.error(codes::bad_table, at, {name, "there is no file `" + first + "`"});
}

}  // namespace bolza::instance
