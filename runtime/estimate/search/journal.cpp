// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/search/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/nlp/solve.h"

namespace bolza::estimate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

Json json_of(const SearchKey& key) {
  return {{"journal", "bolza multi-start"}, {"version", version}, {"model", key.name},
          {"problem", key.problem},         {"seed", key.seed},   {"starts", key.starts},
          {"parameters", key.parameters}};
}

/// Empty, or why the first line of a journal is not that of this search.
std::string difference(const Json& found, const SearchKey& key) {
  if (!found.is_object() || found.value("journal", "") != "bolza multi-start") return "it is not a journal of a multi-start";
  if (found.value("version", 0) != version) return "another version of the program wrote it";
  std::string name = found.value("model", "");
  if (name != key.name) return "it belongs to `" + name + "`, not to `" + key.name + "`";
  if (found.value("parameters", std::vector<std::string>{}) != key.parameters)
    return "it belongs to `" + name + "` with other parameters to be estimated";
  if (found.value("problem", "") != key.problem)
    return "it belongs to `" + name + "` with another model, other data or other options";
  if (found.value("seed", std::uint64_t{0}) != key.seed)
    return "its seed is " + std::to_string(found.value("seed", std::uint64_t{0})) + ", not " + std::to_string(key.seed);
  if (found.value("starts", std::size_t{0}) != key.starts)
    return "it was begun for " + std::to_string(found.value("starts", std::size_t{0})) + " starts, not " +
           std::to_string(key.starts);
  return {};
}

std::string failure_of_system() { return std::strerror(errno); }

/// A number that JSON has; NaN is null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

bool is_good(const SearchFit& fit) { return nlp::is_solution(fit.status) && std::isfinite(fit.value) && !fit.theta.empty(); }

std::string line_of(const SearchFit& fit) {
  Json line{{"index", fit.index},           {"status", static_cast<int>(fit.status)},
            {"message", fit.message},       {"value", number(fit.value)},
            {"start", fit.start},           {"theta", fit.theta},
            {"iterations", fit.iterations}, {"evaluations", fit.evaluations},
            {"redrawn", fit.redrawn},       {"seconds", fit.seconds}};
  return line.dump(-1, ' ', true, Json::error_handler_t::replace);
}

bool read_line(const std::string& line, SearchFit& fit) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return false;
  try {
    fit.index = json.at("index");
    fit.status = static_cast<nlp::Status>(json.at("status").get<int>());
    fit.message = json.at("message");
    fit.value = json.at("value").is_null() ? std::numeric_limits<double>::quiet_NaN() : json.at("value").get<double>();
    fit.start = json.at("start").get<std::vector<double>>();
    fit.theta = json.at("theta").get<std::vector<double>>();
    fit.iterations = json.at("iterations");
    fit.evaluations = json.at("evaluations");
    fit.redrawn = json.at("redrawn");
    fit.seconds = json.at("seconds");
  } catch (const Json::exception&) {
    return false;
  }
  return true;
}

Journal::~Journal() {
  if (file_ >= 0) close(file_);
}

std::string Journal::open(const std::string& path, const SearchKey& key, std::vector<SearchFit>& fits) {
  path_ = path;
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) return failure_of_system();
  struct flock whole{};  // of this process alone: children that outlive it by a moment do not hold it
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(file_, F_SETLK, &whole) != 0) return "another process writes to it";
  off_t size = lseek(file_, 0, SEEK_END);
  if (size != 0) return read_all(key, fits);
  std::string wrong = write_line(json_of(key).dump());
  std::string folder = std::filesystem::path(path).parent_path().string();
  int directory = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    fsync(directory);
    close(directory);
  }  // its name is on disk, too
  return wrong;
}

/// Lines up to the last complete one; what follows was cut off and is removed.
std::string Journal::read_all(const SearchKey& key, std::vector<SearchFit>& fits) {
  std::string text;
  char buffer[65536];
  lseek(file_, 0, SEEK_SET);
  for (ssize_t count = 0; (count = read(file_, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  std::size_t end = text.find('\n'), number = 1;
  Json first = Json::parse(text.substr(0, end), nullptr, false);
  if (std::string wrong = difference(first, key); !wrong.empty()) return wrong;
  if (end == std::string::npos) return "its first line was cut off";
  std::vector<std::uint8_t> seen(key.starts, 0);
  for (std::size_t begin = end + 1; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++number;
    SearchFit fit;
    if (!read_line(text.substr(begin, end - begin), fit) || fit.index >= key.starts)
      return "line " + std::to_string(number) + " is not one of a multi-start";
    if (!seen[fit.index]) fits.push_back(std::move(fit));
    seen[fits.back().index] = 1;
  }
  std::size_t complete = text.rfind('\n') + 1;
  if (complete < text.size() && ftruncate(file_, static_cast<off_t>(complete)) != 0) return failure_of_system();
  return {};
}

std::string Journal::write_line(const std::string& line) {
  std::string text = line + "\n";
  ssize_t written = write(file_, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) return written < 0 ? failure_of_system() : "the disk is full";
  return fsync(file_) == 0 ? std::string() : failure_of_system();
}

std::string Journal::append(const SearchFit& fit) { return write_line(line_of(fit)); }

}  // namespace bolza::estimate
