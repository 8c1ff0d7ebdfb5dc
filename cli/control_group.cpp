// SPDX-License-Identifier: Apache-2.0
#include "cli/control_group.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace bolza::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* groups = "/sys/fs/cgroup";

bool write_text(const fs::path& file, const std::string& text) {
  int opened = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (opened < 0) return false;
  bool written = write(opened, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return close(opened) == 0 && written;
}

/// Where this process stands, as lines `8:pids:/path` and `0::/path` say; empty when there is no such line.
std::string own_group(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (std::size_t at = line.find(':' + controller + ":/"); at != std::string::npos)
      return line.substr(at + controller.size() + 2);
  return {};
}

/// A new folder with this limit; empty when it cannot be made.
fs::path made(const fs::path& parent, const std::string& file, std::size_t limit) {
  fs::path folder = parent / ("bolza-" + std::to_string(getpid()));
  std::error_code none;
  fs::create_directory(folder, none);
  if (write_text(folder / file, std::to_string(limit))) return folder;
  fs::remove(folder, none);
  return {};
}

}  // namespace

ControlGroup::ControlGroup(std::size_t processes, std::size_t bytes) {
  std::error_code none;
  bool is_second = fs::exists(fs::path(groups) / "cgroup.controllers", none);
  auto add = [&](const std::string& controller, const std::string& file, std::size_t limit) {
    // In version 2 a group with processes has no groups below it with limits: the new one stands next to it.
    std::string own = own_group(is_second ? "" : controller);
    fs::path parent = (is_second ? fs::path(groups) : fs::path(groups) / controller).string() + own;
    if (is_second && own != "/") parent = parent.parent_path();
    if (fs::path folder = made(parent, file, limit); !folder.empty()) folders_.push_back(folder);
  };
  add("pids", "pids.max", processes);
  if (bytes == 0) return;
  if (!is_second) add("memory", "memory.limit_in_bytes", bytes);
  else if (!folders_.empty()) write_text(folders_[0] / "memory.max", std::to_string(bytes));
}

ControlGroup::~ControlGroup() {
  for (const fs::path& folder : folders_)
    for (int k = 0; k < 100 && rmdir(folder.c_str()) != 0; ++k)  // the kernel counts ended processes for a moment
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

bool ControlGroup::enter() const {
  for (const fs::path& folder : folders_)
    if (!write_text(folder / "cgroup.procs", "0")) return false;
  return true;
}

}  // namespace bolza::cli
