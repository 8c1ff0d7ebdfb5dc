// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/record.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

namespace bolza::workflow {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t digits = 16;

std::string checksum(std::string_view text, const ContentHash& study) {
  return to_text(content_hash(text, study)).substr(0, digits);
}

Json results_json(const PointRecord& record) {
  Json results = Json::object();
  for (const auto& [name, value] : record.results) results[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  return results;
}

PointRecord record_of(const Json& json) {
  PointRecord record;
  record.point = json.at("point");
  record.values = json.at("values").get<std::vector<std::string>>();
  auto kind = std::ranges::find(kind_names, json.at("verdict").get<std::string>());
  record.kind = static_cast<PointRecord::Kind>(std::min<std::ptrdiff_t>(kind - std::begin(kind_names), 3));
  record.status = json.at("status");
  record.message = json.at("message");
  for (const auto& [name, value] : json.at("results").items())
    record.results.emplace_back(name, value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  record.seconds = json.at("seconds");
  return record;
}

}  // namespace

std::string line_of(const PointRecord& record, const ContentHash& study) {
  Json json{{"point", record.point},
            {"values", record.values},
            {"verdict", kind_names[static_cast<std::size_t>(record.kind)]},
            {"status", record.status},
            {"message", record.message},
            {"results", results_json(record)},
            {"seconds", record.seconds}};
  std::string text = json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  return checksum(text, study) + " " + text + "\n";
}

std::optional<PointRecord> read_record(std::string_view line, const ContentHash& study) {
  if (line.size() <= digits || line[digits] != ' ') return {};
  std::string_view text = line.substr(digits + 1);
  if (checksum(text, study) != line.substr(0, digits)) return {};
  try {
    return record_of(Json::parse(text));
  } catch (const Json::exception&) {
    return {};
  }
}

bool counts_before(const PointRecord& a, const PointRecord& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  auto said = [](const PointRecord& r) { return std::tuple(r.status, r.message, results_json(r).dump()); };
  return said(a) < said(b);
}

}  // namespace bolza::workflow
