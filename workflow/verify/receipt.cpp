// SPDX-License-Identifier: Apache-2.0
#include "workflow/verify/receipt.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "base/sha256.h"
#include "runtime/result/file.h"
#include "workflow/codes.h"
#include "workflow/spare_inputs.h"
#include "workflow/verify/certificate_json.h"

namespace bolza::workflow {
namespace {

constexpr int receipt_version = 1;
constexpr double same_objective = 1e-9;  ///< relative: another processor may round otherwise

Result<nlohmann::json> file_json(const std::string& path, Diagnostics& diagnostics) {
  auto text = result::read_file(path, diagnostics);
  if (!text) return diagnostics.already_reported();
  return nlohmann::json{{"file", path}, {"sha256", sha256(*text)}};
}

/// What was read for the model, but for the result itself and texts that are no files.
std::vector<std::string> files_of(const Model& model, const std::string& result) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < model.sources.size(); ++k) {
    std::string path(model.sources.path(SourceId(static_cast<std::uint32_t>(k))));
    std::error_code none;
    if (std::filesystem::is_regular_file(path, none) && !is_same_file(path, result)) out.push_back(path);
  }
  return out;
}

std::string content_of(nlohmann::json receipt) {
  receipt.erase("content");
  return sha256(receipt.dump());
}

void compare_file(const nlohmann::json& entry, ReceiptRun& out) {
  Diagnostics diagnostics;
  std::string path = entry.at("file");
  auto text = result::read_file(path, diagnostics);
  if (!text) out.different.push_back("`" + path + "` cannot be read");
  else if (sha256(*text) != entry.at("sha256").get<std::string>())
    out.different.push_back("`" + path + "` is not what it was");
}

VerifyRequest request_of(const nlohmann::json& receipt, const LoadRequest& load) {
  VerifyRequest request{.result = receipt.at("result").at("file"), .load = load, .tolerance = receipt.at("tolerance")};
  request.load.file = receipt.at("given").at("model");
  request.load.class_name = receipt.at("class");
  request.load.settings = receipt.at("settings").get<std::vector<std::string>>();
  return request;
}

void compare_outcome(const nlohmann::json& receipt, const VerifyOutcome& outcome, ReceiptRun& out) {
  std::string verdict = receipt.at("verdict");
  if (verdict != name_of(outcome.proof))
    out.different.push_back("the verdict was `" + verdict + "` and is `" + name_of(outcome.proof) + "`");
  const nlohmann::json& stated = receipt.at("certificate").at("objective");  // null: was not known
  double before = stated.is_number() ? stated.get<double>() : std::nan(""), now = outcome.certificate.objective;
  bool is_same = std::isfinite(before) ? std::abs(before - now) <= same_objective * std::abs(now) : !std::isfinite(now);
  auto said = [](double objective) { return std::isfinite(objective) ? exact_text(objective) : "not known"; };
  if (!is_same) out.different.push_back("the objective was " + said(before) + " and is " + said(now));
}

/// A model that reads other files than it did is another one, whatever they contain.
void compare_lists(const nlohmann::json& receipt, const Model& model, const std::string& result, ReceiptRun& out) {
  std::vector<std::string> now = files_of(model, result), before;
  for (const nlohmann::json& entry : receipt.at("model")) before.push_back(entry.at("file"));
  for (const std::string& file : now)
    if (std::ranges::find(before, file) == before.end()) out.different.push_back("the model reads `" + file + "`, too");
  for (const std::string& file : before)
    if (std::ranges::find(now, file) == now.end())
      out.different.push_back("the model does not read `" + file + "` any more");
}

}  // namespace

Result<std::string> receipt_of(Model& model, const VerifyRequest& request, const VerifyOutcome& outcome) {
  nlohmann::json receipt{
      {"receipt", receipt_version},   {"verdict", name_of(outcome.proof)},       {"class", outcome.class_name},
      {"settings", outcome.settings}, {"given", {{"model", request.load.file}}}, {"tolerance", request.tolerance},
      {"options", outcome.origin}};
  auto whole = file_json(request.result, model.diagnostics);
  if (!whole) return model.diagnostics.already_reported();
  receipt["result"] = *whole;
  receipt["model"] = nlohmann::json::array();
  for (const std::string& path : files_of(model, request.result)) {
    auto entry = file_json(path, model.diagnostics);
    if (!entry) return model.diagnostics.already_reported();
    receipt["model"].push_back(*entry);
  }
  receipt["certificate"] = certificate_json(outcome);
  receipt["certificate"].erase("seconds");
  receipt["content"] = content_of(receipt);
  return receipt.dump(2) + "\n";
}

ReceiptRun check_receipt(const std::string& file, const LoadRequest& load) {
  ReceiptRun out{{std::make_unique<Model>(), {}}, {}};
  auto text = result::read_file(file, out.run.model->diagnostics);
  if (!text) return out;
  try {
    nlohmann::json receipt = nlohmann::json::parse(*text);
    if (receipt.at("content").get<std::string>() != content_of(receipt))
      out.different.push_back("the receipt itself was changed");
    compare_file(receipt.at("result"), out);
    for (const nlohmann::json& entry : receipt.at("model")) compare_file(entry, out);
    VerifyRun run = verify_result(request_of(receipt, load));
    out.run = std::move(run);
    if (!out.run.outcome) return out;
    compare_lists(receipt, *out.run.model, receipt.at("result").at("file"), out);
    compare_outcome(receipt, *out.run.outcome, out);
  } catch (const nlohmann::json::exception& e) {
    out.run.model->diagnostics.error(not_a_receipt, {}, {file, e.what()});
  }
  return out;
}

}  // namespace bolza::workflow
