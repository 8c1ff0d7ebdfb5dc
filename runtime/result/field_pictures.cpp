// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/field_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/numbers.h"
#include "runtime/result/report.h"

namespace bolza::result {
namespace {

using Names = std::unordered_map<std::string_view, const ResultVariable*>;

constexpr std::size_t most_rows = 80, n_times = 140, n_shades = 24, most_pictures = 12;
constexpr double left = 62, right = 470, top = 26, bottom = 296;  // of the picture in its frame of 560 by 340

struct GridOfDomain {
  std::string name;  ///< "rod.omega"
  std::vector<double> x;
};

struct FieldOfGrid {
  std::string name;
  const GridOfDomain* grid = nullptr;
  std::vector<const ResultVariable*> points;
};

std::string element(std::string_view array, std::size_t k) { return std::string(array) + "[" + std::to_string(k) + "]"; }

std::string_view parent_of(std::string_view name) {
  std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::vector<GridOfDomain> grids_of(const ResultTable& table, const Names& names) {
  std::vector<GridOfDomain> out;
  for (const ResultVariable& v : table.variables) {
    if (!v.constant || (!v.name.ends_with(".dx") && v.name != "dx")) continue;
    GridOfDomain grid{std::string(parent_of(v.name)), {}};
    if (grid.name.empty() || !names.contains(grid.name + ".L")) continue;
    for (std::size_t k = 1;; ++k) {
      auto at = names.find(element(grid.name + ".x", k));
      if (at == names.end() || !at->second->constant) break;
      grid.x.push_back(at->second->value);
    }
    if (grid.x.size() > 1 && std::ranges::is_sorted(grid.x)) out.push_back(std::move(grid));
  }
  return out;
}

std::vector<FieldOfGrid> fields_of(const ResultTable& table, const Names& names, const std::vector<GridOfDomain>& grids) {
  std::vector<FieldOfGrid> out;
  for (const ResultVariable& v : table.variables) {
    if (v.constant || !v.name.ends_with("[1]") || v.name.find('(') != std::string::npos) continue;
    std::string array = v.name.substr(0, v.name.size() - 3);
    for (const GridOfDomain& grid : grids) {
      std::size_t n = grid.x.size();
      bool same = parent_of(array) == parent_of(grid.name) && !names.contains(element(array, n + 1));
      FieldOfGrid field{array, &grid, {}};
      for (std::size_t k = 1; same && k <= n; ++k) {
        auto at = names.find(element(array, k));
        same = at != names.end();
        if (same) field.points.push_back(at->second);
      }
      if (!same) continue;
      out.push_back(std::move(field));
      break;
    }
  }
  return out;
}

/// Dark blue over green to yellow, the same step in lightness from each to the next.
std::string shade(std::size_t k) {
  constexpr std::array<std::array<double, 3>, 5> anchors{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  double at = 4.0 * static_cast<double>(k) / (n_shades - 1);
  auto i = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  std::string out = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    auto value = static_cast<unsigned>(
        std::lround(anchors[i][c] + (at - static_cast<double>(i)) * (anchors[i + 1][c] - anchors[i][c])));
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[value >> 4];
    out += digits[value & 15];
  }
  return out;
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return "<text x='" + shown(x, 5) + "' y='" + shown(y, 5) + "' text-anchor='" + anchor + "'>" + escaped(words) + "</text>";
}

/// Rows of the picture: each point has the stretch to the middles between it and its neighbours.
class FieldPicture {
 public:
  FieldPicture(const ResultTable& table, const FieldOfGrid& field) : table_(table), field_(field) {
    std::size_t stride = (field.points.size() + most_rows - 1) / most_rows;
    for (std::size_t k = 0; k < field.points.size(); k += stride) rows_.push_back(k);
    sample();
  }

  std::string svg() const {
    std::array<std::string, n_shades> paths;
    for (std::size_t r = 0; r < rows_.size(); ++r) row(r, paths);
    std::string out =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 560 340' font-size='12' font-family='sans-serif' "
        "fill='currentColor' shape-rendering='crispEdges'>";
    for (std::size_t k = 0; k < n_shades; ++k) {
      if (!paths[k].empty()) out += "<path fill='" + shade(k) + "' d='" + paths[k] + "'/>";
      double height = (bottom - top) / n_shades;
      out += "<rect x='486' width='14' y='" + shown(bottom - static_cast<double>(k + 1) * height, 5) + "' height='" +
             shown(height + 0.3, 5) + "' fill='" + shade(k) + "'/>";
    }
    const std::vector<double>& x = field_.grid->x;
    out += text((left + right) / 2, 16, "middle", field_.name + unit());
    out += text(left, bottom + 16, "middle", shown(table_.time.front(), 4)) +
           text(right, bottom + 16, "middle", shown(table_.time.back(), 4)) +
           text((left + right) / 2, bottom + 32, "middle", "time [s]");
    out += text(left - 6, bottom, "end", shown(x.front(), 4)) + text(left - 6, top + 10, "end", shown(x.back(), 4)) +
           text(left - 6, (top + bottom) / 2, "end", "x");
    return out + text(504, bottom, "start", shown(low_, 4)) + text(504, top + 10, "start", shown(high_, 4)) + "</svg>";
  }

 private:
  std::string unit() const {
    const std::string& unit = field_.points[0]->unit;
    return unit.empty() ? "" : " [" + unit + "]";
  }

  void sample() {
    double first = table_.time.front(), length = table_.time.back() - first;
    for (std::size_t k : rows_) {
      std::vector<double>& values = values_.emplace_back();
      for (std::size_t j = 0; j < n_times; ++j) {
        double t = first + length * (static_cast<double>(j) + 0.5) / n_times;
        double value = interpolate(table_, *field_.points[k], t);
        values.push_back(value);
        if (!std::isfinite(value)) continue;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
      }
    }
  }

  std::size_t shade_of(double value) const {
    if (!std::isfinite(value) || high_ <= low_) return 0;
    return std::min(n_shades - 1, static_cast<std::size_t>((value - low_) / (high_ - low_) * n_shades));
  }

  /// Stretches of equal shade become one rectangle each.
  void row(std::size_t r, std::array<std::string, n_shades>& paths) const {
    double from = height_at(r, /*above=*/false), to = height_at(r, /*above=*/true);
    for (std::size_t begin = 0, end = 0; begin < n_times; begin = end) {
      std::size_t k = shade_of(values_[r][begin]);
      while (end < n_times && shade_of(values_[r][end]) == k) ++end;
      double width = (right - left) / n_times;
      paths[k] += "M" + shown(left + width * static_cast<double>(begin), 5) + " " + shown(to, 5) + "h" +
                  shown(width * static_cast<double>(end - begin) + 0.2, 5) + "v" + shown(from - to + 0.2, 5) + "H" +
                  shown(left + width * static_cast<double>(begin), 5) + "z";
    }
  }

  double height_at(std::size_t r, bool above) const {
    const std::vector<double>& x = field_.grid->x;
    bool end = above ? r + 1 == rows_.size() : r == 0;
    double place = above ? x.back() : x.front();
    if (!end) place = (x[rows_[r]] + x[rows_[above ? r + 1 : r - 1]]) / 2;
    return bottom - (place - x.front()) / (x.back() - x.front()) * (bottom - top);
  }

  const ResultTable& table_;
  const FieldOfGrid& field_;
  std::vector<std::size_t> rows_;            ///< points that are drawn
  std::vector<std::vector<double>> values_;  ///< [row][time]
  double low_ = HUGE_VAL, high_ = -HUGE_VAL;
};

}  // namespace

std::vector<std::string> field_pictures(const ResultTable& table) {
  std::vector<std::string> out;
  if (table.time.empty()) return out;
  Names names;
  for (const ResultVariable& v : table.variables) names.emplace(v.name, &v);
  std::vector<GridOfDomain> grids = grids_of(table, names);
  if (grids.empty()) return out;
  for (const FieldOfGrid& field : fields_of(table, names, grids)) {
    if (out.size() == most_pictures) break;
    out.push_back(FieldPicture(table, field).svg());
  }
  return out;
}

}  // namespace bolza::result
