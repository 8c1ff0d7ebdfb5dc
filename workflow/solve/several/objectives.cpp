// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/several/objectives.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/file_stem.h"
#include "workflow/solve/report/report.h"

namespace bolza::workflow {
namespace {

constexpr const char* option = "--objectives ";

std::string class_over(const Model& base) { return "'" + file_stem(base.class_name) + " with --objectives'"; }

std::string without_spaces(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '\''; }
bool goes_on(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Names of variables and parameters without subscripts; true: it varies with time.
std::map<std::string, bool> varying_names(const Model& base) {
  std::map<std::string, bool> names{{"time", false}, {"startTime", false}, {"finalTime", false}};
  for (const ir::Variable& v : base.problem.flat.variables) {
    using enum ir::VariableKind;
    if (v.kind != parameter && v.kind != unknown && v.kind != input && v.kind != discrete) continue;
    std::string name;
    for (const auto& part : v.name) name += (name.empty() ? "" : ".") + part.name;
    names[name] = v.kind != parameter;
  }
  return names;
}

/// Those that are arrays, or in arrays of components.
std::set<std::string> names_of_arrays(const Model& base) {
  std::set<std::string> names;
  for (const ir::Variable& v : base.problem.flat.variables)
    if (v.name.size() == 1 && !v.dimensions.empty()) names.insert(v.name[0].name);
  return names;
}

/// One text with its place, part for part.
class ObjectivesReader {
 public:
  ObjectivesReader(const std::string& text, const Model& base, Sources& sources, Diagnostics& diagnostics)
      : text_(option + text),
        file_(sources.add("command line", text_)),
        names_(varying_names(base)),
        arrays_(names_of_arrays(base)),
        diagnostics_(diagnostics) {}

  Result<Objectives> read() {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    std::string signs;
    if (!split(parts, signs)) return diagnostics_.already_reported();
    if (signs.find(',') != signs.npos && signs.find('>') != signs.npos)
      return wrong("`>` and `,` stand together: either an order or a front", 0, text_.size());
    for (auto [begin, end] : parts) {
      std::string written = trimmed(begin, end);
      if (written.empty()) return wrong("an objective is missing next to `,` or `>`", begin, std::max(end, begin + 1));
      for (const WrittenObjective& other : out_.list)
        if (without_spaces(other.text) == without_spaces(written))
          return wrong("`" + written + "` is there twice; an objective bounds another one, not itself", begin, end);
      has_extremum_ = false;
      Result<std::string> expression = timed(begin, end);
      if (!expression) return diagnostics_.already_reported();
      out_.list.push_back({written, *expression, has_extremum_});
    }
    out_.way = signs.empty()          ? ObjectivesWay::weighted
               : signs.front() == '>' ? ObjectivesWay::lexicographic
                                      : ObjectivesWay::front;
    return out_;
  }

 private:
  Reported wrong(const std::string& what, std::size_t begin, std::size_t end, std::vector<Note> notes = {}) {
    Span at{file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    return diagnostics_.error(bad_objectives, at, {what}, std::move(notes));
  }

  std::string trimmed(std::size_t begin, std::size_t end) const {
    while (begin < end && text_[begin] == ' ') ++begin;
    while (end > begin && text_[end - 1] == ' ') --end;
    return text_.substr(begin, end - begin);
  }

  /// At `,` and `>` outside of parentheses.
  Result<Done> split(std::vector<std::pair<std::size_t, std::size_t>>& parts, std::string& signs) {
    std::size_t begin = std::string(option).size();
    int depth = 0;
    for (std::size_t at = begin; at < text_.size(); ++at) {
      char c = text_[at];
      if (c == '\'') at = std::min(text_.find('\'', at + 1), text_.size() - 1);
      if (c == ';' || c == '"') return wrong(std::string("`") + c + "` does not belong to an expression", at, at + 1);
      bool relates = c == '<' || c == '=' || (c == '>' && at + 1 < text_.size() && text_[at + 1] == '=');
      if (relates) return wrong("a relation is no objective; it belongs into the `constraint` section", at, at + 1);
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (depth < 0) return wrong("a parenthesis is closed that was not opened", at, at + 1);
      if (depth > 0 || (c != ',' && c != '>')) continue;
      parts.emplace_back(begin, at);
      signs += c;
      begin = at + 1;
    }
    parts.emplace_back(begin, text_.size());
    if (depth > 0) return wrong("a parenthesis is not closed", text_.size() - 1, text_.size());
    return Done{};
  }

  std::size_t end_of_name(std::size_t at) const {
    if (text_[at] == '\'') return std::min(text_.find('\'', at + 1), text_.size() - 1) + 1;
    while (at < text_.size() && goes_on(text_[at])) ++at;
    return at;
  }

  std::size_t closing(std::size_t at) const {
    int depth = 0;
    for (; at < text_.size(); ++at) {
      depth += (text_[at] == '(' || text_[at] == '[') - (text_[at] == ')' || text_[at] == ']');
      if (depth == 0) return at;
    }
    return text_.size() - 1;
  }

  /// Whether what stands in parentheses is one argument of scalar variables.
  bool is_of_one_value(std::size_t open) const {
    int depth = 0;
    bool varies = false;
    for (std::size_t at = open; at <= closing(open); ++at) {
      char c = text_[at];
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (c == '{' || (c == ',' && depth == 1)) return false;
      if (!begins_name(c) || (at > 0 && (goes_on(text_[at - 1]) || text_[at - 1] == '.'))) continue;
      std::string name = text_.substr(at, end_of_name(at) - at);
      auto known = names_.find(name);
      if (name == "for" || (known == names_.end() && text_[end_of_name(at)] != '(')) return false;
      if (known != names_.end() && arrays_.contains(name)) return false;
      varies = varies || (known != names_.end() && known->second);
    }
    return varies;
  }

  /// The expression with `(finalTime)` after every variable; integrals and extrema over time stay as they are.
  Result<std::string> timed(std::size_t begin, std::size_t end) {
    std::string out;
    for (std::size_t at = begin; at < end;) {
      if (std::isdigit(static_cast<unsigned char>(text_[at])) || text_[at] == '.') {
        while (at < end && (goes_on(text_[at]) || text_[at] == '.' ||
                            ((text_[at] == '-' || text_[at] == '+') && (text_[at - 1] == 'e' || text_[at - 1] == 'E'))))
          out += text_[at++];
      } else if (begins_name(text_[at])) {
        Result<std::size_t> next = name(at, end, out);
        if (!next) return diagnostics_.already_reported();
        at = *next;
      } else {
        out += text_[at++];
      }
    }
    return out;
  }

  /// A name from `at`, written to `out`; where it ends.
  Result<std::size_t> name(std::size_t at, std::size_t end, std::string& out) {
    std::string plain, written;
    std::size_t next = at;
    while (next < end && begins_name(text_[next])) {
      std::size_t stop = end_of_name(next);
      plain += text_.substr(next, stop - next);
      written += text_.substr(next, stop - next);
      next = stop;
      if (next < end && text_[next] == '[') {
        stop = closing(next) + 1;
        written += text_.substr(next, stop - next);
        next = stop;
      }
      if (next + 1 >= end || text_[next] != '.' || !begins_name(text_[next + 1])) break;
      plain += '.';
      written += '.';
      ++next;
    }
    bool call = next < end && text_[next] == '(';
    if (call && (plain == "integral" || plain == "maxOverTime" || plain == "minOverTime")) {
      std::size_t stop = closing(next) + 1;
      out += text_.substr(at, stop - at);
      has_extremum_ |= plain != "integral";
      return stop;
    }
    if (call && (plain == "max" || plain == "min") && is_of_one_value(next))
      return wrong("`" + plain + "` of one value is that value at the final time", at, closing(next) + 1,
                   {{{},
                     "`" + plain + "OverTime" + text_.substr(next, closing(next) + 1 - next) + "` is the " +
                         (plain == "max" ? "largest" : "smallest") + " over the horizon"}});
    auto known = names_.find(plain);
    if (call && known != names_.end() && known->second) {  // x(2.5): the time is given
      std::size_t stop = closing(next) + 1;
      out += written + text_.substr(next, stop - next);
      return stop;
    }
    if (!call && known == names_.end()) {
      std::vector<std::string> all;
      for (const auto& one : names_) all.push_back(one.first);
      return wrong("`" + plain + "` is not a variable or parameter of the class", at, next, did_you_mean(plain, all));
    }
    out += plain == "time" ? "finalTime" : written;
    if (!call && known->second) out += "(finalTime)";
    return next;
  }

  std::string text_;
  SourceId file_;
  std::map<std::string, bool> names_;
  std::set<std::string> arrays_;
  Diagnostics& diagnostics_;
  bool has_extremum_ = false;  // the objective that is being read
  Objectives out_;
};

}  // namespace

std::string value_name(std::size_t k) { return "objective_" + std::to_string(k + 1); }

Result<Objectives> read_objectives(const std::string& text, const Model& base, Sources& sources, Diagnostics& diagnostics) {
  return ObjectivesReader(text, base, sources, diagnostics).read();
}

LoadRequest with_objective(const Model& base, const Objectives& objectives, std::size_t minimised,
                           std::span<const double> limits) {
  bool single = objectives.list.size() == 1;
  std::string name = class_over(base);
  std::string text = "optimization " + name +
                     "(\n  objective = " + (single ? objectives.list[0].expression : value_name(minimised)) +
                     ",\n  objectiveIntegrand = 0)\n  extends ." + base.class_name + ";\n";
  for (std::size_t k = 0; !single && k < objectives.list.size(); ++k) {
    text += "  parameter Real " + value_name(k) + "(free = true";
    if (k < limits.size() && std::isfinite(limits[k])) text += ", max = " + shown(limits[k], 17);
    text += ");\n";
  }
  if (!single) text += "constraint\n";
  for (std::size_t k = 0; !single && k < objectives.list.size(); ++k)
    text +=
        "  " + value_name(k) + (objectives.list[k].has_extremum ? " >= " : " = ") + objectives.list[k].expression + ";\n";
  LoadRequest load = base.request;
  load.class_name = name;
  load.texts.push_back({"--objectives", text + "end " + name + ";\n"});
  return load;
}

}  // namespace bolza::workflow
