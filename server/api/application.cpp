// SPDX-License-Identifier: Apache-2.0
#include "server/api/application.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace bolza::server {

namespace {
constexpr std::size_t connections = 8;
constexpr int deepest = 32;  // of JSON that is sent
}  // namespace

Application::Application(const ServeRequest& request)
    : settings(request),
      pool(request.work.database, connections),
      methods(ask_program({"methods", "--json"})),
      options(ask_program({"completion", "bash", "--json"})),
      version(version_of_program()),
      page_folder(shared_folder("page")) {}

Answer json_answer(const nlohmann::json& body, int status) {
  using Replace = nlohmann::json::error_handler_t;
  return {.status = status,
          .type = "application/json",
          .body = body.dump(2, ' ', /*ensure_ascii=*/false, Replace::replace) + "\n",
          .headers = {},
          .more = {}};
}

Answer refusal(int status, const std::string& why) { return json_answer({{"error", why}}, status); }

std::optional<nlohmann::json> object_of(const std::string& body) {
  bool is_deep = false;
  auto look = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    is_deep |= depth > deepest;
    return !is_deep;
  };
  auto object = nlohmann::json::parse(body, look, /*allow_exceptions=*/false);
  if (is_deep || !object.is_object()) return {};
  return object;
}

std::optional<std::string> text_member(const nlohmann::json& object, const std::string& name, const std::string& otherwise) {
  if (!object.contains(name)) return otherwise;
  if (!object[name].is_string()) return {};
  return object[name].get<std::string>();
}

std::string shared_folder(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code none;
  fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const char* relative : {"../share/bolza", "../../..", "../../../share"})
    if (fs::path folder = here / relative / name; fs::is_directory(folder, none)) return folder.lexically_normal().string();
  return "";
}

std::string text_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace bolza::server
