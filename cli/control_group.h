// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <vector>

namespace bolza::cli {

/// Linux control groups, of version 1 or 2, that bound the processes of a sandbox together, as limits of a user do not where
/// that is root. They are made where the file system of groups may be written, which is root's right as a rule; else there
/// are none. Removed at the end, when no process is left in them.
class ControlGroup {
 public:
  /// @param bytes  of the memory of all processes; 0: no limit
  ControlGroup(std::size_t processes, std::size_t bytes);
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;
  ~ControlGroup();

  /// The calling process and what it starts from now on. False: it could not be; then nothing may be run.
  bool enter() const;

 private:
  std::vector<std::filesystem::path> folders_;
};

}  // namespace bolza::cli
