#include "compiler/driver/annotated_options.h"

#include <charconv>
#include <cmath>


namespace bolza::driver {

namespace {

std::string text_of(double value) {
  char text[40];
  auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string text_of(const std::variant<double, std::string>& value) {
  const double* number = std::get_if<double>(&value);
  return number ? text_of(*number) : std::get<std::string>(value);
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

}  // namespace

Result<Options> annotated_options(const ir::FlatModel& model, Diagnostics& diagnostics) {
  Options options;
  Result<Done> experiment = read_experiment(model, options, diagnostics);
  bool good = bool(experiment);
  for (const ir::AnnotationOption& option : model.solver) {
    Result<Done> done = set_option(options, plain_name(option.name), text_of(option.value), option.span, diagnostics);
    good &= bool(done);
  }
  if (!good) return diagnostics.already_reported();
  return options;
}

}  // namespace bolza::driver
