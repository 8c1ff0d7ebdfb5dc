// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bolza::instance {

/// What a run lets models do beyond computing [docs/security.md]. The default: nothing.
struct Trust {
  enum class Level : std::uint8_t {
    nothing,    ///< a server's choice: models are data, whoever wrote them
    libraries,  ///< foreign code of libraries on the path, and of files in `folders`
    everything  ///< of files given by name, too
  };
  Level level = Level::nothing;
  bool runs = true;                  ///< false for commands that only look at models: they run no foreign code at all
  std::vector<std::string> folders;  ///< files given by name that lie in them, or below, are trusted like libraries
};

/// Answers for the files of one run. Paths are made canonical when a question is asked, not before: models that ask nothing
/// cost nothing.
class TrustRules {
 public:
  TrustRules() = default;
  /// @param library_folders  those of the path, and our own library's
  TrustRules(Trust trust, std::vector<std::string> library_folders);

  void add_named_file(std::string path) { named_files_.push_back(std::move(path)); }
  /// A folder with `package.mo` that was read.
  void add_package_folder(std::string folder) { package_folders_.insert(std::move(folder)); }

  /// Whether this command runs models at all.
  bool runs() const { return trust_.runs; }
  bool is_closed() const { return trust_.level == Trust::Level::nothing; }
  /// Whether external functions that are declared in this source file may run.
  bool runs_code_of(std::string_view source_path) const;
  /// Whether everything that was given by name is trusted: then file, environment and system functions work.
  bool runs_all() const;

  enum class Contents : std::uint8_t { any, numbers };
  /// Whether a model may read this file: any file of a package that was read, when all that was given by name is trusted any
  /// file at all; tables of numbers in folders of libraries, next to or below a file that was given by name, too. Symbolic
  /// links count as what they lead to.
  bool may_read(const std::string& file, Contents contents) const;

 private:
  bool trusts(const std::string& path) const;

  Trust trust_;
  std::vector<std::string> library_folders_, named_files_;
  std::set<std::string> package_folders_;
};

/// Whether `file` is in `folder` or below it, when links are followed. The file need not exist.
bool is_inside(const std::string& file, const std::string& folder);

}  // namespace bolza::instance
