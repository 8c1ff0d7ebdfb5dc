// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/result/report_panels.h"
#include "tests/unit/result/fixture.h"

namespace bolza::result {
namespace {

std::string page(Fixture& f) {
  ResultTable table = make_table(f.problem, f.solution);
  return html_report(f.problem, f.solution, {&table, 1},
                     {"Oscillator </script><b>", "oscillator.mop", "0.1.0", "2026", {{"total", 0.25}}, {{"mesh", "50"}}});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

TEST(Report, needs_no_network_and_escapes_what_it_shows) {
  Fixture f;
  std::string html = page(f);
  for (const char* outside : {"http://", "https://", "src=", "@import", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_EQ(count(html, "</script>"), 1u);
  EXPECT_NE(html.find("Oscillator &lt;/script&gt;"), std::string::npos);
}

TEST(Report, shows_objective_status_parameters_multipliers_and_options) {
  Fixture f;
  f.solution.findings.push_back(
      {abi::Finding::Kind::at_bound, "u", "oscillator.mop", 3, 8, 1.0, 1.0, 1.0, 0.3, "at its upper bound"});
  std::string html = page(f);
  for (const char* text : {">solved<", ">3.25<", ">k<", ">0.125<", "x1 &lt;= 5", "oscillator.mop:9", "at its upper bound",
                           ">mesh<", "2 intervals", "0.25 s", "oscillator.mop:3"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
}

TEST(Report, gives_its_script_the_trajectories_as_json) {
  Fixture f;
  std::string html = page(f);
  std::size_t begin = html.find("const data=") + 11, end = html.find(";\n(() =>", begin);
  ASSERT_NE(end, std::string::npos);
  nlohmann::json data = nlohmann::json::parse(html.substr(begin, end - begin));
  const auto& phase = data["phases"][0];
  EXPECT_EQ(phase["time"].size(), 5u);
  std::size_t curves = 0;
  for (const auto& panel : phase["panels"])
    for (const auto& s : panel["series"]) {
      EXPECT_EQ(phase["columns"][s["c"].get<std::size_t>()].size(), 5u);
      if (s["n"] == "minus_x1") {
        EXPECT_EQ(s["s"], -1);
      }
      ++curves;
    }
  EXPECT_EQ(curves, 9u) << "two states, a control, three further variables, two costates, a multiplier";
  EXPECT_EQ(count(html, "class='chart'"), phase["panels"].size());
}

TEST(Report, draws_bounds_and_measured_points_of_their_variable_alone) {
  ResultTable table{.time = {0, 2}, .columns = {{1, 2}, {3, 4}}};
  table.variables = {{.name = "x", .unit = "m", .role = Role::state, .min = 0, .max = 2.5},
                     {.name = "y", .unit = "m", .role = Role::state, .column = 1}};
  std::size_t left_out = 0;
  std::vector<MeasuredPoints> measured{{0, "y", {0, 1}, {3.1, 3.4}}};
  nlohmann::json phase = nlohmann::json::parse(panels_json(table, make_panels(table, left_out), "T [h]", measured));
  EXPECT_EQ(phase["x"], "T [h]");
  const nlohmann::json &x = phase["panels"][0]["series"][0], &y = phase["panels"][0]["series"][1];
  EXPECT_EQ(x["lo"], 0);
  EXPECT_EQ(x["hi"], 2.5);
  EXPECT_FALSE(x.contains("points"));
  EXPECT_FALSE(y.contains("lo") || y.contains("hi"));
  EXPECT_EQ(y["points"], nlohmann::json::parse("[[0,1],[3.1,3.4]]"));
}

TEST(Report, names_every_kind_of_finding_and_shows_its_cards) {
  Fixture f;
  for (auto kind : {abi::Finding::Kind::violated, abi::Finding::Kind::nonfinite, abi::Finding::Kind::at_bound,
                    abi::Finding::Kind::unbounded, abi::Finding::Kind::of_engine})
    f.solution.findings.push_back({kind, "u", "oscillator.mop", 3, 8, 1.0, 1.0, 1.0, 0.3, ""});
  ResultTable table = make_table(f.problem, f.solution);
  ReportContext context;
  context.cards.emplace_back("± 1e-6", "estimated <error>");
  std::string html = html_report(f.problem, f.solution, {&table, 1}, context);
  for (const char* text : {">violated<", ">not finite<", ">at its bound<", ">without a bound<", ">of the engine<",
                           ">± 1e-6<", "estimated &lt;error&gt;"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
}

TEST(Report, puts_values_that_are_not_finite_as_null) {
  ResultTable table{.time = {0, 1}, .columns = {{1, NAN}}, .variables = {{.name = "x", .role = Role::state}}};
  std::size_t left_out = 0;
  EXPECT_NE(panels_json(table, make_panels(table, left_out)).find("[1,null]"), std::string::npos);
}

TEST(Panels, keep_units_and_sizes_apart) {
  ResultTable table{.time = {0}, .columns = {{1}, {1000}, {2}, {1}}};
  for (std::size_t k = 0; k < 4; ++k)
    table.variables.push_back({.name = std::string(1, static_cast<char>('a' + k)), .role = Role::state, .column = k});
  table.variables[3].unit = "m";
  std::size_t left_out = 0;
  std::vector<Panel> panels = make_panels(table, left_out);
  ASSERT_EQ(panels.size(), 3u);
  EXPECT_EQ(panels[0].series.size(), 2u) << "a and c";
}

TEST(Report, runs_in_a_browser_without_an_error) {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0) GTEST_SKIP() << "chromium is not installed";
  Fixture f;
  auto base = (std::filesystem::temp_directory_path() / ("bolza_report_" + std::to_string(::getpid()))).string();
  std::ofstream(base + ".html") << page(f);
  std::string command =
      "timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking "
      "--disable-component-update --disable-sync --user-data-dir=" +
      base + " --virtual-time-budget=2000 --dump-dom file://" + base + ".html > " + base + ".dom 2>/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream dom(base + ".dom");
  std::string text((std::istreambuf_iterator<char>(dom)), {});
  EXPECT_EQ(count(text, "<canvas"), count(text, "class=\"chart\"")) << "the script made a drawing for every chart";
  EXPECT_GT(count(text, "<button"), 8u);
  std::filesystem::remove_all(base);
  for (const char* ending : {".html", ".dom"}) std::filesystem::remove(base + ending);
}

}  // namespace
}  // namespace bolza::result
