// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/function_rows.h"

namespace bolza::passes {

void FunctionRows::add(const ir::Section& section) {
  for_each_instance(section, [&](const GroupInstance& i) {
    instances.push_back(i);
    for (RowId& row : instances.back().rows) row = RowId(row.index() + n_rows);
  });
  n_rows += section.n_rows;
}

void FunctionRows::add(const ir::Section& section, const std::vector<bool>& kept) {
  std::vector<RowId> place(section.n_rows);
  for (std::size_t row = 0; row < kept.size(); ++row)
    if (kept[row]) place[row] = RowId(std::size_t{n_rows++});
  for_each_instance(section, [&](const GroupInstance& i) {
    if (!kept[i.rows[0].index()]) return;
    instances.push_back(i);
    for (RowId& row : instances.back().rows) row = place[row.index()];
  });
}

void FunctionRows::add(const LoweredRow& row) {
  for (std::size_t k = 0; k < row.parts.size(); ++k)
    instances.push_back({row.parts[k], {RowId(std::size_t{n_rows})}, row.origins[k]});
  ++n_rows;
}

void FunctionRows::add(Applied part, std::uint32_t origin) {
  instances.push_back({std::move(part), {RowId(std::size_t{n_rows++})}, origin});
}

void FunctionRows::add(const EventRow& row) {
  instances.push_back({row.value, {}, row.origin});
  for (std::size_t r = 0; r < row.value.roots.size(); ++r) instances.back().rows.emplace_back(std::size_t{n_rows++});
}

std::vector<std::uint32_t> FunctionRows::origins() const {
  std::vector<std::uint32_t> result(n_rows, 0);
  std::vector<bool> known(n_rows, false);
  for (const GroupInstance& i : instances)
    for (RowId row : i.rows)
      if (!known[row.index()]) {
        known[row.index()] = true;
        result[row.index()] = i.origin;
      }
  return result;
}

}  // namespace bolza::passes
