// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza {

/// Content that takes the place of a file at once: the file is absent, old or complete, whenever the process ends. Until
/// then the content has no name at all, or, where the file system cannot do that, one of 128 random bits in the same folder.
/// No link is followed, no file of anyone else opened, and none removed but those of this kind that are older than a day.
class Replacement {
 public:
  /// Opens it; `failure()` says what prevented that.
  explicit Replacement(std::string path);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();  ///< What is not in its place is gone.

  bool write(std::string_view content);
  /// The last step: it takes its place. False when that, or anything before, failed.
  bool finish();
  /// 0, or the errno of what failed first.
  int failure() const { return failure_; }

 private:
  void open();
  bool give_name();
  bool fail();

  std::string path_, folder_, name_;  ///< name_: path of the temporary file, "" while it has none
  int file_ = -1, failure_ = 0;
};

/// All of it at once. @returns 0, or the errno of what failed
int replace_file(const std::string& path, std::string_view content);

}  // namespace bolza
