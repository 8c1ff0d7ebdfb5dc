// SPDX-License-Identifier: Apache-2.0
#include "server/page/html.h"

#include <array>
#include <cstdio>
#include <ctime>

#include "base/printable.h"
#include "server/store/jobs.h"

namespace bolza::server {
namespace {

std::string menu_entry(const std::string& to, const std::string& text, const std::string& here) {
  return "<a href=\"" + to + "\"" + (to == here ? " aria-current=\"page\"" : "") + ">" + text + "</a>";
}

std::string menu(const Call& call, const std::string& here) {
  const Visitor& visitor = call.visitor;
  std::string out = "<nav aria-label=\"Main\"><span class=\"name\">Bolza</span>";
  if (visitor.is_known()) out += menu_entry("/jobs", "Jobs", here);
  if (visitor.is_known() || call.application.settings.anonymous) out += menu_entry("/new", "New job", here);
  if (visitor.is_known()) out += menu_entry("/account", "Account", here);
  else out += menu_entry("/login", "Log in", here);
  std::string theme = "<button type=\"button\" class=\"plain\" id=\"theme\">light / dark</button>";
  if (visitor.way != Visitor::Way::session) return out + "<form>" + theme + "</form></nav>\n";
  return out +
         form_to(call, "/logout", theme + "<span>" + html(visitor.account.name) + "</span>" + button("Log out", "plain")) +
         "</nav>\n";
}

}  // namespace

std::string html(const std::string& text) {
  std::string out;
  for (char c : printable(as_text(text))) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string shown_time(double seconds) {
  auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return text.data();
}

std::string shown_bytes(std::int64_t bytes) {
  constexpr double kilo = 1e3, mega = 1e6;
  auto size = static_cast<double>(bytes);
  std::array<char, 32> text{};
  if (size < mega) std::snprintf(text.data(), text.size(), "%.1f kB", size / kilo);
  else std::snprintf(text.data(), text.size(), "%.1f MB", size / mega);
  return text.data();
}

Answer page(const Call& call, const PageParts& parts) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta "
      "name=\"csrf\" "
      "content=\"" +
      html(call.visitor.csrf) + "\">\n<title>" + html(parts.title) +
      " – Bolza</title>\n<script src=\"/assets/theme.js\"></script>\n<link rel=\"stylesheet\" "
      "href=\"/assets/style.css\">\n<link "
      "rel=\"stylesheet\" href=\"/assets/plot.css\">\n<script type=\"module\" "
      "src=\"/assets/page.js\"></script></head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n" +
      menu(call, parts.here) + "<main id=\"main\">\n<h1>" + html(parts.title) + "</h1>\n" + parts.body +
      "</main>\n</body></html>\n";
  return {.status = parts.status, .type = "text/html; charset=utf-8", .body = out, .headers = {}, .more = {}};
}

Answer redirect(const std::string& to) {
  Answer answer{.status = see_other, .type = "text/plain", .body = "", .headers = {}, .more = {}};
  answer.headers.emplace_back("Location", to);
  return answer;
}

Answer page_of_trouble(const Call& call, int status, const std::string& what) {
  return page(call, {.title = "This did not work", .body = alert(what), .here = "", .status = status});
}

std::string form_to(const Call& call, const std::string& action, const std::string& inner, const std::string& attributes) {
  return "<form method=\"post\" action=\"" + html(action) + "\" " + attributes +
         "><input type=\"hidden\" name=\"csrf\" value=\"" + html(call.visitor.csrf) + "\">" + inner + "</form>\n";
}

std::string field(const std::string& name, const std::string& label, const std::string& value, const std::string& attributes,
                  const std::string& hint) {
  std::string out = "<div><label for=\"" + html(name) + "\">" + html(label);
  if (!hint.empty()) out += " <span class=\"hint\">" + html(hint) + "</span>";
  return out + "</label><input id=\"" + html(name) + "\" name=\"" + html(name) + "\" value=\"" + html(value) + "\" " +
         attributes + "></div>\n";
}

std::string choice(const std::string& name, const std::string& label, const std::vector<Choice>& choices,
                   const std::string& chosen) {
  std::string out = "<div><label for=\"" + html(name) + "\">" + html(label) + "</label><select id=\"" + html(name) +
                    "\" name=\"" + html(name) + "\">";
  for (const Choice& c : choices)
    out += "<option value=\"" + html(c.value) + "\"" + (c.value == chosen ? " selected" : "") + ">" + html(c.text) +
           "</option>";
  return out + "</select></div>\n";
}

std::string button(const std::string& text, const std::string& kind) {
  return "<button type=\"submit\" class=\"" + kind + "\">" + html(text) + "</button>";
}

std::string alert(const std::string& what) {
  return what.empty() ? "" : "<p class=\"wrong\" role=\"alert\">" + html(what) + "</p>\n";
}

}  // namespace bolza::server
