// SPDX-License-Identifier: Apache-2.0
// Curves in a terminal: 2 × 4 braille dots per character, or letters.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "runtime/result/plot.h"
#include "runtime/result/stroke_font.h"

namespace bolza::result {
namespace {

constexpr char letters[] = "*o+x#@%&";
constexpr int ansi[] = {34, 33, 32, 35, 93, 36, 95, 90};

struct Cell {
  std::uint8_t dots = 0;
  std::uint8_t series = 0;
};

// Dots cannot tell curves apart without colours: then every curve has its letter.
bool dotted(const Figure& figure, const TerminalStyle& style) {
  return style.unicode && (style.colour || figure.series.size() < 2);
}

struct Frame {
  int columns, rows;  // characters
  int across, down;   // dots per character
  Axis x, y;
  std::vector<Cell> cells;

  void dot(int c, int r, std::size_t series) {
    if (c < 0 || r < 0 || c >= columns * across || r >= rows * down) return;
    static constexpr std::uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& cell = cells[static_cast<std::size_t>(r / down * columns + c / across)];
    cell.dots |= across == 2 ? bit[r % 4][c % 2] : 1;
    cell.series = static_cast<std::uint8_t>(series);
  }

  void segment(double x0, double y0, double x1, double y1, std::size_t series) {
    auto column = [&](double v) { return (v - x.low) / (x.high - x.low) * (columns * across - 1); };
    auto row = [&](double v) { return (y.high - v) / (y.high - y.low) * (rows * down - 1); };
    double c0 = column(x0), r0 = row(y0), c1 = column(x1), r1 = row(y1);
    int steps = std::max(1, static_cast<int>(std::ceil(std::max(std::fabs(c1 - c0), std::fabs(r1 - r0)))));
    for (int k = 0; k <= steps; ++k)
      dot(static_cast<int>(std::lround(c0 + (c1 - c0) * k / steps)),
          static_cast<int>(std::lround(r0 + (r1 - r0) * k / steps)), series);
  }
};

std::string utf8(char32_t c) {
  return {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
          static_cast<char>(0x80 | (c & 0x3F))};
}

std::string coloured(std::string text, std::size_t series, const TerminalStyle& style) {
  if (!style.colour) return text;
  return "\x1b[" + std::to_string(ansi[series % std::size(ansi)]) + "m" + std::move(text) + "\x1b[0m";
}

std::string glyph(const Cell& cell, bool dots) {
  if (!cell.dots) return " ";
  return dots ? utf8(0x2800 + cell.dots) : std::string(1, letters[cell.series % (sizeof letters - 1)]);
}

// One row of the frame; a colour is written only where it changes.
std::string row_text(const Frame& f, int r, const TerminalStyle& style) {
  std::string out, run;
  int series = -1;
  auto finish = [&] {
    out += series < 0 || run.empty() ? run : coloured(run, static_cast<std::size_t>(series), style);
    run.clear();
  };
  for (int c = 0; c < f.columns; ++c) {
    const Cell& cell = f.cells[static_cast<std::size_t>(r * f.columns + c)];
    int next = cell.dots ? cell.series : -1;
    if (next != series) {
      finish();
      series = next;
    }
    run += glyph(cell, f.across == 2);
  }
  finish();
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

int length_of(std::string_view text) {
  int n = 0;
  while (!text.empty()) {
    take_character(text);
    ++n;
  }
  return n;
}

std::string padded_left(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - length_of(text))), ' ') + text;
}

Frame make_frame(const Figure& figure, const TerminalStyle& style, int rows) {
  double inf = std::numeric_limits<double>::infinity(), x0 = inf, x1 = -inf, y0 = inf, y1 = -inf;
  for (const Series& s : figure.series)
    for (std::size_t k = 0; k < s.x.size(); ++k) {
      if (!std::isfinite(s.y[k])) continue;
      x0 = std::min(x0, s.x[k]);
      x1 = std::max(x1, s.x[k]);
      y0 = std::min(y0, s.y[k]);
      y1 = std::max(y1, s.y[k]);
    }
  bool dots = dotted(figure, style);
  Frame f{0, rows, dots ? 2 : 1, dots ? 4 : 1, {}, {}, {}};
  f.y = make_axis(y0, y1, std::max(2, rows / 4), AxisEnds::at_ticks);
  int label = 0;
  for (const std::string& text : f.y.labels) label = std::max(label, length_of(text));
  f.columns = std::max(10, style.width - label - 3);
  f.x = make_axis(x0, x1, std::max(2, f.columns / 14), AxisEnds::as_given);
  f.cells.resize(static_cast<std::size_t>(f.columns * f.rows));
  return f;
}

std::vector<std::string> row_labels(const Frame& f) {
  std::vector<std::string> labels(static_cast<std::size_t>(f.rows));
  for (std::size_t i = 0; i < f.y.ticks.size(); ++i) {
    double row = (f.y.high - f.y.ticks[i]) / (f.y.high - f.y.low) * (f.rows - 1);
    labels[static_cast<std::size_t>(std::clamp<long>(std::lround(row), 0, f.rows - 1))] = f.y.labels[i];
  }
  return labels;
}

std::string x_axis(const Frame& f, int label, const TerminalStyle& style) {
  std::string blanks(static_cast<std::size_t>(label + 1), ' ');
  std::string line = blanks + (style.unicode ? "└" : "+"), numbers(static_cast<std::size_t>(f.columns + label + 12), ' ');
  std::vector<bool> tick(static_cast<std::size_t>(f.columns));
  std::size_t free = 0;
  for (std::size_t i = 0; i < f.x.ticks.size(); ++i) {
    int c = static_cast<int>(std::lround((f.x.ticks[i] - f.x.low) / (f.x.high - f.x.low) * (f.columns - 1)));
    tick[static_cast<std::size_t>(c)] = true;
    std::size_t size = f.x.labels[i].size();
    std::size_t at = static_cast<std::size_t>(std::max(0, label + 2 + c - static_cast<int>(size / 2)));
    at = std::min(at, static_cast<std::size_t>(style.width) > size ? static_cast<std::size_t>(style.width) - size : 0);
    if (at < free) continue;
    numbers.replace(at, size, f.x.labels[i]);
    free = at + size + 1;
  }
  for (bool t : tick) line += style.unicode ? (t ? "┴" : "─") : (t ? "+" : "-");
  numbers.erase(numbers.find_last_not_of(' ') + 1);
  return line + "\n" + numbers + "\n";
}

std::string legend(const Figure& figure, const TerminalStyle& style, int indent) {
  std::string out(static_cast<std::size_t>(indent), ' ');
  int used = indent;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& s = figure.series[i];
    std::string name = s.unit.empty() ? s.label : s.label + " [" + s.unit + "]";
    std::string mark = dotted(figure, style) ? "━━" : std::string(1, letters[i % (sizeof letters - 1)]);
    int width = length_of(name) + length_of(mark) + 4;
    if (used > indent && used + width > style.width) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      used = indent;
    }
    out += coloured(mark, i, style) + " " + name + "   ";
    used += width;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out + "\n";
}

void draw(const Figure& figure, Frame& f) {
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& s = figure.series[i];
    for (std::size_t k = 0; k < s.x.size(); ++k) {
      std::size_t from = k > 0 && std::isfinite(s.y[k - 1]) ? k - 1 : k;
      if (std::isfinite(s.y[k])) f.segment(s.x[from], s.y[from], s.x[k], s.y[k], i);
    }
  }
}

}  // namespace

std::string terminal_plot(const Figure& figure, const TerminalStyle& style) {
  Frame f = make_frame(figure, style, std::max(4, style.height - 4));
  draw(figure, f);
  std::vector<std::string> labels = row_labels(f);
  int label = 0;
  for (const std::string& text : f.y.labels) label = std::max(label, length_of(text));
  std::string out;
  if (!figure.title.empty()) out += padded_left(figure.title, label + 2 + (f.columns + length_of(figure.title)) / 2) + "\n";
  for (int r = 0; r < f.rows; ++r) {
    const std::string& text = labels[static_cast<std::size_t>(r)];
    std::string line =
        padded_left(text, label) + " " + (style.unicode ? (text.empty() ? "│" : "┤") : (text.empty() ? "|" : "+"));
    out += line + row_text(f, r, style) + "\n";
  }
  out += x_axis(f, label, style);
  if (!figure.x_label.empty())
    out += padded_left(figure.x_label, label + 2 + (f.columns + length_of(figure.x_label)) / 2) + "\n";
  return out + legend(figure, style, label + 2);
}

std::string terminal_plot(std::span<const Figure> panels, TerminalStyle style) {
  constexpr int least = 10;
  int n = static_cast<int>(panels.size());
  if (n > 1) style.height = std::max(least, style.height / n);
  std::string out;
  for (const Figure& panel : panels) out += terminal_plot(panel, style);
  return out;
}

}  // namespace bolza::result
