// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/content_hash.h"
#include "base/result.h"
#include "workflow/study/record.h"

namespace bolza::workflow {

/// An option of the command as it was given.
struct GivenOption {
  std::string name;                 ///< "--mesh"; "file", "class"
  std::vector<std::string> values;  ///< empty: a flag
};

/// What a study is: enough to go on with it on another day or machine, and to see whether it is still the same.
struct StudyManifest {
  std::string program;                ///< version of Bolza
  std::string kind;                   ///< solve, simulate, fit
  std::string directory;              ///< in which relative names of files are meant
  std::vector<GivenOption> command;   ///< but for what says where and when it runs
  std::string plan;                   ///< JSON, `Plan::json`
  std::string model, options, files;  ///< digests: of the model's texts, of the command, of the tables that it reads

  /// Of all of it but the folder; lines of results are bound to it.
  ContentHash hash() const;
  std::string text() const;  ///< JSON, as in the file
};

/// What lies in the folder of a study:
///
///   study.json        the manifest
///   results/*.jsonl   records, a file for each process that ran: it is appended to by that one alone, so nothing is locked
///   trajectories/     of points, where they are kept
///   kernels/          the cache of compiled kernels, which travels with the folder
///   slurm/            scripts, outputs and numbers of jobs
class StudyFolder {
 public:
  explicit StudyFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string trajectory(std::size_t point) const;
  bool exists() const;

  /// Errors  E986: there is none, it cannot be read, or is of another format.
  Result<StudyManifest> manifest(Diagnostics& diagnostics) const;
  /// Makes the folder, or sees that what is there is the same study. Errors  E986 with what differs, E987.
  Result<Done> begin(const StudyManifest& manifest, Diagnostics& diagnostics) const;

  /// Gives every record of the results, file by file in the order of their names. @returns lines that are none of this
  /// study's: damaged, cut off or foreign. Errors  E986: a folder or file that cannot be read.
  /// Cost: O(bytes), and the memory of one file's line.
  Result<std::size_t> read(const ContentHash& study, const std::function<void(PointRecord)>& take,
                           Diagnostics& diagnostics) const;

 private:
  void make_whole(const StudyManifest& wanted) const;

  std::string path_;
};

/// A new file of results of this process.
class Shard {
 public:
  Shard() = default;
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  /// "" or why it cannot be made. Its name has the machine, the process and a number, so that it is nobody else's.
  std::string open(const StudyFolder& folder);
  /// The line is in the file, whatever becomes of this process; "" or what prevented it: then nothing of it is.
  std::string append(const std::string& line);
  /// On disk, whatever becomes of the machine: at most once a second unless `now`.
  void sync(bool now);

 private:
  int file_ = -1;
  long length_ = 0;
  double synced_ = 0;
};

}  // namespace bolza::workflow
