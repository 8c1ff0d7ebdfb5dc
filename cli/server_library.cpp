// SPDX-License-Identifier: Apache-2.0
#include "cli/server_library.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/expects.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/codes.h"
#include "workflow/install_paths.h"

namespace bolza::cli {
namespace {

/// Said here, or about this machine's files.
constexpr std::array<std::string_view, 13> not_sent{"file",   "class",  "output", "csv",      "report",   "json", "quiet",
                                                    "colour", "server", "token",  "progress", "no-cache", "table"};

int refuse_to_send(const Arguments& a, const std::string& why) {
  Sources sources;
  Diagnostics diagnostics;
  diagnostics.error(workflow::bad_arguments, {}, {why});
  return refuse_input(diagnostics, sources, a);
}

/// The name that a file has in the job; false: another file has it.
bool add_file(server::RemoteRequest& request, const std::string& file, std::string& name) {
  name = std::filesystem::path(file).filename().string();
  auto [at, is_new] = request.files.try_emplace(name, file);
  return is_new || at->second == file;
}

std::string add_given_options(const Arguments& a, server::RemoteRequest& request) {
  for (const auto& [name, value] : a.remote.given) {
    if (std::ranges::find(not_sent, name) != not_sent.end()) continue;
    std::string sent = value;
    bool is_file = std::ranges::find(server::options_of_files, name) != server::options_of_files.end();
    if (is_file && !add_file(request, value, sent))
      return "two files are called `" + sent + "`, and a job has one of a name";
    request.options.emplace_back(name, sent);
  }
  return "";
}

}  // namespace

const server::ServerLibrary* open_server(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto symbol = workflow::open_symbol("bolza_server", "bolza_server_library", diagnostics);
  if (!symbol) {
    refuse_input(diagnostics, sources, arguments);
    return nullptr;
  }
  const auto* library = reinterpret_cast<const server::ServerLibrary* (*)()>(*symbol)();
  expects(library->version == server::server_library_version, "libbolza_server.so is of this version");
  return library;
}

int run_on_server(const Arguments& a) {
  server::RemoteRequest request{
      .server = a.remote.server, .token = a.remote.token, .command = a.command, .class_name = a.model.class_name};
  if (std::filesystem::is_directory(a.file)) return refuse_to_send(a, "a package is a folder, and a job has files alone");
  if (a.command == "sweep")
    for (const std::string& word : words_of_sweep(a.study.job))
      request.command = word == "sweep" ? word : request.command + " " + word;
  bool is_sweep = a.command == "sweep";
  if (is_sweep && !a.outputs.result.empty())
    return refuse_to_send(a, "the folder of a study stays on the server: `--table` and `--report` name what comes back");
  add_file(request, a.file, request.model);
  if (std::string wrong = add_given_options(a, request); !wrong.empty()) return refuse_to_send(a, wrong);
  if (!a.outputs.result.empty())
    request.outputs[a.outputs.result.ends_with(".csv") ? "result.csv" : "result.mat"] = a.outputs.result;
  if (!a.outputs.csv.empty()) request.outputs["result.csv"] = a.outputs.csv;
  if (!a.outputs.page.empty()) request.outputs["report.html"] = a.outputs.page;
  request.json = a.print.json;
  request.quiet = a.print.quiet;
  const server::ServerLibrary* library = open_server(a);
  return library ? library->run_remotely(request) : bad_input;
}

}  // namespace bolza::cli
