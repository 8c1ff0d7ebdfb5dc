// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/replacement.h"
#include "workflow/study_codes.h"

namespace bolza::workflow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int format = 1;

Json json_of(const std::vector<GivenOption>& command) {
  Json list = Json::array();
  for (const GivenOption& option : command) list.push_back({option.name, option.values});
  return list;
}

StudyManifest manifest_of(const Json& json) {
  StudyManifest m;
  m.program = json.at("program");
  m.kind = json.at("kind");
  m.directory = json.at("directory");
  for (const Json& option : json.at("command"))
    m.command.push_back({option.at(0), option.at(1).get<std::vector<std::string>>()});
  m.plan = json.at("plan").dump();
  m.model = json.at("digests").at("model");
  m.options = json.at("digests").at("options");
  m.files = json.at("digests").at("files");
  return m;
}

/// What tells two studies apart; "" nothing.
std::string difference(const StudyManifest& there, const StudyManifest& wanted) {
  if (there.program != wanted.program)
    return "it was begun by bolza " + there.program + ", and this is " + wanted.program + ": their results may differ";
  if (there.kind != wanted.kind) return "its points are of `" + there.kind + "`, not of `" + wanted.kind + "`";
  if (there.model != wanted.model)
    return "the model has changed since it was begun (digest " + there.model + ", now " + wanted.model + ")";
  if (there.files != wanted.files) return "the tables that it reads have changed since it was begun";
  if (Json::parse(there.plan) != Json::parse(wanted.plan)) return "it has another plan: " + there.plan;
  if (there.options != wanted.options) return "it was begun with other options: " + json_of(there.command).dump();
  return "";
}

}  // namespace

ContentHash StudyManifest::hash() const {
  Json all{program, kind, Json::parse(plan), model, options, files};
  return content_hash(all.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace));
}

std::string StudyManifest::text() const {
  Json json{{"study", "bolza"},
            {"format", format},
            {"program", program},
            {"kind", kind},
            {"directory", directory},
            {"command", json_of(command)},
            {"plan", Json::parse(plan)},
            {"digests", {{"model", model}, {"options", options}, {"files", files}, {"study", to_text(hash())}}}};
  return json.dump(1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

std::string StudyFolder::trajectory(std::size_t point) const {
  return file("trajectories/" + std::to_string(point) + ".mat");
}

bool StudyFolder::exists() const {
  std::error_code none;
  return fs::exists(file("study.json"), none);
}

Result<StudyManifest> StudyFolder::manifest(Diagnostics& diagnostics) const {
  auto refused = [&](const std::string& why) { return diagnostics.error(study_refused, {}, {path_, why}); };
  errno = 0;
  std::ifstream in(file("study.json"), std::ios::binary);
  if (!in) return refused(errno == ENOENT ? "there is no `study.json` in it" : std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("study", "") != "bolza") return refused("its `study.json` is not that of a study");
  if (json.value("format", 0) != format) return refused("its `study.json` has another format than this program writes");
  try {
    StudyManifest m = manifest_of(json);
    if (json.at("digests").at("study") != to_text(m.hash())) return refused("its `study.json` was changed by hand");
    return m;
  } catch (const Json::exception& e) {
    return refused(std::string("its `study.json` is not complete: ") + e.what());
  }
}

/// Beside it under another name first, then renamed: another process sees no folder, or one with its description. Where that
/// cannot be, as for the working folder itself, nothing is left of it.
void StudyFolder::make_whole(const StudyManifest& wanted) const {
  std::error_code failed;
  fs::path target = fs::absolute(path_, failed).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  fs::path made = target;
  made += ".new" + std::to_string(getpid());
  fs::create_directories(target.parent_path(), failed);
  if (!fs::create_directory(made, failed)) return;
  if (replace_file((made / "study.json").string(), wanted.text()) == 0) fs::rename(made, target, failed);
  else failed = std::make_error_code(std::errc::io_error);
  if (failed) fs::remove_all(made, failed);
}

Result<Done> StudyFolder::begin(const StudyManifest& wanted, Diagnostics& diagnostics) const {
  std::error_code failed;
  auto not_written = [&](const std::string& why) { return diagnostics.error(study_not_written, {}, {path_, why}); };
  bool is_free = !fs::exists(path_, failed) || (fs::is_directory(path_, failed) && fs::is_empty(path_, failed));
  if (is_free) make_whole(wanted);
  if (!exists() && fs::exists(path_, failed) && !(fs::is_directory(path_, failed) && fs::is_empty(path_, failed)))
    return diagnostics.error(study_refused, {}, {path_, "it is there already, and is no study"});
  if (exists()) {
    auto there = manifest(diagnostics);
    if (!there) return diagnostics.already_reported();
    std::string differs = difference(*there, wanted);
    if (!differs.empty()) return diagnostics.error(study_refused, {}, {path_, differs});
  }
  if (fs::create_directories(path_, failed); failed) return not_written(failed.message());
  // The description first: a folder without it that holds anything is somebody else's.
  if (int failure = exists() ? 0 : replace_file(file("study.json"), wanted.text()); failure != 0)
    return not_written(std::strerror(failure));
  for (const char* name : {"results", "trajectories", "kernels"})
    if (fs::create_directories(file(name), failed); failed) return not_written(failed.message());
  fs::permissions(file("kernels"), fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, failed);
  return Done{};
}

Result<std::size_t> StudyFolder::read(const ContentHash& study, const std::function<void(PointRecord)>& take,
                                      Diagnostics& diagnostics) const {
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(file("results"), failed), end; !failed && at != end; at.increment(failed))
    if (at->path().extension() == ".jsonl") files.push_back(at->path());
  if (failed) return diagnostics.error(study_refused, {}, {path_, "its results cannot be read: " + failed.message()});
  std::ranges::sort(files);
  std::size_t strange = 0;
  for (const fs::path& name : files) {
    errno = 0;
    std::ifstream in(name, std::ios::binary);
    if (!in) return diagnostics.error(study_refused, {}, {name.string(), std::strerror(errno)});
    for (std::string line; std::getline(in, line);) {
      auto record = in.eof() ? std::nullopt : read_record(line, study);  // the last one without an end was cut off
      if (record) take(*std::move(record));
      else ++strange;
    }
    if (in.bad()) return diagnostics.error(study_refused, {}, {name.string(), std::strerror(errno)});
  }
  return strange;
}

Shard::~Shard() {
  if (file_ < 0) return;
  sync(/*now=*/true);
  close(file_);
}

std::string Shard::open(const StudyFolder& folder) {
  char host[64] = "host";
  gethostname(host, sizeof host - 1);
  std::string stem =
      folder.file("results/") + host + "-" + std::to_string(std::time(nullptr)) + "-" + std::to_string(getpid());
  for (int k = 0; k < 1000 && file_ < 0; ++k) {
    std::string name = stem + (k == 0 ? "" : "-" + std::to_string(k)) + ".jsonl";
    file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0 && errno != EEXIST) return std::strerror(errno);
  }
  return file_ < 0 ? std::strerror(EEXIST) : "";
}

std::string Shard::append(const std::string& line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    ssize_t written = write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      std::string why = std::strerror(written < 0 ? errno : ENOSPC);
      if (ftruncate(file_, length_) != 0) why += ", and a line was cut off";
      return why;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  length_ += static_cast<long>(line.size());
  return "";
}

void Shard::sync(bool now) {
  timespec at{};
  clock_gettime(CLOCK_MONOTONIC, &at);
  auto seconds = static_cast<double>(at.tv_sec);
  if (!now && seconds - synced_ < 1) return;
  synced_ = seconds;
  fdatasync(file_);
}

}  // namespace bolza::workflow
