// SPDX-License-Identifier: Apache-2.0
#include "workflow/verify/verify_result.h"

#include <algorithm>
#include <charconv>

#include "runtime/result/file.h"
#include "runtime/result/restore.h"
#include "workflow/codes.h"
#include "workflow/sensitivity/optimum_sensitivity.h"
#include "workflow/solve/method/solver.h"

namespace bolza::workflow {
namespace {

/// What a result says of where it comes from: the last value of a key, or all of them.
class Origin {
 public:
  explicit Origin(const result::ResultTable& table) : words_(table.metadata) {}

  std::string one(std::string_view key) const {
    std::vector<std::string> values = all(key);
    return values.empty() ? "" : values.back();
  }
  std::vector<std::string> all(std::string_view key) const {
    std::vector<std::string> values;
    for (const auto& [name, value] : words_)
      if (name == key) values.push_back(value);
    return values;
  }
  std::optional<double> number(std::string_view key) const {
    std::string text = one(key);
    double value = 0;
    auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end.ec != std::errc()) return {};
    return value;
  }

 private:
  const std::vector<std::pair<std::string, std::string>>& words_;
};

LoadRequest load_of(const VerifyRequest& request, const Origin& origin) {
  LoadRequest load = request.load;
  load.form = passes::Form::explicit_rates;
  if (load.file.empty()) load.file = origin.one("model");
  if (load.class_name.empty()) load.class_name = origin.one("class");
  if (load.settings.empty()) load.settings = origin.all("set");
  if (load.library_paths.empty()) load.library_paths = origin.all("path");
  load.horizon = {.start = origin.number("start"), .stop = origin.number("stop")};
  load.path_tolerance = origin.number("path-tolerance");
  constexpr double most_samples = 1e6;  // that `--samples` takes
  if (auto samples = origin.number("samples"); samples && *samples >= 1 && *samples <= most_samples)
    load.samples = static_cast<std::uint32_t>(*samples);
  return load;
}

verify::Certificate nothing_checked(const std::string& why) {
  verify::Certificate out;
  out.checks.push_back({.name = "all", .text = why});
  return out;
}

bool is_of_first_order(const verify::ConditionCheck& check) { return check.name != "second order" && check.name != "gap"; }

Proof proof_of(const verify::Certificate& certificate) {
  auto any = [&](verify::CheckResult result) {
    return std::ranges::any_of(certificate.checks, [&](const verify::ConditionCheck& check) {
      return check.result == result && (result == verify::CheckResult::failed || is_of_first_order(check));
    });
  };
  if (any(verify::CheckResult::failed)) return Proof::refused;
  return any(verify::CheckResult::not_checked) ? Proof::incomplete : Proof::verified;
}

}  // namespace

const char* name_of(verify::CheckResult result) {
  switch (result) {
    case verify::CheckResult::passed:
      return "passed";
    case verify::CheckResult::failed:
      return "failed";
    case verify::CheckResult::not_checked:
      return "not checked";
  }
  return "";
}

const char* name_of(Proof proof) {
  switch (proof) {
    case Proof::verified:
      return "verified";
    case Proof::incomplete:
      return "not verified in full";
    case Proof::refused:
      return "refused";
  }
  return "";
}

Result<VerifyOutcome> verify_solution(Model& model, const result::ResultTable& whole, const VerifyRequest& request) {
  VerifyOutcome out{.class_name = model.class_name, .settings = model.request.settings};
  for (const auto& [key, value] : whole.metadata) out.origin.push_back(key + "=" + value);
  std::string changed = Origin(whole).one("changed");
  if (!changed.empty()) {
    out.certificate = nothing_checked(changed);
    return out;
  }
  auto library = solver_library(model.diagnostics);
  if (!library) return model.diagnostics.already_reported();
  std::vector<result::ResultTable> tables(1, whole);
  result::Restored restored = result::restore(model.abi(), tables);
  if (!restored.missing.empty()) {
    out.certificate = nothing_checked("the file has no `" + restored.missing.front() + "`");
    return out;
  }
  result::restore_multipliers(model.abi(), whole, restored.solution);
  out.certificate = (*library)->verify(model.abi(), restored.solution, {.tolerance = request.tolerance});
  out.proof = proof_of(out.certificate);
  if (!request.sensitivity.wanted) return out;
  auto found = optimum_sensitivity(model, whole, restored.solution, request.sensitivity);
  if (!found) return model.diagnostics.already_reported();
  out.sensitivity = *std::move(found);
  return out;
}

VerifyRun verify_result(const VerifyRequest& request) {
  VerifyRun out{std::make_unique<Model>(), {}};
  Model& model = *out.model;
  auto table = result::read_result(request.result, model.sources, model.diagnostics);
  if (!table) return out;
  LoadRequest load = load_of(request, Origin(*table));
  if (load.file.empty()) {
    model.diagnostics.error(model_unknown, {}, {request.result});
    return out;
  }
  if (!model.load(load) || !model.compile()) return out;
  if (Result<VerifyOutcome> found = verify_solution(model, *table, request)) out.outcome = *std::move(found);
  return out;
}

}  // namespace bolza::workflow
