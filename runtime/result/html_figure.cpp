#include "base/expects.h"
#include "runtime/result/codes.h"
#include "runtime/result/file.h"
#include "runtime/result/plot.h"
#include "runtime/result/report.h"
#include "runtime/result/report_page.h"
#include "runtime/result/report_panels.h"

namespace bolza::result {

std::string html_figure(const Figure& figure) {
  ResultTable table;
  if (!figure.series.empty()) table.time = figure.series[0].x;
  for (const Series& s : figure.series) {
    expects(s.x == table.time && s.y.size() == s.x.size(), "the curves of a page share their times");
    table.variables.push_back({.name = s.label, .unit = s.unit, .column = table.columns.size()});
    table.columns.push_back(s.y);
  }
  Panel panel;
  for (const ResultVariable& v : table.variables) panel.series.push_back(&v);
  return "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
         "content='width=device-width,initial-scale=1'>"
         "<title>" +
         escaped(figure.title) + "</title>\n<style>" + std::string(report_style) +
         "canvas{height:min(70vh,640px)}</style></head><body><main>\n<header><h1>" + escaped(figure.title) +
         "</h1><button id='theme'>light / dark</button></header>\n<p class='hint' style='margin:8px 0 14px'>Drag to zoom "
         "into a stretch of time, "
         "turn the wheel to zoom about the pointer, double-click to see all; click a name to hide its curve.</p>\n"
         "<div class='panel'><div class='chart' data-phase='0' data-panel='0'></div></div>\n</main>\n<script>const "
         "data={\"phases\":[" +
         panels_json(table, {panel}, figure.x_label) + "]};" + std::string(report_script) + "</script></body></html>\n";
}

Result<Done> write_picture(const Figure& figure, const std::string& path, PictureSize size, Diagnostics& diagnostics) {
  if (path.ends_with(".svg")) return write_file(path, svg_text(figure, size), diagnostics);
  if (path.ends_with(".png")) return write_file(path, png_bytes(figure, size), diagnostics);
  if (path.ends_with(".html")) return write_file(path, html_figure(figure), diagnostics);
  return diagnostics.error(unknown_ending, {}, {path});
}

}  // namespace bolza::result
