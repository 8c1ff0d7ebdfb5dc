// SPDX-License-Identifier: Apache-2.0
#include "base/expects.h"
#include "runtime/result/codes.h"
#include "runtime/result/file.h"
#include "runtime/result/plot.h"
#include "runtime/result/report.h"
#include "runtime/result/report_page.h"
#include "runtime/result/report_panels.h"

namespace bolza::result {

std::string html_figure(std::span<const Figure> panels) {
  ResultTable table;
  std::vector<std::size_t> counts;
  for (const Figure& figure : panels) {
    counts.push_back(figure.series.size());
    if (table.columns.empty() && !figure.series.empty()) table.time = figure.series[0].x;
    for (const Series& s : figure.series) {
      expects(s.x == table.time && s.y.size() == s.x.size(), "the curves of a page share their times");
      table.variables.push_back({.name = s.label, .unit = s.unit, .column = table.columns.size()});
      table.columns.push_back(s.y);
    }
  }
  std::vector<Panel> of_table;
  std::string charts, title = panels.empty() ? "" : escaped(panels.front().title);
  const ResultVariable* next = table.variables.data();
  for (std::size_t count : counts) {
    charts += "<div class='panel'><div class='chart' data-phase='0' data-panel='" + std::to_string(of_table.size()) +
              "'></div></div>\n";
    of_table.emplace_back();
    for (std::size_t k = 0; k < count; ++k) of_table.back().series.push_back(next++);
  }
  const char* height =
      counts.size() > 1 ? "canvas{height:min(40vh,360px)}.panel{margin-bottom:14px}" : "canvas{height:min(70vh,640px)}";
  return "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
         "content='width=device-width,initial-scale=1'>"
         "<title>" +
         title + "</title>\n<style>" + std::string(report_style) + height + "</style></head><body><main>\n<header><h1>" +
         title +
         "</h1><button id='theme'>light / dark</button></header>\n<p class='hint' style='margin:8px 0 14px'>Drag to zoom "
         "into a stretch of time, "
         "turn the wheel to zoom about the pointer, double-click to see all; click a name to hide its curve.</p>\n" +
         charts + "</main>\n<script>const data={\"phases\":[" +
         panels_json(table, of_table, panels.empty() ? "" : panels.back().x_label) + "]};" + std::string(report_script) +
         "</script></body></html>\n";
}

Result<Done> write_picture(std::span<const Figure> panels, const std::string& path, PictureSize size,
                           Diagnostics& diagnostics) {
  if (path.ends_with(".svg")) return write_file(path, svg_text(panels, size), diagnostics);
  if (path.ends_with(".png")) return write_file(path, png_bytes(panels, size), diagnostics);
  if (path.ends_with(".html")) return write_file(path, html_figure(panels), diagnostics);
  return diagnostics.error(unknown_ending, {}, {path});
}

}  // namespace bolza::result
