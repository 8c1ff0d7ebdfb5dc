// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/model/total_entries.h"

#include <algorithm>

#include "runtime/linalg/block_triangular_form.h"

namespace bolza::integrate {
namespace {

bool by_columns(const TotalEntries::Place& a, const TotalEntries::Place& b) {
  return a.col != b.col ? a.col < b.col : a.row < b.row;
}

void sort_unique(std::vector<std::int32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Where a number stands among others, which are ascending; -1 where it does not.
Eigen::Index index_in(const std::vector<std::int32_t>& numbers, std::int32_t number) {
  auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
  return found != numbers.end() && *found == number ? found - numbers.begin() : -1;
}

}  // namespace

TotalEntries::TotalEntries(const bolza_model& model)
    : n_z_(model.n_z),
      columns_(1 + model.n_x + model.n_u + model.n_global) {
  list_entries(model);
  std::vector<Columns> depends = dependencies();
  make_places(depends);
  if (by_z_.empty()) return;
  by_rows_ = rows_.size() < moved_.size();
  if (by_rows_) multiply_by_rows();
  else multiply_by_columns(depends);
}

// Which entries of the kernels are by columns of ours, and which by algebraics.
void TotalEntries::list_entries(const bolza_model& model) {
  auto n_x = static_cast<std::int32_t>(model.n_x), n_z = static_cast<std::int32_t>(n_z_);
  auto sort_in = [&](const bolza_function* f, std::int32_t rows, std::vector<KernelEntry>& direct,
                     std::vector<KernelEntry>& by_z) {
    for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
      std::int32_t row = f->jac_row[e], col = f->jac_col[e];
      if (row >= rows) continue;
      bool is_z = col > n_x && col <= n_x + n_z;
      if (is_z) by_z.push_back({e, row, col - n_x - 1});
      else if (col > n_x) col -= n_z;
      if (!is_z && static_cast<std::size_t>(col) < columns_)
        direct.push_back({e, row, col});  // others are shared values that are not free
    }
  };
  sort_in(model.rates, static_cast<std::int32_t>(model.n_x + model.n_q), direct_, by_z_);
  if (n_z) sort_in(model.residuals, n_z, residual_direct_, residual_by_z_);
}

// [n_z] the columns that may move each algebraic.
std::vector<TotalEntries::Columns> TotalEntries::dependencies() const {
  std::vector<Columns> of_row(n_z_), z_of_row(n_z_), out(n_z_);
  if (n_z_ == 0) return out;
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  for (const KernelEntry& k : residual_direct_) of_row[static_cast<std::size_t>(k.row)].push_back(k.col);
  for (const KernelEntry& k : residual_by_z_) {
    places.emplace_back(k.row, k.col);
    z_of_row[static_cast<std::size_t>(k.row)].push_back(k.col);
  }
  linalg::BlockTriangularForm form = linalg::block_triangular_form(n_z_, places);
  if (!form.complete) return out;  // h_z has no inverse: nothing is ever filled in
  for (std::size_t b = form.first.size() - 1; b-- > 0;) {
    Columns columns;
    auto first = static_cast<std::size_t>(form.first[b]), end = static_cast<std::size_t>(form.first[b + 1]);
    for (std::size_t k = first; k < end; ++k) {
      auto row = static_cast<std::size_t>(form.row[k]);
      columns.insert(columns.end(), of_row[row].begin(), of_row[row].end());
      for (std::int32_t z : z_of_row[row]) {
        const Columns& known = out[static_cast<std::size_t>(z)];  // empty where it is of this block
        columns.insert(columns.end(), known.begin(), known.end());
      }
    }
    sort_unique(columns);
    for (std::size_t k = first; k < end; ++k) out[static_cast<std::size_t>(form.col[k])] = columns;
  }
  return out;
}

void TotalEntries::make_places(const std::vector<Columns>& depends) {
  for (const KernelEntry& k : direct_) places_.push_back({k.row, k.col});
  if (by_z_.empty()) return;
  for (const KernelEntry& k : by_z_) {
    const Columns& columns = depends[static_cast<std::size_t>(k.col)];
    for (std::int32_t c : columns) places_.push_back({k.row, c});
    moved_.insert(moved_.end(), columns.begin(), columns.end());
    rows_.push_back(k.row);
  }
  sort_unique(moved_);
  sort_unique(rows_);
  std::sort(places_.begin(), places_.end(), by_columns);
  auto same = [](const Place& a, const Place& b) { return a.row == b.row && a.col == b.col; };
  places_.erase(std::unique(places_.begin(), places_.end(), same), places_.end());
  for (const KernelEntry& k : direct_) direct_place_.push_back(place_of(k.row, k.col));
}

// F_z (h_z⁻¹ h_c)
void TotalEntries::multiply_by_columns(const std::vector<Columns>& depends) {
  for (const KernelEntry& k : residual_direct_)
    if (Eigen::Index at = index_in(moved_, k.col); at >= 0)
      right_.push_back({k.entry, k.row, static_cast<std::int32_t>(at)});
  for (const KernelEntry& k : by_z_)
    for (std::int32_t c : depends[static_cast<std::size_t>(k.col)])
      products_.push_back({k.entry, place_of(k.row, c), k.col, index_in(moved_, c)});
}

// (h_z⁻ᵀ F_zᵀ)ᵀ h_c
void TotalEntries::multiply_by_rows() {
  for (const KernelEntry& k : by_z_) right_.push_back({k.entry, k.col, static_cast<std::int32_t>(index_in(rows_, k.row))});
  for (const KernelEntry& k : residual_direct_)
    for (std::int32_t row : rows_)
      if (std::size_t place = place_of(row, k.col); place < places_.size())
        products_.push_back({k.entry, place, k.row, index_in(rows_, row)});
}

std::size_t TotalEntries::place_of(std::int32_t row, std::int32_t col) const {
  Place wanted{row, col};
  auto found = std::lower_bound(places_.begin(), places_.end(), wanted, by_columns);
  if (found == places_.end() || by_columns(wanted, *found)) return places_.size();
  return static_cast<std::size_t>(found - places_.begin());
}

bool TotalEntries::fill(const std::vector<double>& of_rates, const std::vector<double>& of_residuals,
                        const linalg::Factors<double>* algebraic, std::vector<double>& entries) {
  entries.assign(places_.size(), 0.0);
  if (by_z_.empty()) {
    for (std::size_t k = 0; k < direct_.size(); ++k) entries[k] = of_rates[direct_[k].entry];
    return true;
  }
  const std::vector<double>&solved_with = by_rows_ ? of_rates : of_residuals,
        &multiplied = by_rows_ ? of_residuals : of_rates;
  for (std::size_t k = 0; k < direct_.size(); ++k) entries[direct_place_[k]] += of_rates[direct_[k].entry];
  solved_.setZero(static_cast<Eigen::Index>(n_z_), static_cast<Eigen::Index>(by_rows_ ? rows_.size() : moved_.size()));
  for (const KernelEntry& k : right_) solved_(k.row, k.col) += solved_with[k.entry];
  solved_ = algebraic->solve(solved_, by_rows_);
  for (const Product& p : products_) entries[p.place] -= multiplied[p.entry] * solved_(p.algebraic, p.solve);
  return solved_.allFinite();
}

}  // namespace bolza::integrate
