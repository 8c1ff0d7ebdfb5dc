// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/result/canvas.h"
#include "runtime/result/deflate.h"
#include "runtime/result/stroke_font.h"
#include "tests/unit/result/fixture.h"

namespace bolza::result {
namespace {

Figure two_curves() {
  Figure f;
  f.title = "waves";
  Series a{"x1", "m", {}, {}}, b{"x2", "m", {}, {}};
  for (int k = 0; k <= 100; ++k) {
    double t = 0.1 * k;
    a.x.push_back(t), b.x.push_back(t), a.y.push_back(std::sin(t)), b.y.push_back(2 * std::cos(t));
  }
  f.series = {a, b};
  return f;
}

TEST(Axis, puts_ticks_at_round_numbers_within_the_range) {
  for (auto [low, high] : {std::pair{0.0, 1.0}, {-3.7, 12.2}, {1e-7, 3e-7}, {-2e9, 5e8}, {99.999, 100.001}}) {
    Axis axis = make_axis(low, high, 6, AxisEnds::at_ticks);
    EXPECT_LE(axis.low, low);
    EXPECT_GE(axis.high, high);
    ASSERT_GE(axis.ticks.size(), 3u);
    ASSERT_EQ(axis.ticks.size(), axis.labels.size());
    double step = axis.ticks[1] - axis.ticks[0], lead = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    EXPECT_TRUE(std::fabs(lead - 1) < 1e-6 || std::fabs(lead - 2) < 1e-6 || std::fabs(lead - 5) < 1e-6) << step;
    for (std::size_t k = 0; k < axis.ticks.size(); ++k) {
      EXPECT_NEAR(std::atof(axis.labels[k].c_str()), axis.ticks[k], 1e-6 * step + 1e-12 * std::fabs(axis.ticks[k]))
          << axis.labels[k];
      if (k) {
        EXPECT_NE(axis.labels[k], axis.labels[k - 1]);
      }
    }
  }
}

TEST(Axis, makes_room_around_a_constant_and_around_nothing) {
  Axis flat = make_axis(5, 5, 5, AxisEnds::at_ticks);
  EXPECT_LT(flat.low, 5);
  EXPECT_GT(flat.high, 5);
  for (auto [low, high] : {std::pair{-1.7e308, 1.7e308}, {0.0, 1e308}, {0.0, 4e-320}, {1e-310, 3e-310}, {-1e308, -1e308}}) {
    Axis extreme = make_axis(low, high, 5, AxisEnds::at_ticks);
    EXPECT_GE(extreme.ticks.size(), 2u) << low << " to " << high;
    for (double tick : extreme.ticks) EXPECT_TRUE(std::isfinite(tick)) << low << " to " << high;
  }
  Axis none = make_axis(INFINITY, -INFINITY, 5, AxisEnds::at_ticks);
  EXPECT_LT(none.low, none.high);
}

TEST(Figure, names_what_is_not_there_and_what_was_meant) {
  Fixture f;
  Diagnostics diagnostics;
  std::vector<std::string> names{"x1", "costate(x3)"};
  EXPECT_FALSE(make_figure(make_table(f.problem, f.solution), names, "a.mat", diagnostics));
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code->id, "E953");
  ASSERT_EQ(diagnostics.all()[0].notes.size(), 1u);
  EXPECT_NE(diagnostics.all()[0].notes[0].text.find("costate(x"), std::string::npos);
}

TEST(Figure, takes_the_common_unit_for_the_axis) {
  Figure f = two_curves();
  EXPECT_EQ(y_label(f), "[m]");
  f.series[1].unit = "s";
  EXPECT_EQ(y_label(f), "");
  f.series.pop_back();
  EXPECT_EQ(y_label(f), "x1 [m]");
}

TEST(Figure, has_a_panel_for_each_unit) {
  Figure f = two_curves();
  EXPECT_EQ(panels_of(f).size(), 1u);
  f.series.push_back(f.series[0]);
  f.series[1].unit = "s";
  f.title = "both";
  std::vector<Figure> panels = panels_of(f);
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].series.size(), 2u);
  EXPECT_EQ(panels[1].series[0].label, f.series[1].label);
  EXPECT_EQ(panels[0].title + panels[1].title, "both");
  EXPECT_EQ(panels[0].x_label + panels[1].x_label, f.x_label);

  std::string svg = svg_text(panels, {900, 600});
  EXPECT_NE(svg.find("[m]"), std::string::npos);
  EXPECT_NE(svg.find("[s]"), std::string::npos);
  std::size_t first = svg.find("id='frame'"), second = svg.find("id='frame-2'");
  EXPECT_LT(first, second);
  EXPECT_NE(second, std::string::npos);
  std::string text = terminal_plot(panels, {.width = 60, .height = 30, .unicode = false});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 30);  // a title above, a label of x below
  std::string page = html_figure(panels);
  EXPECT_NE(page.find("data-panel='1'"), std::string::npos);
}

TEST(Svg, draws_every_curve_and_escapes_names) {
  Figure f = two_curves();
  f.series[0].label = "a<b & \"c\"";
  std::string svg = svg_text(f);
  EXPECT_NE(svg.find("a&lt;b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_EQ(svg.find("a<b"), std::string::npos);
  std::size_t clipped = 0;
  for (std::size_t at = 0; (at = svg.find("clip-path='url", at)) != std::string::npos; ++at) ++clipped;
  EXPECT_EQ(clipped, 2u);
  f.series[0].y[50] = std::nan("");
  EXPECT_EQ(svg_text(f).find("nan"), std::string::npos);
}

TEST(Svg, keeps_the_extremes_of_a_million_points) {
  Figure f;
  Series s{"x", "", {}, {}};
  for (int k = 0; k < 200000; ++k) s.x.push_back(k), s.y.push_back(k == 123456 ? 7.0 : 0.001 * (k % 10));
  f.series = {s};
  std::string svg = svg_text(f);
  EXPECT_LT(svg.size(), 200000u);
  Axis axis = make_axis(0, 7, 8, AxisEnds::at_ticks);
  EXPECT_GE(axis.high, 7);
  double top = 1e9;  // the smallest y of the curve is that of the peak
  std::size_t at = svg.find("clip-path='url"), end = svg.find("'/>", svg.find("points='", at));
  for (at = svg.find("points='", at) + 8; at < end;) {
    at = svg.find(',', at) + 1;
    top = std::min(top, std::atof(svg.c_str() + at));
    at = svg.find(' ', at);
    if (at == std::string::npos) break;
  }
  EXPECT_LT(top, 100);
}

TEST(Png, is_decoded_by_another_program_to_the_pixels_that_were_drawn) {
  if (std::system("/usr/bin/python3 -c 'import zlib' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  Figure f = two_curves();
  PictureSize size{300, 200};
  auto base = std::filesystem::temp_directory_path() / ("bolza_png_" + std::to_string(::getpid()));
  std::ofstream(base.string() + ".png", std::ios::binary) << png_bytes(f, size);
  Canvas canvas(size);
  paint(f, size, canvas);
  std::ofstream(base.string() + ".raw", std::ios::binary)
      .write(reinterpret_cast<const char*>(canvas.pixels().data()), static_cast<std::streamsize>(canvas.pixels().size()));
  std::ofstream(base.string() + ".py") << R"(import sys, zlib, struct
data = open(sys.argv[1] + '.png', 'rb').read()
assert data[:8] == b'\x89PNG\r\n\x1a\n'
at, pixels, seen = 8, b'', []
while at < len(data):
    n, kind = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + n]
    assert struct.unpack('>I', data[at + 8 + n:at + 12 + n])[0] == zlib.crc32(kind + body)
    seen.append(kind)
    if kind == b'IHDR': w, h, depth, colour = struct.unpack('>IIBB', body[:10])
    if kind == b'IDAT': pixels += body
    at += 12 + n
assert seen == [b'IHDR', b'IDAT', b'IEND'] and (w, h, depth, colour) == (300, 200, 8, 2)
rows = zlib.decompress(pixels)
raw = b''.join(rows[r * (3 * w + 1) + 1:(r + 1) * (3 * w + 1)] for r in range(h))
assert raw == open(sys.argv[1] + '.raw', 'rb').read()
assert len(set(raw[k:k + 3] for k in range(0, len(raw), 3))) > 20
)";
  EXPECT_EQ(std::system(("/usr/bin/python3 " + base.string() + ".py " + base.string()).c_str()), 0);
  for (const char* ending : {".png", ".raw", ".py"}) std::filesystem::remove(base.string() + ending);
}

TEST(Png, shrinks_what_repeats) {
  std::vector<std::uint8_t> same(100000, 255);
  EXPECT_LT(zlib_compressed(same).size(), 2000u);
}

TEST(Picture, goes_by_the_ending_and_refuses_others) {
  Diagnostics diagnostics;
  auto base = (std::filesystem::temp_directory_path() / ("bolza_picture_" + std::to_string(::getpid()))).string();
  for (auto [ending, begin] : {std::pair{".svg", "<svg"}, {".png", "\x89PNG"}, {".html", "<!doctype html>"}}) {
    ASSERT_TRUE(write_picture(std::vector{two_curves()}, base + ending, {}, diagnostics));
    std::ifstream file(base + ending, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_TRUE(text.starts_with(begin)) << ending;
    std::filesystem::remove(base + ending);
  }
  EXPECT_FALSE(write_picture(std::vector{two_curves()}, base + ".pdf", {}, diagnostics));
  EXPECT_EQ(diagnostics.all()[0].code->id, "E954");
}

TEST(StrokeFont, has_every_printable_character_within_its_cell) {
  for (char32_t c = 33; c < 127; ++c) {
    std::string_view strokes = strokes_of(c);
    EXPECT_FALSE(strokes.empty()) << static_cast<char>(c);
    std::size_t run = 0;
    for (char s : strokes) {
      if (s == ' ') {
        EXPECT_EQ(run % 2, 0u) << "pairs of " << static_cast<char>(c);
        run = 0;
      } else {
        EXPECT_TRUE(s >= '0' && s <= (run % 2 ? '8' : '4')) << static_cast<char>(c);
        ++run;
      }
    }
    EXPECT_EQ(run % 2, 0u) << static_cast<char>(c);
  }
}

TEST(StrokeFont, takes_utf8_apart_and_survives_broken_bytes) {
  std::string_view text = "aλ°";
  EXPECT_EQ(take_character(text), U'a');
  EXPECT_EQ(take_character(text), U'λ');
  EXPECT_EQ(take_character(text), U'°');
  EXPECT_TRUE(text.empty());
  text = "\xCE";
  EXPECT_EQ(take_character(text), char32_t{0xFFFD});
  EXPECT_TRUE(text.empty());
}

TEST(Terminal, keeps_to_its_width_and_names_the_curves) {
  for (int width : {40, 80, 120})
    for (bool unicode : {false, true}) {
      std::string out = terminal_plot(two_curves(), {.width = width, .height = 18, .unicode = unicode});
      std::size_t begin = 0, lines = 0;
      while (begin < out.size()) {
        std::size_t end = out.find('\n', begin);
        std::string_view line(out.data() + begin, end - begin);
        int length = 0;
        while (!line.empty()) take_character(line), ++length;
        EXPECT_LE(length, width);
        begin = end + 1, ++lines;
      }
      EXPECT_LE(lines, 20u);
      EXPECT_NE(out.find("x1 [m]"), std::string::npos);
      EXPECT_NE(out.find("x2 [m]"), std::string::npos);
      if (!unicode) {
        EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
      }
    }
}

TEST(Terminal, draws_a_rising_line_from_the_lower_left_to_the_upper_right) {
  Figure f;
  f.series = {{"x", "", {0, 1}, {0, 1}}};
  std::string out = terminal_plot(f, {.width = 40, .height = 14, .unicode = false});
  std::size_t last = 1000;
  for (std::size_t begin = 0, row = 0; row < 10; ++row) {
    std::size_t end = out.find('\n', begin);
    std::string line = out.substr(begin, end - begin);
    std::size_t at = line.find('*');
    ASSERT_NE(at, std::string::npos) << line;
    EXPECT_LT(at, last);
    last = at, begin = end + 1;
  }
}

}  // namespace
}  // namespace bolza::result
