// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/given_arcs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

using passes::ControlArc;
using passes::OptimalityArc;

constexpr std::array<std::pair<std::string_view, ControlArc>, 4> arc_words{{{"max", ControlArc::upper},
                                                                            {"min", ControlArc::lower},
                                                                            {"free", ControlArc::free},
                                                                            {"singular", ControlArc::singular}}};

constexpr double inserted = 5e-3;  ///< of the horizon: how long an arc is at first that was not found

/// What holds one after the other, and from when on.
template <class T>
struct Track {
  std::vector<T> parts;
  std::vector<double> begins;  ///< of the parts

  const T& at(double t) const {
    auto after = std::upper_bound(begins.begin(), begins.end(), t);
    return parts[static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - begins.begin(), 1) - 1)];
  }
};

template <class T, class Of>
Track<T> track_of(const ArcStructure& structure, const Of& of) {
  Track<T> out;
  for (std::size_t k = 0; k < structure.sequence.arcs.size(); ++k) {
    T part = of(structure.sequence.arcs[k]);
    if (!out.parts.empty() && part == out.parts.back()) continue;
    out.parts.push_back(std::move(part));
    out.begins.push_back(structure.times[k]);
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The parts of a text between separators, without blanks at their ends.
std::vector<std::string_view> divided(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

class GivenArcs {
 public:
  GivenArcs(passes::OptimalitySystem& system, const ArcStructure& found) : system_(system), found_(found) {
    for (std::size_t j = 0; j < system.u.size(); ++j)
      controls_.push_back(track_of<ControlArc>(found, [&](const OptimalityArc& arc) { return arc.controls[j]; }));
    active_ = track_of<std::vector<passes::ActivePath>>(found, [](const OptimalityArc& arc) { return arc.active; });
  }

  /// "": done; else what is wrong.
  std::string read(std::string_view text) {
    for (std::string_view item : divided(text, ';')) {
      std::size_t colon = item.rfind(':');
      if (colon == item.npos) return "`" + std::string(item) + "` is not `control: max, singular, min`";
      std::optional<std::size_t> control = control_named(trimmed(item.substr(0, colon)));
      if (!control) return "there is no control `" + std::string(trimmed(item.substr(0, colon))) + "`";
      std::vector<ControlArc> parts;
      for (std::string_view word : divided(item.substr(colon + 1), ',')) {
        auto known = std::ranges::find(arc_words, word, &std::pair<std::string_view, ControlArc>::first);
        if (known == arc_words.end()) return "`" + std::string(word) + "` is none of `max`, `min`, `free`, `singular`";
        parts.push_back(known->second);
        if (std::string wrong = impossible(*control, known->second); !wrong.empty()) return wrong;
      }
      take(*control, std::move(parts));
    }
    return {};
  }

  ArcStructure structure() const {
    std::vector<double> begins;
    for (const auto& track : controls_) begins.insert(begins.end(), track.begins.begin(), track.begins.end());
    begins.insert(begins.end(), active_.begins.begin(), active_.begins.end());
    std::ranges::sort(begins);
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    ArcStructure out = found_;
    out.sequence.arcs.clear();
    out.times = begins;
    out.times.push_back(found_.times.back());
    for (double t : begins) {
      OptimalityArc arc{.active = active_.at(t)};
      for (const auto& track : controls_) arc.controls.push_back(track.at(t));
      out.sequence.arcs.push_back(std::move(arc));
    }
    return out;
  }

 private:
  std::optional<std::size_t> control_named(std::string_view name) const {
    for (std::size_t j = 0; j < system_.u.size(); ++j)
      if (system_.names[system_.u[j]] == name) return j;
    return {};
  }

  /// "": the control can have such an arc.
  std::string impossible(std::size_t j, ControlArc arc) {
    std::string name = "`" + system_.names[system_.u[j]] + "`";
    if (arc == ControlArc::lower && std::isinf(system_.u_min[j])) return name + " has no lower bound";
    if (arc == ControlArc::upper && std::isinf(system_.u_max[j])) return name + " has no upper bound";
    bool affine = driver::is_affine_in(system_, j);
    if (arc == ControlArc::free && affine && active_.parts.size() == 1 && active_.parts[0].empty())
      return "H is affine in " + name + ": between its bounds it is `singular`";
    if (arc == ControlArc::singular && !affine) return "H is not affine in " + name + ": between its bounds it is `free`";
    return {};
  }

  void take(std::size_t control, std::vector<ControlArc> parts) {
    Track<ControlArc>& track = controls_[control];
    std::vector<double> begins = parts.size() == track.parts.size() ? track.begins : begins_with_insertions(track, parts);
    if (begins.empty())
      for (double k = 0, n = static_cast<double>(parts.size()); k < n; ++k) begins.push_back(start() + length() * k / n);
    track = {std::move(parts), std::move(begins)};
  }

  double start() const { return found_.times.front(); }
  double length() const { return found_.times.back() - start(); }

  /// When the parts begin where those that were found are among them in their order: the others are short ones before the
  /// next. Empty: they are not.
  std::vector<double> begins_with_insertions(const Track<ControlArc>& track, const std::vector<ControlArc>& parts) const {
    std::vector<double> begins;
    std::size_t next = 0;
    for (ControlArc part : parts) {
      bool is_found = next < track.parts.size() && track.parts[next] == part;
      double end = next < track.begins.size() ? track.begins[next] : found_.times.back();
      begins.push_back(is_found ? track.begins[next] : end);
      if (is_found) ++next;
    }
    if (next < track.parts.size()) return {};
    for (std::size_t k = parts.size(); k-- > 0;) {
      double end = k + 1 < parts.size() ? begins[k + 1] : found_.times.back();
      begins[k] = std::min(begins[k], end - inserted * length());
    }
    return begins.front() >= start() ? begins : std::vector<double>();
  }

  passes::OptimalitySystem& system_;
  const ArcStructure& found_;
  std::vector<Track<ControlArc>> controls_;  // [u]
  Track<std::vector<passes::ActivePath>> active_;
};

}  // namespace

Result<ArcStructure> with_given_arcs(passes::OptimalitySystem& system, const ArcStructure& found, const std::string& text,
                                     Span where, Diagnostics& diagnostics) {
  GivenArcs given(system, found);
  if (std::string wrong = given.read(text); !wrong.empty()) return diagnostics.error(bad_arcs, where, {wrong});
  return given.structure();
}

}  // namespace bolza::workflow
