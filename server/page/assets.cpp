// SPDX-License-Identifier: Apache-2.0
// What the pages are made of, and the examples. Names are looked up in lists: no path comes from outside.
#include <algorithm>
#include <array>
#include <filesystem>

#include "server/page/html.h"
#include "server/page/tables.h"

namespace bolza::server {
namespace {

struct Asset {
  std::string_view name, file, type;
};
constexpr std::string_view script = "text/javascript; charset=utf-8", sheet = "text/css; charset=utf-8";
constexpr std::array assets{
    Asset{"style.css", "style.css", sheet},    Asset{"page.js", "page.js", script},
    Asset{"theme.js", "theme.js", script},     Asset{"editor.js", "built/editor.js", script},
    Asset{"plot.js", "built/plot.js", script}, Asset{"plot.css", "built/plot.css", sheet},
};

Answer asset_page(const Call& call) {
  auto asset = std::ranges::find(assets, call.question.places[0], &Asset::name);
  std::string text =
      asset == assets.end() ? "" : text_of_file(call.application.page_folder + "/" + std::string(asset->file));
  if (text.empty()) return refusal(not_found, "there is no such page");
  Answer answer{.status = 200, .type = std::string(asset->type), .body = text, .headers = {}, .more = {}};
  answer.headers.emplace_back("Cache-Control", "no-cache");
  return answer;
}

Answer example_page(const Call& call) {
  std::string folder = shared_folder("examples");
  std::vector<std::string> names = example_names();
  if (std::ranges::find(names, call.question.places[0]) == names.end())
    return refusal(not_found, "there is no such example");
  return {.status = 200,
          .type = "text/plain; charset=utf-8",
          .body = text_of_file(folder + "/" + call.question.places[0]),
          .headers = {},
          .more = {}};
}

Answer first_page(const Call& call) {
  if (call.visitor.is_known()) return redirect("/jobs");
  std::string body =
      "<p>Problems of optimal control, simulations and fits are sent here as models, solved, kept and shared.</p>\n"
      "<p class=\"actions\"><a class=\"button\" href=\"/login\">Log in</a> ";
  if (call.application.settings.open_registration)
    body += "<a class=\"button plain\" href=\"/register\">Open an account</a> ";
  if (call.application.settings.anonymous) body += "<a class=\"button plain\" href=\"/new\">New job without an account</a>";
  return page(call, {.title = "Bolza", .body = body + "</p>\n", .here = ""});
}

constexpr std::array routes_of_assets{
    Route{"GET", "/", Access::anyone, first_page},
    Route{"GET", "/assets/{name}", Access::anyone, asset_page},
    Route{"GET", "/examples/{name}", Access::anyone, example_page},
};

}  // namespace

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(shared_folder("examples"), none))
    if (entry.path().extension() == ".mop" || entry.path().extension() == ".mo") names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::span<const Route> asset_pages() { return routes_of_assets; }

}  // namespace bolza::server
