// SPDX-License-Identifier: Apache-2.0
#include "cli/sandbox.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/replacement.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/sandbox_process.h"
#include "workflow/codes.h"
#include "workflow/emit.h"
#include "workflow/install_paths.h"

namespace bolza::cli {
namespace sandbox {  // names of its own: files of a room are compiled together
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* program = "/usr/bin/bwrap";  // not from PATH: who sets that would choose the wall
constexpr std::size_t megabyte = 1 << 20, scratch_megabytes = 1024, file_megabytes = 4096, processes = 256,
                      most_entries = 2000;
constexpr double most_of_memory = 2;  // all processes and the scratch folder together, over what one process may take

void add(Words& to, std::initializer_list<std::string> words) { to.insert(to.end(), words); }

void say(const Arguments& a, const Code& code, const char* status, Diagnostics::Arguments values = {}) {
  Sources sources;
  Diagnostics diagnostics;
  diagnostics.error(code, {}, values);
  print_diagnostics(diagnostics, sources, a);
  if (a.print.json) print_json({{"status", status}, {"diagnostics", to_json(diagnostics, sources)}});
}

int refuse_sandbox(const Arguments& a, const std::string& why) {
  say(a, workflow::no_sandbox, "input_error", {why});
  return bad_input;
}

fs::path whole(const std::string& name) { return fs::weakly_canonical(fs::absolute(name)); }

Words walls() {
  Words w{program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"};
  for (const char* folder : {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"})
    add(w, {"--ro-bind-try", folder, folder});
  add(w, {"--proc", "/proc", "--dev", "/dev", "--size", std::to_string(scratch_megabytes * megabyte), "--tmpfs", "/tmp"});
  // Files of the kernel's settings are root's: without capabilities root may write them all the same, and bubblewrap covers
  // those only that its own check of rights finds open.
  for (const char* place : {"/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/acpi", "/proc/scsi", "/proc/driver"})
    add(w, {"--ro-bind-try", place, place});
  add(w, {"--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp"});
  add(w, {"--setenv", "BOLZA_CACHE", "/tmp/cache"});
  for (const char* name : {"BOLZA_STDLIB", "MODELICAPATH", "LANG", "NO_COLOR", "TERM"})
    if (const char* value = std::getenv(name)) add(w, {"--setenv", name, value});
  return w;
}

/// `source` seen at `place`.
struct Mount {
  fs::path source, place;
  bool is_output = false;
};

/// Whether a link leads to a place below `folder`, where what it leads to is seen anyhow, unless its name begins with a dot.
bool is_below(const fs::path& link, const fs::path& folder) {
  fs::path there = whole(link).lexically_relative(folder);
  return !there.empty() && std::ranges::none_of(there, [](const fs::path& name) { return name.string().starts_with('.'); });
}

/// What is read: the program, libraries, inputs, and what lies next to the model, as tables and packages do. Nothing when
/// that is too much to be listed.
std::optional<std::vector<Mount>> visible_in_sandbox(const Arguments& a) {
  Words files{a.simulate.input_file, a.solve.init_from, a.solve.scenarios.file,   a.measured.conditions,
              a.measured.parameters, a.verify.model,    workflow::stdlib_folder()};
  files.insert(files.end(), a.measured.data.begin(), a.measured.data.end());
  fs::path program_folder = fs::read_symlink("/proc/self/exe").parent_path();
  files.push_back(program_folder);
  files.push_back(program_folder.parent_path() / "lib");
  for (const std::string& folder : workflow::library_path(a.model.library_paths)) files.push_back(folder);
  files.push_back(a.file);
  std::error_code none;
  fs::path beside = whole(a.file).parent_path();
  std::size_t count = 0;
  const char* home = std::getenv("HOME");
  bool is_shared = beside == "/" || beside == "/tmp" || (home && *home && beside == whole(home));  // holds more than a model
  if (!is_shared)
    for (const fs::directory_entry& entry : fs::directory_iterator(beside, none)) {
      if (++count > most_entries) return {};
      if (!entry.path().filename().string().starts_with('.') &&
          (!entry.is_symlink(none) || is_below(entry.path(), beside)) &&
          (entry.is_regular_file(none) || entry.is_directory(none)))
        files.push_back(entry.path());
    }
  std::vector<Mount> mounts;
  for (const std::string& file : files)
    if (!file.empty() && fs::exists(file, none)) mounts.push_back({whole(file), fs::absolute(file).lexically_normal()});
  return mounts;
}

/// A mount hides what was mounted below its place before: the outer ones come first, and an output's folder after inputs.
Words in_order(std::vector<Mount> mounts) {
  auto rank = [](const Mount& m) { return std::pair(std::distance(m.place.begin(), m.place.end()), m.is_output); };
  std::ranges::stable_sort(mounts, {}, rank);
  Words w;
  for (const Mount& m : mounts) add(w, {m.is_output ? "--bind" : "--ro-bind", m.source, m.place});
  return w;
}

/// A folder that is removed with all that is in it.
struct Scratch {
  fs::path folder;
  Scratch() {
    std::string name = fs::temp_directory_path() / "bolza-sandbox-XXXXXX";
    if (mkdtemp(name.data())) folder = name;
  }
  ~Scratch() {
    std::error_code none;
    if (!folder.empty()) fs::remove_all(folder, none);
  }
};

/// A regular file from the scratch folder takes the place of `output` at once; links are not followed.
bool hand_back(const fs::path& from, const fs::path& output) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(from, error))) return true;  // it wrote none
  int in = ::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (in < 0) return false;
  Replacement out(output.string());
  std::string part(1 << 20, 0);
  ssize_t n = 0;
  while ((n = ::read(in, part.data(), part.size())) > 0 && out.write({part.data(), static_cast<std::size_t>(n)})) {}
  ::close(in);
  return n == 0 && out.finish();
}

/// Whether the command's result is a file, and not what it prints.
bool writes_result(const Arguments& a) { return a.command == "solve" || a.command == "simulate" || a.command == "compile"; }

/// What the arguments name and what may leave the sandbox.
Words outputs_of(const Arguments& a) {
  Words files{a.outputs.result, a.outputs.csv, a.outputs.page, a.fit.journal, a.verify.receipt};
  if (a.command == "sweep") files[0].clear();  // a folder, which stays inside
  if (a.command == "compile") {
    if (a.compile.emit == workflow::EmitForm::object) files.push_back(a.outputs.result + ".h");
    files[0] += workflow::ending_of(a.compile.emit);
  }
  std::erase(files, "");
  return files;
}

double sandbox_seconds(const Arguments& a) {
  double seconds = a.limits.seconds;
  for (const auto& [name, value] : a.method.options)
    if (name == "max-time") seconds = std::strtod(value.c_str(), nullptr);
  return seconds;
}

/// Bytes; a smaller limit that holds already stays, as it could not be raised.
std::size_t most_of_a_file() {
  rlimit limit{};
  bool is_bounded = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_max != RLIM_INFINITY;
  return is_bounded ? std::min<std::size_t>(limit.rlim_max, file_megabytes * megabyte) : file_megabytes * megabyte;
}

int run(const Arguments& a, int argc, char** argv) {
  if (access(program, X_OK) != 0)
    return refuse_sandbox(a, std::string("`") + program + "` is not there: install the package bubblewrap");
  if (writes_result(a) && a.outputs.result.empty())
    return refuse_sandbox(a, "name the result, -o FILE: nothing else leaves a sandbox");
  if (a.command == "sweep" && (!a.outputs.result.starts_with("/tmp/") || (a.outputs.csv.empty() && a.outputs.page.empty())))
    return refuse_sandbox(a,
                          "the folder of a study does not leave a sandbox: `-o /tmp/NAME` is within, and `--table` or "
                          "`--report` name what is handed back");
  if (a.solve.pareto > 0)
    return refuse_sandbox(a, "a front writes a result for each point, and nothing that is not named leaves a sandbox");
  if (!stands(walls()))
    return refuse_sandbox(
        a,
        "the system allows no namespaces here (a container needs them allowed: `bwrap --unshare-all --ro-bind / / true`)");
  Scratch scratch;
  if (scratch.folder.empty()) return refuse_sandbox(a, "no folder can be made in " + fs::temp_directory_path().string());

  std::optional<std::vector<Mount>> visible = visible_in_sandbox(a);
  if (!visible)
    return refuse_sandbox(
        a, "more than " + std::to_string(most_entries) + " files lie next to the model: give it a folder of its own");
  std::vector<Mount> mounts = *std::move(visible);
  std::map<fs::path, fs::path> given;  // folder of outputs, what stands in its place
  std::vector<std::pair<fs::path, fs::path>> outputs;
  for (const std::string& output : outputs_of(a)) {
    fs::path file = fs::absolute(output).lexically_normal(), folder = file.parent_path();
    if (!fs::is_directory(folder)) return refuse_sandbox(a, "`" + folder.string() + "` is not a folder");
    auto [place, is_new] = given.try_emplace(folder, scratch.folder / std::to_string(given.size()));
    if (is_new) {
      fs::create_directory(place->second);
      mounts.push_back({place->second, folder, true});
    }
    outputs.emplace_back(place->second / file.filename(), file);
    std::erase_if(mounts, [&](const Mount& m) { return m.place == file; });  // an old result would be in the way
    std::error_code none;                                                    // a journal is read before it is written
    if (output == a.fit.journal && fs::is_regular_file(file, none))
      fs::copy_file(file, place->second / file.filename(), none);
  }
  if (!a.sandbox.cache.empty()) {
    std::error_code none;
    fs::create_directories(a.sandbox.cache, none);
    if (!fs::is_directory(a.sandbox.cache, none)) return refuse_sandbox(a, "`" + a.sandbox.cache + "` is not a folder");
    mounts.push_back({whole(a.sandbox.cache), "/tmp/cache", true});
  }
  Words words = walls();
  Words shown_files = in_order(std::move(mounts));
  words.insert(words.end(), shown_files.begin(), shown_files.end());
  add(words, {"--dir", fs::current_path(), "--chdir", fs::current_path(), "--remount-ro", "/", "--remount-ro", "/dev"});
  Words command{"/usr/bin/prlimit", "--core=0", "--nofile=1024"};
  add(command, {"--nproc=" + std::to_string(processes), "--fsize=" + std::to_string(most_of_a_file())});
  if (a.limits.megabytes > 0)
    add(command, {"--data=" + std::to_string(static_cast<std::size_t>(a.limits.megabytes * megabyte))});
  command.push_back(fs::read_symlink("/proc/self/exe"));
  for (int k = 1; k < argc; ++k) {
    if (std::string_view(argv[k]).starts_with("--sandbox-cache")) continue;
    if (std::string_view(argv[k]) != "--sandbox") command.push_back(argv[k]);
    else if (!a.model.trust) command.push_back("--trust=all");
  }

  double seconds = sandbox_seconds(a);
  ControlGroup group(processes, static_cast<std::size_t>(most_of_memory * std::max(0.0, a.limits.megabytes) * megabyte));
  SandboxEnd end = run_within(words, command, group, seconds > 0 ? 1.2 * seconds + 10 : 0);
  if (end.by_force) {
    say(a, workflow::sandbox_ended, "limit");
    return not_solved;
  }
  for (const auto& [from, output] : outputs)
    if (!hand_back(from, output)) return refuse_sandbox(a, "`" + output.string() + "` cannot be written");
  return end.code;
}

}  // namespace
}  // namespace sandbox

int run_in_sandbox(const Arguments& arguments, int argc, char** argv) { return sandbox::run(arguments, argc, argv); }

}  // namespace bolza::cli
