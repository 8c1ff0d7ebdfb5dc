// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/fit_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bolza::result {
namespace {

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(Chart, draws_what_is_there_and_leaves_out_what_is_not_a_number) {
  double none = std::numeric_limits<double>::quiet_NaN();
  Chart chart{.title = "a < b", .levels = {0}};
  chart.curves.push_back(
      {.x = {0, 1, 2, 3, 4}, .y = {1, 2, none, 3, 4}, .lower = {0, 1, 1, 2, 3}, .upper = {2, 3, 3, 4, 5}});
  chart.points.push_back(
      {.x = {0, 1, 2}, .y = {1, none, 2}, .low = {0, 0, 1}, .high = {2, 2, 3}, .hollow = {false, false, true}});
  std::string svg = svg_chart(chart);
  EXPECT_EQ(count_of(svg, "<circle"), 2u);
  EXPECT_EQ(count_of(svg, "class='bar'"), 2u);
  EXPECT_EQ(count_of(svg, "class='curve'"), 2u);  // interrupted
  EXPECT_EQ(count_of(svg, "class='band'"), 1u);
  EXPECT_EQ(count_of(svg, "class='level'"), 1u);
  EXPECT_EQ(count_of(svg, "nan"), 0u);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
}

TEST(Chart, keeps_to_positive_values_on_a_logarithmic_axis) {
  Chart chart{.log_y = true};
  chart.points.push_back({.x = {0, 1, 2}, .y = {1e-3, 0, 1e3}, .low = {-1, -1, 1}, .high = {1, 1, 1e4}});
  std::string svg = svg_chart(chart);
  EXPECT_EQ(count_of(svg, "<circle"), 2u);
  EXPECT_EQ(count_of(svg, "nan"), 0u);
}

TEST(FitPage, is_one_page_with_what_it_was_given) {
  FitPage page{.title = "A<B", .status = "fitted", .status_class = "solved", .verdict = "only `a·b` is determined"};
  page.correlated = {"a", "b"}, page.correlation = {1, 0.5, 0.5, 1};
  page.parameters = {"Parameters", {"parameter", "value"}, {false, true}, {{"a", "1"}, {"b & c", "2"}}};
  std::string html = fit_html(page);
  EXPECT_NE(html.find("only <code>a·b</code> is determined"), std::string::npos);
  EXPECT_NE(html.find("b &amp; c"), std::string::npos);
  EXPECT_EQ(count_of(html, "<rect class='cell'"), 4u);
  EXPECT_EQ(count_of(html, "<h2>Profile"), 0u);
  EXPECT_EQ(count_of(html, "http"), 0u);
  EXPECT_EQ(count_of(html, "A<B"), 0u);
}

}  // namespace
}  // namespace bolza::result
