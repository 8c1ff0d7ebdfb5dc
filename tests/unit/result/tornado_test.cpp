// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/tornado.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::result {
namespace {

std::size_t places_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Tornado, has_the_longest_bar_on_top_and_falls_to_the_left) {
  std::string svg = svg_tornado({"change", {{"small", 0.5}, {"large", -4}, {"unknown", std::nan("")}}});
  EXPECT_LT(svg.find(">large<"), svg.find(">small<"));
  EXPECT_LT(svg.find(">small<"), svg.find(">unknown<"));
  EXPECT_EQ(places_of(svg, "<rect"), 2u) << "what is not known has no bar";
  EXPECT_NE(svg.find("not known"), std::string::npos);
  EXPECT_NE(svg.find("text-anchor='end'>-4<"), std::string::npos) << "a fall is written at the left end of its bar";
  EXPECT_NE(svg.find("text-anchor='start'>+0.5<"), std::string::npos);
}

TEST(Tornado, counts_what_there_is_no_room_for) {
  Tornado tornado{"change", {}};
  for (std::size_t k = 0; k < most_bars + 3; ++k)
    tornado.bars.push_back({"p" + std::to_string(k), 1.0 + static_cast<double>(k)});
  std::string svg = svg_tornado(tornado);
  EXPECT_EQ(places_of(svg, "<rect"), most_bars);
  EXPECT_NE(svg.find("3 more parameters change less"), std::string::npos);
  EXPECT_EQ(svg.find(">p2<"), std::string::npos) << "the least are left out";
}

TEST(Tornado, escapes_names) {
  EXPECT_EQ(svg_tornado({"change", {{"<script>", 1}}}).find("<script>"), std::string::npos);
  EXPECT_EQ(svg_tornado({"change", {}}), "");
}

}  // namespace
}  // namespace bolza::result
