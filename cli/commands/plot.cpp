// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "runtime/result/file.h"
#include "runtime/result/plot.h"

namespace bolza::cli {
namespace {

/// How the run ended, where that is known and is not "solved"; else "".
std::string status_of(const result::ResultTable& table) {
  for (const auto& [key, value] : table.metadata)
    if (key == "status" && value != "solved") return value;
  return "";
}

int list_variables(const result::ResultTable& table, const Arguments& arguments) {
  std::string status = status_of(table);
  if (arguments.print.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const result::ResultVariable& v : table.variables)
      list.push_back({{"name", v.name}, {"unit", v.unit}, {"description", v.description}, {"constant", v.constant}});
    nlohmann::json all{{"file", arguments.file}, {"points", table.time.size()}, {"variables", list}};
    if (!status.empty()) all["status"] = status;
    print_json(all);
    return fine;
  }
  std::printf("%s: %zu points in time, %zu variables%s%s\n", printable(arguments.file).c_str(), table.time.size(),
              table.variables.size(), status.empty() ? "" : "; the run ended with: ", status.c_str());
  for (const result::ResultVariable& v : table.variables)
    std::printf("  %-24s %-8s %s\n", v.name.c_str(), v.unit.c_str(), v.description.c_str());
  std::printf("draw some of them: bolza plot %s NAME ...\n", printable(arguments.file).c_str());
  return fine;
}

bool terminal_speaks_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || !*value) continue;
    std::string_view text = value;
    return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
  }
  return false;
}

void draw_in_terminal(const std::vector<result::Figure>& panels, const Arguments& arguments) {
  winsize size{};
  bool terminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  result::TerminalStyle style;
  style.width = arguments.plot.width > 0 ? arguments.plot.width : terminal ? std::min<int>(size.ws_col, 160) : 80;
  style.height = arguments.plot.height > 0 ? arguments.plot.height : 20;
  style.unicode = terminal_speaks_unicode();
  style.colour = use_colour(arguments, STDOUT_FILENO);
  std::fputs(result::terminal_plot(panels, style).c_str(), stdout);
}

Result<Done> write_picture(const std::vector<result::Figure>& panels, const Arguments& arguments, Diagnostics& diagnostics) {
  constexpr int of_a_panel = 300;
  result::PictureSize size;
  size.height = std::max(size.height, of_a_panel * static_cast<int>(panels.size()));
  if (arguments.plot.width > 0) size.width = arguments.plot.width;
  if (arguments.plot.height > 0) size.height = arguments.plot.height;
  return result::write_picture(panels, arguments.outputs.result, size, diagnostics);
}

}  // namespace

int run_plot(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto report = [&] {
    print_diagnostics(diagnostics, sources, arguments);
    if (arguments.print.json) print_json({{"diagnostics", to_json(diagnostics, sources)}});
    return bad_input;
  };
  auto table = result::read_result(arguments.file, sources, diagnostics);
  if (!table) return report();
  if (arguments.words.empty()) return list_variables(*table, arguments);
  auto figure = result::make_figure(*table, arguments.words, arguments.file, diagnostics);
  if (!figure) return report();
  if (!arguments.plot.title.empty()) figure->title = printable(arguments.plot.title);
  std::vector<result::Figure> panels = result::panels_of(*figure);
  if (arguments.outputs.result.empty()) {
    draw_in_terminal(panels, arguments);
    return fine;
  }
  if (!write_picture(panels, arguments, diagnostics)) return report();
  if (arguments.print.json) print_json({{"picture", arguments.outputs.result}});
  else std::printf("wrote %s\n", printable(arguments.outputs.result).c_str());
  return fine;
}

}  // namespace bolza::cli
