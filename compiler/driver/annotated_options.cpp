// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/annotated_options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/numbers.h"
#include "compiler/driver/engine_option_names.h"
#include "compiler/driver/option_codes.h"

namespace bolza::driver {

namespace {

std::string text_of(const std::variant<double, std::string>& value) {
  const double* number = std::get_if<double>(&value);
  return number ? exact_text(*number) : std::get<std::string>(value);
}

/// "solver.mesh" is "mesh"; "solver" alone names a method.
std::string_view plain_name(std::string_view name) {
  constexpr std::string_view prefix = "solver.";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

const ir::AnnotationOption* find(const std::vector<ir::AnnotationOption>& options, std::string_view name) {
  for (const ir::AnnotationOption& option : options)
    if (option.name == name || option.name.ends_with("." + std::string(name))) return &option;
  return nullptr;
}

double number_of(const ir::AnnotationOption& option) {
  if (const double* number = std::get_if<double>(&option.value)) return *number;
  const std::string& text = std::get<std::string>(option.value);
  double value = NAN;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Result<Done> read_experiment(const ir::FlatModel& model, Options& options, Diagnostics& diagnostics) {
  if (const ir::AnnotationOption* tolerance = find(model.experiment, "Tolerance")) {
    Result<Done> done = set_option(options, "tol", text_of(tolerance->value), tolerance->span, diagnostics);
    if (!done) return done;
  }
  const ir::AnnotationOption *interval = find(model.experiment, "Interval"), *stop = find(model.experiment, "StopTime"),
                             *start = find(model.experiment, "StartTime");
  if (!interval || !stop) return Done{};
  double length = number_of(*stop) - (start ? number_of(*start) : 0), intervals = std::round(length / number_of(*interval));
  if (!(intervals >= 1)) return Done{};  // the horizon comes from elsewhere
  return set_option(options, "mesh", text_of(intervals), interval->span, diagnostics);
}

/// `chain = {stage(method = "euler", mesh = 20), stage(mesh = 100)}` comes as options chain.1.method, chain.1.mesh,
/// chain.2.mesh: the stages in the words of `--chain`.
class ChainWriter {
 public:
  explicit ChainWriter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// False when the option's name or value is wrong. `name` begins with "chain".
  bool add(std::string_view name, const std::string& value, Span at) {
    if (name == "chain") {
      text_ = value;
      return true;
    }
    std::size_t dot = std::min(name.find('.', 6), name.size());
    std::string_view stage = name.substr(6, dot - 6), setting = name.substr(std::min(dot + 1, name.size()));
    if (stage != stage_) {
      close();
      stage_ = stage;
      method_ = "collocation";
    }
    Options checked;
    if (!set_option(checked, setting, value, at, diagnostics_)) return false;
    if (setting == "method" || setting == "transcription" || setting == "solver") method_ = value;
    else settings_ += (settings_.empty() ? "" : ", ") + std::string(setting) + "=" + quoted(value);
    return true;
  }

  std::string text() {
    close();
    return text_;
  }

 private:
  static std::string quoted(const std::string& value) {
    return value.find_first_of(" ,()") == std::string::npos ? value : '"' + value + '"';
  }

  void close() {
    if (stage_.empty()) return;
    text_ += (text_.empty() ? "" : " -> ") + method_;
    if (!settings_.empty()) text_ += "(" + settings_ + ")";
    stage_.clear();
    settings_.clear();
  }

  Diagnostics& diagnostics_;
  std::string text_, stage_, method_, settings_;
};

/// A model does not decide where files are written.
bool is_plain_result_name(const std::string& name) {
  return name.find('/') == name.npos && (name.ends_with(".mat") || name.ends_with(".csv"));
}

/// "ipopt.tol" of "chain.2.ipopt.tol".
std::string_view setting_of_stage(std::string_view name) {
  std::size_t dot = name.find('.', 6);
  return name.substr(std::min(dot, name.size() - 1) + 1);
}

/// Refuses an option of an engine that a model may not set.
Result<Done> check_allowed(std::string_view name, std::string_view value, Span at, Diagnostics& diagnostics) {
  std::string reaching = reaching_option(name, value);
  if (reaching.empty()) return Done{};
  return diagnostics.error(not_for_models, at, {reaching},
                           {{{}, "give it on the command line: --engine-option " + reaching + "=…"}});
}

}  // namespace

Result<Options> annotated_options(const ir::FlatModel& model, Diagnostics& diagnostics) {
  Options options;
  Result<Done> experiment = read_experiment(model, options, diagnostics);
  bool good = bool(experiment);
  ChainWriter chain(diagnostics);
  for (const ir::AnnotationOption& option : model.solver) {
    std::string_view name = plain_name(option.name);
    std::string value = text_of(option.value);
    std::string_view setting = name.starts_with("chain.") ? setting_of_stage(name) : name;
    good &= bool(check_allowed(setting, value, option.span, diagnostics));
    if (name == "chain" || name.starts_with("chain.")) good &= chain.add(name, value, option.span);
    else good &= bool(set_option(options, name, value, option.span, diagnostics));
  }
  if (options.has("output") && !is_plain_result_name(options.text("output"))) {
    diagnostics.error(not_for_models, options.place("output"), {"output"},
                      {{{}, "a model may name its result NAME.mat or NAME.csv, without a folder; -o takes any name"}});
    good = false;
  }
  if (std::string text = chain.text(); !text.empty()) options.values["chain"] = text;
  if (!good) return diagnostics.already_reported();
  return options;
}

}  // namespace bolza::driver
