// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/nodes/space_internal.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/bit_order.h"
#include "base/expects.h"
#include "compiler/ir/apply.h"

namespace bolza::flatten {

Known::Known(std::vector<double> each) {
  uniform_ = each.empty() ? 0 : each[0];
  bool equal = std::all_of(each.begin(), each.end(), [&](double v) { return bits_of(v) == bits_of(uniform_); });
  if (!equal) each_ = std::make_shared<const std::vector<double>>(std::move(each));
}

double Known::least(std::size_t n) const {
  double least = (*this)[0];
  if (each_)
    for (std::size_t i = 1; i < n; ++i) least = std::min(least, (*each_)[i]);
  return least;
}

double Known::greatest(std::size_t n) const {
  double greatest = (*this)[0];
  if (each_)
    for (std::size_t i = 1; i < n; ++i) greatest = std::max(greatest, (*each_)[i]);
  return greatest;
}

Known apply_known(ir::Op op, std::span<const Known> operands, std::size_t n) {
  auto at = [&](std::size_t i) {
    std::array<double, 3> v{};
    for (std::size_t k = 0; k < operands.size(); ++k) v[k] = operands[k][i];
    return ir::apply<double>(op, v[0], v[1], v[2]);
  };
  bool uniform = std::all_of(operands.begin(), operands.end(), [](const Known& k) { return k.is_uniform(); });
  if (uniform) return at(0);
  std::vector<double> each(n);
  for (std::size_t i = 0; i < n; ++i) each[i] = at(i);
  return Known(std::move(each));
}

Known repeat(const Known& known, std::size_t n, std::size_t m) {
  if (known.is_uniform()) return known;
  std::vector<double> each;
  each.reserve(n * m);
  for (std::size_t i = 0; i < n; ++i) each.insert(each.end(), m, known[i]);
  return Known(std::move(each));
}

Known pick(const Known& known, std::span<const std::uint32_t> instances) {
  if (known.is_uniform()) return known;
  std::vector<double> each;
  each.reserve(instances.size());
  for (std::uint32_t i : instances) each.push_back(known[i]);
  return Known(std::move(each));
}

const Known* Space::find(AxisId axis) const {
  for (std::size_t k = axes.size(); k-- > 0;)
    if (axes[k].first == axis) return &axes[k].second;
  return nullptr;
}

Space extend(const Space& space, AxisId axis, std::span<const double> values) {
  std::vector<double> each;
  each.reserve(space.n * values.size());
  for (std::size_t i = 0; i < space.n; ++i) each.insert(each.end(), values.begin(), values.end());
  return extend_each(space, axis, std::move(each));
}

Space extend_each(const Space& space, AxisId axis, std::vector<double> values) {
  if (space.n == 0) return {.n = 0, .axes = {}};
  expects(values.size() % space.n == 0, "an axis has equally many values for every instance");
  std::size_t m = values.size() / space.n;
  Space wider;
  wider.n = values.size();
  if (wider.n == 0) return wider;
  for (const auto& [id, known] : space.axes) wider.axes.emplace_back(id, repeat(known, space.n, m));
  wider.axes.emplace_back(axis, Known(std::move(values)));
  return wider;
}

Space extend_to(const Space& space, AxisId axis, std::int64_t m) {
  std::vector<double> values(static_cast<std::size_t>(m));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i + 1);
  return extend(space, axis, values);
}

Space pick(const Space& space, std::span<const std::uint32_t> instances) {
  Space part;
  part.n = instances.size();
  for (const auto& [id, known] : space.axes) part.axes.emplace_back(id, pick(known, instances));
  return part;
}

Outcome<double> Work::uniform(const Known& known) {
  if (known.is_uniform()) return known.uniform();
  return split_by(known);
}

Again Work::split_by(const Known& key) {
  expects(!key.is_uniform(), "a split divides");
  key_ = key;
  return Again(Again::How::split);
}

std::vector<Space> Work::parts(const Failure& failure) const {
  expects(failure.is(Again::How::split), "a space is split where that was asked for");
  std::vector<Space> parts;
  for (const auto& instances : parts_of(key_, space.n)) parts.push_back(pick(space, instances));
  return parts;
}

std::vector<std::vector<std::uint32_t>> parts_of(const Known& key, std::size_t n) {
  std::vector<std::vector<std::uint32_t>> parts;
  std::map<std::uint64_t, std::size_t> place;
  for (std::uint32_t i = 0; i < n; ++i) {
    auto [at, is_new] = place.emplace(bits_of(key[i]), parts.size());
    if (is_new) parts.emplace_back();
    parts[at->second].push_back(i);
  }
  return parts;
}

}  // namespace bolza::flatten
