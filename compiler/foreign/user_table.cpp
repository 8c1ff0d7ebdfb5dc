// SPDX-License-Identifier: Apache-2.0
#include "compiler/foreign/user_table.h"

#include "compiler/foreign/modelica_utilities.h"

namespace bolza::foreign {
namespace {

using UserTable = int (*)(char*, int, int*, int*, double**);

struct TableCall {
  UserTable function;
  std::string name;
  int kind = 0;
  int sizes[2] = {0, 0};
  int by_columns = 0;
  double* numbers = nullptr;

  bool run() { return function(name.data(), kind, sizes, &by_columns, &numbers) == 0; }
};

}  // namespace

std::optional<std::string> call_user_table(void* function, const std::string& name, UserTableKind kind,
                                           std::vector<std::vector<double>>& rows) {
  TableCall call{.function = reinterpret_cast<UserTable>(function), .name = name, .kind = static_cast<int>(kind)};
  bool given = false;
  auto failure = catch_modelica_error([](void* c) { return static_cast<TableCall*>(c)->run(); }, &call, given);
  if (failure) return "`usertab`: " + *failure;
  if (!given || call.numbers == nullptr || call.sizes[0] < 0 || call.sizes[1] < 0)
    return "`usertab` does not give the table `" + name + "`";
  auto n = static_cast<std::size_t>(call.sizes[0]), width = static_cast<std::size_t>(call.sizes[1]);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double>& row = rows.emplace_back();
    for (std::size_t j = 0; j < width; ++j) row.push_back(call.numbers[call.by_columns != 0 ? j * n + i : i * width + j]);
  }
  return std::nullopt;
}

}  // namespace bolza::foreign
