// SPDX-License-Identifier: Apache-2.0
#include "runtime/kkt/structure.h"

#include <algorithm>
#include <limits>

namespace bolza::kkt {
namespace {

constexpr std::int32_t nowhere = -2;

class StructureFinder {
 public:
  explicit StructureFinder(const ChainShape& shape) : shape_(shape), n_(shape.n), m_(shape.m) {}

  std::optional<ChainStructure> find() {
    place_variables();
    place_rows();
    if (!place_far_curvature()) return std::nullopt;
    collect_nodes();
    if (out_.border_nodes.size() > Chain::most_border || out_.stages.empty()) return std::nullopt;
    find_boundaries();
    number_nodes();
    collect_entries();
    return std::move(out_);
  }

 private:
  struct Range {
    std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = -1;
    void add(std::int32_t stage) {
      low = std::min(low, stage);
      high = std::max(high, stage);
    }
    bool any() const { return high >= 0; }
  };
  std::int32_t& of_variable(std::int32_t v) { return out_.stage_of[static_cast<std::size_t>(v)]; }
  std::int32_t& of_row(std::int32_t r) { return out_.stage_of[n_ + static_cast<std::size_t>(r)]; }

  /// Where a variable is used first, if by neighbours only: a state at a mesh point belongs to the stage that ends there.
  void place_variables() {
    out_.n = n_;
    out_.m = m_;
    out_.hessian_size = shape_.hessian.size();
    out_.jacobian_size = shape_.jacobian.size();
    out_.stage_of.assign(n_ + m_, border);
    std::vector<Range> used(n_);
    for (std::size_t e = 0; e < shape_.jacobian.size(); ++e) {
      std::int32_t stage = shape_.row_stage[static_cast<std::size_t>(shape_.jacobian.row[e])];
      if (stage != border) used[static_cast<std::size_t>(shape_.jacobian.col[e])].add(stage);
    }
    for (std::size_t v = 0; v < n_; ++v) {
      if (shape_.variable_stage[v] == border) continue;
      if (!used[v].any()) out_.stage_of[v] = shape_.variable_stage[v];
      else if (used[v].high - used[v].low <= 1) out_.stage_of[v] = used[v].low;
    }
  }

  /// With the last of its variables, if all are of that stage and the one before.
  void place_rows() {
    std::vector<Range> uses(m_);
    for (std::size_t e = 0; e < shape_.jacobian.size(); ++e)
      if (std::int32_t stage = of_variable(shape_.jacobian.col[e]); stage != border)
        uses[static_cast<std::size_t>(shape_.jacobian.row[e])].add(stage);
    for (std::size_t r = 0; r < m_; ++r)
      if (shape_.row_stage[r] != border && uses[r].any() && uses[r].high - uses[r].low <= 1)
        out_.stage_of[n_ + r] = uses[r].high;
  }

  bool place_far_curvature() {
    for (std::size_t e = 0; e < shape_.hessian.size(); ++e) {
      std::int32_t a = of_variable(shape_.hessian.row[e]), b = of_variable(shape_.hessian.col[e]);
      if (a != border && b != border && std::abs(a - b) > 1) return false;
    }
    return true;
  }

  void collect_nodes() {
    std::int32_t last = -1;
    for (std::int32_t stage : out_.stage_of) last = std::max(last, stage);
    out_.stages.resize(static_cast<std::size_t>(last + 1));
    for (std::size_t node = 0; node < n_ + m_; ++node) {
      auto id = static_cast<std::int32_t>(node);
      if (out_.stage_of[node] == border) {
        out_.border_nodes.push_back(id);
        continue;
      }
      ChainStage& stage = out_.stages[static_cast<std::size_t>(out_.stage_of[node])];
      stage.own.push_back(id);
      stage.variables += node < n_;
    }
  }

  /// Calls with the two nodes and the source of every entry of K.
  template <class Call>
  void for_entries(Call call) const {
    auto n = static_cast<std::int32_t>(n_);
    std::int32_t source = 0;
    for (std::size_t e = 0; e < shape_.hessian.size(); ++e) call(shape_.hessian.row[e], shape_.hessian.col[e], source++);
    for (std::size_t e = 0; e < shape_.jacobian.size(); ++e)
      call(n + shape_.jacobian.row[e], shape_.jacobian.col[e], source++);
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(n_ + m_); ++node) call(node, node, source++);
  }

  void find_boundaries() {
    std::vector<std::uint8_t> crosses(n_ + m_, 0);
    for_entries([&](std::int32_t a, std::int32_t b, std::int32_t) {
      std::int32_t s = out_.stage_of[static_cast<std::size_t>(a)], t = out_.stage_of[static_cast<std::size_t>(b)];
      if (s == border || t == border || s == t) return;
      crosses[static_cast<std::size_t>(s < t ? a : b)] = 1;
    });
    for (ChainStage& stage : out_.stages)
      for (std::size_t k = 0; k < stage.own.size(); ++k)
        if (crosses[static_cast<std::size_t>(stage.own[k])]) stage.boundary.push_back(static_cast<std::int32_t>(k));
  }

  void number_nodes() {
    own_.assign(n_ + m_, nowhere);
    at_boundary_.assign(n_ + m_, nowhere);
    for (const ChainStage& stage : out_.stages) {
      for (std::size_t k = 0; k < stage.own.size(); ++k)
        own_[static_cast<std::size_t>(stage.own[k])] = static_cast<std::int32_t>(k);
      for (std::size_t k = 0; k < stage.boundary.size(); ++k)
        at_boundary_[static_cast<std::size_t>(stage.own[static_cast<std::size_t>(stage.boundary[k])])] =
            static_cast<std::int32_t>(k);
    }
    for (std::size_t k = 0; k < out_.border_nodes.size(); ++k)
      own_[static_cast<std::size_t>(out_.border_nodes[k])] = static_cast<std::int32_t>(k);
  }

  void collect_entries() {
    for_entries([&](std::int32_t a, std::int32_t b, std::int32_t source) {
      std::int32_t s = out_.stage_of[static_cast<std::size_t>(a)], t = out_.stage_of[static_cast<std::size_t>(b)];
      std::int32_t home = std::max(s, t);
      if (home == border) {
        out_.border_entries.push_back({own_[static_cast<std::size_t>(a)], own_[static_cast<std::size_t>(b)], source});
        return;
      }
      out_.stages[static_cast<std::size_t>(home)].entries.push_back({code(a, s, home), code(b, t, home), source});
    });
  }
  std::int32_t code(std::int32_t node, std::int32_t stage, std::int32_t home) const {
    auto own = static_cast<std::int32_t>(out_.stages[static_cast<std::size_t>(home)].own.size());
    auto before = static_cast<std::int32_t>(out_.boundary_before(static_cast<std::size_t>(home)));
    if (stage == home) return own_[static_cast<std::size_t>(node)];
    if (stage == border) return own + before + own_[static_cast<std::size_t>(node)];
    return own + at_boundary_[static_cast<std::size_t>(node)];
  }

  const ChainShape& shape_;
  std::size_t n_, m_;
  ChainStructure out_;
  std::vector<std::int32_t> own_, at_boundary_;  // positions
};

}  // namespace

std::optional<ChainStructure> find_structure(const ChainShape& shape) { return StructureFinder(shape).find(); }

}  // namespace bolza::kkt
