// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/fit_page.h"

#include "runtime/result/report.h"
#include "runtime/result/report_page.h"

namespace bolza::result {
namespace {

std::string table_html(const PageTable& table) {
  if (table.rows.empty()) return "";
  auto kind = [&](std::size_t column) {
    return column == 0 ? "name" : column < table.numeric.size() && table.numeric[column] ? "n" : "soft";
  };
  std::string out = table.title.empty() ? "" : "<h2>" + escaped(table.title) + "</h2>\n";
  out += "<div class='scroll'><table><tr>";
  for (std::size_t i = 0; i < table.head.size(); ++i)
    out += std::string("<th class='") + kind(i) + "'>" + escaped(table.head[i]) + "</th>";
  out += "</tr>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += std::string("<td class='") + kind(i) + "'>" + with_code(row[i]) + "</td>";
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string charts_html(const char* title, const std::vector<Chart>& charts, const char* hint = "") {
  if (charts.empty()) return "";
  std::string out = "<h2>" + std::string(title) + "</h2>\n";
  if (*hint) out += "<p class='hint'>" + std::string(hint) + "</p>\n";
  out += "<div class='plots'>\n";
  for (const Chart& chart : charts) out += "<div class='panel'>" + svg_chart(chart) + "</div>\n";
  return out + "</div>\n";
}

// Switches between light and dark; the only script of the page.
constexpr const char* theme_script =
    "document.getElementById('theme').onclick=()=>{const "
    "r=document.documentElement,d=r.dataset.theme?r.dataset.theme==='dark':"
    "matchMedia('(prefers-color-scheme:dark)').matches;r.dataset.theme=d?'light':'dark'};";

}  // namespace

std::string with_code(const std::string& text) {
  std::string out;
  bool inside = false;
  std::size_t from = 0;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', from)) {
    out += escaped(text.substr(from, at - from)) + (inside ? "</code>" : "<code>");
    inside = !inside;
    from = at + 1;
  }
  return out + escaped(text.substr(from)) + (inside ? "</code>" : "");
}

std::string fit_html(const FitPage& page) {
  std::string out =
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width,initial-scale=1'>\n<title>" +
      escaped(page.title) + "</title>\n<style>" + std::string(report_style) + chart_style + "</style></head><body><main>\n";
  out += "<header><h1>" + escaped(page.title) + "</h1><span class='status " + page.status_class + "'>" +
         escaped(page.status) + "</span><button id='theme'>light / dark</button><div class='where'>" + escaped(page.where) +
         "</div></header>\n";
  if (!page.verdict.empty()) out += "<p class='verdict'>" + with_code(page.verdict) + "</p>\n";
  out += "<div class='cards'>";
  for (const auto& [value, label] : page.cards)
    out += "<div class='card'><b>" + escaped(value) + "</b><span>" + escaped(label) + "</span></div>";
  out += "</div>\n" + table_html(page.parameters);
  out += charts_html(
      "Data and fit", page.fits,
      "Points: measurements with their standard deviation; rings: outliers and what was not fitted. Dark band: where the "
      "curve lies; light band: where a new measurement lies.");
  out += charts_html("Residuals", page.residuals, "In standard deviations, over time.");
  if (!page.correlated.empty())
    out += "<h2>Correlation of the estimates</h2>\n<div class='panel'>" + svg_heat_map(page.correlated, page.correlation) +
           "</div>\n";
  out +=
      charts_html("Profile likelihoods", page.profiles, "Below the dashed line a value is within the confidence interval.");
  out += charts_html("Starts", page.waterfall, "Final objectives of all starts, best first.");
  for (const PageTable& table : page.tables) out += table_html(table);
  if (!page.version.empty()) out += "<footer>Written by Bolza " + escaped(page.version) + "</footer>\n";
  return out + "</main>\n<script>" + theme_script + "</script></body></html>\n";
}

}  // namespace bolza::result
