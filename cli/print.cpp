// SPDX-License-Identifier: Apache-2.0
#include "cli/print.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/numbers.h"
#include "base/printable.h"
#include "cli/arguments.h"
#include "cli/commands.h"

namespace bolza::cli {

bool use_colour(const Arguments& arguments, int stream) {
  if (arguments.print.colour == ColourUse::always) return true;
  if (arguments.print.colour == ColourUse::never) return false;
  const char* none = std::getenv("NO_COLOR");
  return !(none && *none) && isatty(stream);
}

void print_diagnostics(const Diagnostics& diagnostics, const Sources& sources, const Arguments& arguments) {
  if (arguments.print.json) return;
  bool colour = use_colour(arguments, STDERR_FILENO);
  std::set<std::string> helped;  // one remedy of many errors is said once
  for (Diagnostic d : diagnostics.all()) {
    std::erase_if(d.notes, [&](const Note& note) { return !note.span && !helped.insert(note.text).second; });
    std::fputs(render(d, sources, colour).c_str(), stderr);
  }
  std::size_t errors = diagnostics.errors(), warnings = diagnostics.warnings();
  if (errors + warnings < 2) return;
  std::string count;
  if (errors) count = std::to_string(errors) + (errors == 1 ? " error" : " errors");
  if (warnings) count += (count.empty() ? "" : ", ") + std::to_string(warnings) + (warnings == 1 ? " warning" : " warnings");
  if (errors >= 1000 || warnings >= 1000) count += " or more";
  std::fprintf(stderr, "%s\n", count.c_str());
}

nlohmann::json to_json(const Diagnostics& diagnostics, const Sources& sources) {
  nlohmann::json list = nlohmann::json::array();
  auto put_place = [&](nlohmann::json& o, Span span) {
    if (!span) return;
    Place p = sources.place(span.file, span.begin);
    o["file"] = sources.path(span.file);
    o["line"] = p.line;
    o["column"] = p.column;
  };
  for (const Diagnostic& d : diagnostics.all()) {
    nlohmann::json o{
        {"code", d.code->id}, {"severity", d.severity == Severity::error ? "error" : "warning"}, {"message", d.message}};
    put_place(o, d.span);
    for (const Note& note : d.notes) {
      nlohmann::json n{{"text", note.text}};
      put_place(n, note.span);
      o["notes"].push_back(n);
    }
    list.push_back(o);
  }
  return list;
}

void print_json(const nlohmann::json& object) {
  std::puts(printable_json(object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)).c_str());
}

int refuse_input(const Diagnostics& diagnostics, const Sources& sources, const Arguments& arguments) {
  if (arguments.print.json) print_json({{"status", "input_error"}, {"diagnostics", to_json(diagnostics, sources)}});
  print_diagnostics(diagnostics, sources, arguments);
  return bad_input;
}

std::string counted(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many.empty() ? one + "s" : many);
}

std::string readable(double value) { return shown(value, 9); }

}  // namespace bolza::cli
