// SPDX-License-Identifier: Apache-2.0
#include "runtime/kkt/stage_kind.h"

#include <algorithm>
#include <array>

namespace bolza::kkt {
namespace {

constexpr std::int32_t unmatched = -1;

/// A dependent variable for every equation of a stage: a maximum matching by augmenting paths, free variables last.
class Dependence {
 public:
  Dependence(std::size_t equations, std::size_t variables)
      : adjacent_(equations),
        equation_of_(variables, unmatched),
        seen_(variables, 0) {}
  void add(std::int32_t equation, std::int32_t variable) {
    adjacent_[static_cast<std::size_t>(equation)].push_back(variable);
  }

  /// @param late  [variables] 1: tried last     False: an equation has none.
  bool match(const std::vector<std::uint8_t>& late) {
    for (auto& variables : adjacent_)
      std::stable_partition(variables.begin(), variables.end(),
                            [&](std::int32_t v) { return !late[static_cast<std::size_t>(v)]; });
    for (std::size_t e = 0; e < adjacent_.size(); ++e) {
      ++round_;
      if (!augment(static_cast<std::int32_t>(e), late, Late::no)) {
        ++round_;
        if (!augment(static_cast<std::int32_t>(e), late, Late::yes)) return false;
      }
    }
    return true;
  }
  bool is_dependent(std::size_t variable) const { return equation_of_[variable] != unmatched; }

 private:
  enum class Late : std::uint8_t { no, yes };
  /// As deep as there are equations in a stage, which is bounded (`most_equations`).
  bool augment(std::int32_t equation, const std::vector<std::uint8_t>& late, Late with_late) {
    for (std::int32_t v : adjacent_[static_cast<std::size_t>(equation)]) {
      auto variable = static_cast<std::size_t>(v);
      if (seen_[variable] == round_ || (late[variable] && with_late == Late::no)) continue;
      seen_[variable] = round_;
      if (equation_of_[variable] != unmatched && !augment(equation_of_[variable], late, with_late)) continue;
      equation_of_[variable] = equation;
      return true;
    }
    return false;
  }
  std::vector<std::vector<std::int32_t>> adjacent_;
  std::vector<std::int32_t> equation_of_;
  std::vector<int> seen_;
  int round_ = 0;
};

constexpr std::size_t most_equations = 400;  // of a stage in lanes: dense blocks of more are no gain

class KindFinder {
 public:
  KindFinder(const ChainStructure& structure, std::size_t stage, const std::vector<std::uint8_t>& is_free,
             const std::vector<std::uint8_t>& is_soft)
      : structure_(structure),
        stage_(structure.stages[stage]),
        is_free_(is_free),
        is_soft_(is_soft) {
    kind_.before = structure.boundary_before(stage);
    before_ = static_cast<std::int32_t>(kind_.before);
    own_ = static_cast<std::int32_t>(stage_.own.size());
  }

  StageInLanes find() {
    list_rows();
    if (kind_.equations.size() > most_equations || !find_dependent()) return {};
    find_border();
    sort_entries();
    find_boundary();
    return {std::move(kind_), std::move(sources_), std::move(zeros_), true};
  }

 private:
  enum class Part : std::uint8_t { z, w, equation, soft };
  struct Code {
    Part part;
    std::int32_t index;
  };

  void list_rows() {
    index_.assign(stage_.own.size(), 0);
    for (std::size_t k = stage_.variables; k < stage_.own.size(); ++k) {
      auto row = static_cast<std::size_t>(stage_.own[k]) - structure_.n;
      std::vector<std::int32_t>& list = is_soft_[row] ? kind_.soft : kind_.equations;
      index_[k] = static_cast<std::int32_t>(list.size());
      list.push_back(static_cast<std::int32_t>(k));
    }
    kind_.K = kind_.equations.size();
  }
  bool is_row(std::int32_t code) const { return code >= static_cast<std::int32_t>(stage_.variables) && code < own_; }
  bool is_soft(std::int32_t code) const {
    return is_soft_[static_cast<std::size_t>(stage_.own[static_cast<std::size_t>(code)]) - structure_.n] != 0;
  }

  bool find_dependent() {
    Dependence dependence(kind_.K, stage_.variables);
    for (const StageEntry& e : stage_.entries)
      if (is_row(e.row) && !is_soft(e.row) && e.col < static_cast<std::int32_t>(stage_.variables))
        dependence.add(index_[static_cast<std::size_t>(e.row)], e.col);
    std::vector<std::uint8_t> late;
    for (std::size_t k = 0; k < stage_.variables; ++k) late.push_back(is_free_[static_cast<std::size_t>(stage_.own[k])]);
    if (!dependence.match(late)) return false;
    for (std::size_t k = 0; k < stage_.variables; ++k) {
      is_dependent_.push_back(dependence.is_dependent(k));
      std::vector<std::int32_t>& list = is_dependent_[k] ? kind_.dependent : kind_.free;
      index_[k] = static_cast<std::int32_t>(list.size());
      list.push_back(static_cast<std::int32_t>(k));
    }
    return true;
  }

  void find_border() {
    for (const StageEntry& e : stage_.entries)
      for (std::int32_t code : {e.row, e.col})
        if (code >= own_ + before_) kind_.border.push_back(code - own_ - before_);
    std::sort(kind_.border.begin(), kind_.border.end());
    kind_.border.erase(std::unique(kind_.border.begin(), kind_.border.end()), kind_.border.end());
  }

  Code code_of(std::int32_t code) const {
    auto free = static_cast<std::int32_t>(kind_.free.size());
    if (code >= own_ + before_) {
      auto at = std::lower_bound(kind_.border.begin(), kind_.border.end(), code - own_ - before_);
      return {Part::w, free + before_ + static_cast<std::int32_t>(at - kind_.border.begin())};
    }
    if (code >= own_) return {Part::w, free + code - own_};
    std::int32_t index = index_[static_cast<std::size_t>(code)];
    if (is_row(code)) return {is_soft(code) ? Part::soft : Part::equation, index};
    return {is_dependent_[static_cast<std::size_t>(code)] ? Part::z : Part::w, index};
  }

  void sort_entries() {
    struct Found {
      LanePlace place;
      std::int32_t source;
    };
    std::array<std::vector<Found>, 8> found;
    for (const StageEntry& e : stage_.entries) {
      Code a = code_of(e.row), b = code_of(e.col);
      if (a.part < b.part) std::swap(a, b);
      LanePlace place{a.index, b.index};
      std::size_t list = 0;
      if (a.part == Part::equation && b.part == Part::equation) {
        zeros_.push_back(e.source);
        continue;
      }
      if (a.part == Part::equation) list = b.part == Part::z ? 0 : 1;
      else if (a.part == Part::soft) list = b.part == Part::z ? 5 : b.part == Part::w ? 6 : 7;
      else if (a.part == Part::w && b.part == Part::w) list = 4;
      else if (a.part == Part::w) {
        list = 3;
        place = {b.index, a.index};
      } else list = 2;
      if ((list == 2 || list == 4) && place.row < place.col) std::swap(place.row, place.col);
      found[list].push_back({place, e.source});
    }
    std::array<std::vector<LanePlace>*, 7> lists{&kind_.A,  &kind_.F,      &kind_.zz,    &kind_.zw,
                                                 &kind_.ww, &kind_.soft_z, &kind_.soft_w};
    for (std::size_t k = 0; k < found.size(); ++k) {
      std::stable_sort(found[k].begin(), found[k].end(), [](const Found& a, const Found& b) {
        return a.place.row != b.place.row ? a.place.row < b.place.row : a.place.col < b.place.col;
      });
      for (const Found& f : found[k]) {
        if (k < lists.size()) lists[k]->push_back(f.place);
        sources_.push_back(f.source);
      }
    }
  }

  void find_boundary() {
    for (std::int32_t own : stage_.boundary) {
      auto k = static_cast<std::size_t>(own);
      kind_.boundary.push_back({is_dependent_[k] ? 0 : 1, index_[k]});
    }
  }

  const ChainStructure& structure_;
  const ChainStage& stage_;
  const std::vector<std::uint8_t>& is_free_;
  const std::vector<std::uint8_t>& is_soft_;
  std::int32_t own_ = 0, before_ = 0;
  StageKind kind_;
  std::vector<std::int32_t> index_, sources_, zeros_;  // index: within the list of its part
  std::vector<std::uint8_t> is_dependent_;
};

void close(StageGroup& group, std::vector<std::vector<std::int32_t>>& sources) {
  std::size_t values = group.kind->values();
  group.sources.resize(values * lanes);
  for (std::size_t e = 0; e < values; ++e)
    for (std::size_t l = 0; l < lanes; ++l) group.sources[e * lanes + l] = sources[l < sources.size() ? l : 0][e];
  sources.clear();
}

}  // namespace

StageInLanes find_kind(const ChainStructure& structure, std::size_t stage, const std::vector<std::uint8_t>& is_free,
                       const std::vector<std::uint8_t>& is_soft) {
  return KindFinder(structure, stage, is_free, is_soft).find();
}

StageGroups group_stages(const ChainStructure& structure, const ChainShape& shape) {
  StageGroups out;
  out.group_of.assign(structure.stages.size(), -1);
  out.lane_of.assign(structure.stages.size(), -1);
  std::vector<std::vector<std::int32_t>> sources;
  bool open = false;
  auto end_group = [&] {
    if (open) close(out.groups.back(), sources);
    open = false;
  };
  for (std::size_t k = 0; k < structure.stages.size(); ++k) {
    StageInLanes found = find_kind(structure, k, shape.is_free, shape.is_soft);
    if (!found.possible) {
      end_group();
      continue;
    }
    if (open && (sources.size() == lanes || !(found.kind == *out.kinds.back()))) end_group();
    if (!open) {
      if (out.kinds.empty() || !(found.kind == *out.kinds.back()))
        out.kinds.push_back(std::make_unique<StageKind>(std::move(found.kind)));
      out.groups.push_back({out.kinds.back().get(), {}, {}, {}});
      open = true;
    }
    StageGroup& group = out.groups.back();
    out.group_of[k] = static_cast<std::int32_t>(out.groups.size()) - 1;
    out.lane_of[k] = static_cast<std::int32_t>(sources.size());
    group.stages.push_back(k);
    group.zeros.insert(group.zeros.end(), found.zeros.begin(), found.zeros.end());
    sources.push_back(std::move(found.sources));
  }
  end_group();
  return out;
}

}  // namespace bolza::kkt
