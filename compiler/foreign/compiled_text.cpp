// SPDX-License-Identifier: Apache-2.0
#include "compiler/foreign/compiled_text.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/cache_folder.h"
#include "base/content_hash.h"

extern char** environ;

namespace bolza::foreign {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// A folder for the files of one compilation, gone with it; `folder` is empty when it cannot be made.
struct Workplace {
  fs::path folder;
  explicit Workplace(const fs::path& cache) {
    remove_old(cache);
    std::string name = cache / (std::string(begin) + "XXXXXX");
    if (mkdtemp(name.data())) folder = name;
  }
  ~Workplace() {
    std::error_code ignored;
    if (!folder.empty()) fs::remove_all(folder, ignored);
  }
  fs::path file(const char* kind) const { return folder / (std::string("text") + kind); }

  static constexpr std::string_view begin = "c-text-";
  /// Those of processes that were killed, after a day.
  static void remove_old(const fs::path& cache) {
    std::error_code none;
    auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (fs::directory_iterator at(cache, none), end; !none && at != end; at.increment(none)) {
      std::string name = at->path().filename().string();
      std::error_code ignored;
      bool is_ours = name.size() == begin.size() + 6 && name.starts_with(begin) &&
                     fs::is_directory(at->symlink_status(ignored)) && at->last_write_time(ignored) < yesterday && !ignored;
      if (is_ours) fs::remove_all(at->path(), ignored);
    }
  }
};

/// Runs a program found on PATH, what it says into a file; its exit code, -1 when it cannot be run.
int run(std::vector<std::string> words, const fs::path& said) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// The first line with an error, without the name of our temporary file.
std::string first_error(const std::string& said, const fs::path& source) {
  std::istringstream lines(said);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (line.find("error") == std::string::npos && line.find("undefined") == std::string::npos) continue;
    first = line;
    break;
  }
  if (first.starts_with(source.string())) first = "the text of `Include`" + first.substr(source.string().size());
  return first;
}

std::string key_of(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
  for (unsigned char c : text) {
    a = (a ^ c) * 0x100000001b3u;
    b = (b + c) * 0xbf58476d1ce4e5b9u;
    b ^= b >> 29;
  }
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
  return name;
}

constexpr std::string_view seal_mark = "bolza-c1";
constexpr std::size_t seal_size = seal_mark.size() + sizeof(std::uint64_t);

std::string seal_of(std::string_view library) {
  std::uint64_t sum = content_hash(library).words[0];
  std::string seal(seal_mark);
  seal.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return seal;
}

/// Whether a kept library is what was put there: after it, where the linker does not look, stands its checksum.
bool is_whole(const fs::path& kept) {
  std::string all = contents(kept);
  if (all.size() <= seal_size) return false;
  std::string_view library = std::string_view(all).substr(0, all.size() - seal_size);
  return std::string_view(all).substr(library.size()) == seal_of(library);
}

/// False: the disk is full.
bool seal(const fs::path& library) {
  std::string text = contents(library);
  std::ofstream out(library, std::ios::binary | std::ios::app);
  out << seal_of(text);
  return bool(out.flush());
}

}  // namespace

CompiledText compile_text(const CText& source) {
  const char* asked = std::getenv("CC");
  std::string compiler = asked && *asked ? asked : "cc", folder = cache_folder();
  if (folder.empty())
    return {"",
            "C text is compiled into the cache, and none of HOME, XDG_CACHE_HOME, BOLZA_CACHE is set, or others may write "
            "its folder"};
  std::error_code error;
  if (fs::create_directories(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
  Workplace at(folder);
  if (at.folder.empty()) return {"", "the cache cannot be written: `" + folder + "`"};
  std::ofstream(at.file(".c")) << source.text << '\n';
  std::vector<std::string> common{compiler, "-w"};
  for (const std::string& directory : source.include_directories) common.insert(common.end(), {"-I", directory});
  std::vector<std::string> words = common;
  words.insert(words.end(), {"-E", "-P", at.file(".c").string(), "-o", at.file(".i").string()});
  int code = run(words, at.file(".said"));
  if (code < 0 || code == 127) return {"", "there is no C compiler: `" + compiler + "` cannot be run (CC names another)"};
  if (code > 0) return {"", first_error(contents(at.file(".said")), at.file(".c"))};
  std::string identity = compiler + "\n" + contents(at.file(".i"));
  for (const std::string& library : source.libraries) identity += "\n" + library;
  fs::path kept = fs::path(folder) / (key_of(identity) + ".c.bolza");
  if (fs::exists(kept, error)) {
    if (is_whole(kept)) return {kept.string(), ""};
    fs::remove(kept, error);
  }
  words = common;
  words.insert(words.end(), {"-shared", "-fPIC", "-O2", at.file(".c").string(), "-o", at.file(".so").string()});
  words.insert(words.end(), source.libraries.begin(), source.libraries.end());
  if (run(words, at.file(".said")) != 0) return {"", first_error(contents(at.file(".said")), at.file(".c"))};
  if (!seal(at.file(".so"))) return {"", "the cache cannot be written: the disk is full"};
  fs::rename(at.file(".so"), kept, error);
  if (error) return {"", "the cache cannot be written: " + error.message()};
  return {kept.string(), ""};
}

}  // namespace bolza::foreign
