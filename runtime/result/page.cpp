// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/page.h"

#include "base/replace_all.h"
#include "runtime/result/chart.h"
#include "runtime/result/report.h"
#include "runtime/result/report_page.h"
#include "runtime/result/study_charts.h"

namespace bolza::result {
namespace {

std::string section_table(const SectionTable& table) {
  if (table.rows.empty()) return "";
  auto row = [](const std::vector<std::string>& cells, const char* tag) {
    std::string out = "<tr>";
    for (std::size_t k = 0; k < cells.size(); ++k)
      out += std::string("<") + tag + " class='" + (k == 0 ? "name" : "n") + "'>" + escaped(cells[k]) + "</" + tag + ">";
    return out + "</tr>\n";
  };
  std::string out = "<div class='scroll'><table>" + row(table.head, "th");
  for (const std::vector<std::string>& cells : table.rows) out += row(cells, "td");
  return out + "</table></div>\n";
}

/// The picture with an id of its own for its frame: ids of a page are unique.
std::string picture(const Figure& figure, std::size_t number) {
  std::string svg = svg_text(figure, {560, 340}), own = "frame" + std::to_string(number);
  for (const char* place : {"id='frame'", "url(#frame)"}) {
    std::string from = place, to = from;
    to.replace(to.find("frame"), 5, own);
    replace_all(svg, from, to);
  }
  return "<div class='panel'>" + svg + "</div>\n";
}

}  // namespace

std::string html_page(const std::string& title, const std::string& where, const std::vector<PageSection>& sections) {
  std::string out =
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width,initial-scale=1'><title>" +
      escaped(title) + "</title>\n<style>" + std::string(report_style) + chart_style + study_style +
      "svg{max-width:100%;height:auto;border-radius:6px}</style></head><body><main>\n<header><h1>" + escaped(title) +
      "</h1><div class='where'>" + escaped(where) + "</div></header>\n";
  std::size_t number = 0;
  for (const PageSection& s : sections) {
    out += "<h2>" + escaped(s.heading) + "</h2>\n";
    for (const std::string& paragraph : s.text) out += "<p>" + escaped(paragraph) + "</p>\n";
    out += section_table(s.table);
    bool drawn = !s.figures.empty() || !s.pictures.empty();
    if (drawn) out += "<div class='plots' style='margin-top:14px'>\n";
    for (const Figure& figure : s.figures) out += picture(figure, ++number);
    for (const std::string& svg : s.pictures) out += "<div class='panel'>" + svg + "</div>\n";
    if (drawn) out += "</div>\n";
  }
  return out + "</main></body></html>\n";
}

}  // namespace bolza::result
