// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostics.h"

#include <algorithm>
#include <array>

#include "base/expects.h"
#include "base/printable.h"

namespace bolza {

namespace {

/// What one argument of a message, or a note, shows at most: cells and names of megabytes help nobody.
std::string shortened(std::string_view text) {
  constexpr std::size_t most = 1000;
  if (text.size() <= most) return std::string(text);
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // between characters
  return std::string(text.substr(0, cut)) + "…";
}

}  // namespace

std::string fill_in(std::string_view pattern, std::span<const std::string_view> arguments) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}' && pattern[i + 1] >= '0' &&
        pattern[i + 1] <= '9') {
      auto k = static_cast<std::size_t>(pattern[i + 1] - '0');
      expects(k < arguments.size(), "every place of a message has its argument");
      out += shortened(arguments[k]);
      i += 2;
    } else {
      out += pattern[i];
    }
  }
  return out;
}

void Diagnostics::add(Diagnostic d) {
  constexpr std::size_t most = 1000;  // of each severity: nobody reads more, and each is compared with all before it
  bool is_error = d.severity == Severity::error;
  if ((is_error ? errors_ : all_.size() - errors_) >= most) return;
  auto same = [&](const Diagnostic& o) { return o.code == d.code && o.span == d.span && o.message == d.message; };
  if (std::any_of(all_.begin(), all_.end(), same)) return;
  for (Note& note : d.notes) note.text = shortened(note.text);
  errors_ += is_error;
  all_.push_back(std::move(d));
}

Reported Diagnostics::error(const Code& code, Span at, Arguments arguments, std::vector<Note> notes) {
  add({&code, Severity::error, at, fill_in(code.message, std::span(arguments.begin(), arguments.size())), std::move(notes)});
  return Reported{};
}

void Diagnostics::warning(const Code& code, Span at, Arguments arguments, std::vector<Note> notes) {
  add({&code, Severity::warning, at, fill_in(code.message, std::span(arguments.begin(), arguments.size())),
       std::move(notes)});
}

Reported Diagnostics::already_reported() const {
  expects(errors_ > 0, "a failure that is called reported has been reported");
  return Reported{};
}

namespace {

struct Palette {
  std::string_view error, warning, note, strong, off;
};
constexpr Palette plain{"", "", "", "", ""};
constexpr Palette coloured{"\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1m", "\x1b[0m"};

void append_excerpt(std::string& out, const Sources& sources, Span span, std::string_view paint, std::string_view off) {
  Place from = sources.place(span.file, span.begin);
  Place to = sources.place(span.file, std::max(span.begin, span.end));
  std::string line(sources.line(span.file, from.line));
  if (line.size() > 400) return;  // a table literal of thousands of columns helps nobody
  std::replace(line.begin(), line.end(), '\t', ' ');
  for (std::size_t k = 0; k < line.size(); ++k)  // one column each, as they are counted
    if (std::size_t n = control_at(line, k)) line.replace(k, n, 1, ' ');
  std::string number = std::to_string(from.line);
  out += "  " + number + " | " + line + "\n";
  std::size_t width = from.line == to.line && to.column > from.column ? to.column - from.column : 1;
  if (from.line != to.line && line.size() + 1 > from.column) width = line.size() + 1 - from.column;
  out += "  " + std::string(number.size(), ' ') + " | " + std::string(from.column - 1, ' ');
  out += std::string(paint) + "^" + std::string(width - 1, '~') + std::string(off) + "\n";
}

}  // namespace

std::string render(const Diagnostic& d, const Sources& sources, bool colour) {
  const Palette& c = colour ? coloured : plain;
  bool is_error = d.severity == Severity::error;
  std::string_view paint = is_error ? c.error : c.warning;
  std::string out;
  if (d.span) out += std::string(c.strong) + printable(where(sources, d.span)) + ":" + std::string(c.off) + " ";
  out += std::string(paint) + (is_error ? "error:" : "warning:") + std::string(c.off) + " ";
  out += printable(d.message) + " [" + std::string(d.code->id) + "]\n";
  if (d.span) append_excerpt(out, sources, d.span, paint, c.off);
  for (const Note& note : d.notes) {
    if (note.span) out += printable(where(sources, note.span)) + ": ";
    out += std::string(c.note) + (note.span ? "note: " : "help: ") + std::string(c.off) + printable(note.text) + "\n";
    if (note.span) append_excerpt(out, sources, note.span, c.note, c.off);
  }
  return out;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two(b.size() + 1), one(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) one[j] = j;
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      now[j] = std::min({one[j] + 1, now[j - 1] + 1, one[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], two[j - 2] + 1);
    }
    two.swap(one);
    one.swap(now);
  }
  return one[b.size()];
}

}  // namespace

std::string near_match(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 200;  // nobody mistypes more, and the cost is the product of two lengths
  if (name.size() > longest) return {};
  std::string best;
  std::size_t limit = std::max<std::size_t>(1, (name.size() + 2) / 3), distance = limit + 1;
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.size() > name.size() + limit || name.size() > candidate.size() + limit) continue;
    std::size_t d = edit_distance(name, candidate);
    if (d < distance || (d == distance && !best.empty() && candidate < best)) {
      distance = d;
      best = candidate;
    }
  }
  if (name.size() == 1 && !best.empty() && distance > 0) {  // every one-letter name is near every other: only case counts
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    if (best.size() != 1 || lower(best[0]) != lower(name[0])) return {};
  }
  return best;
}

std::vector<Note> did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  std::string best = near_match(name, candidates);
  if (best.empty()) return {};
  return {Note{{}, "did you mean `" + best + "`?"}};
}

}  // namespace bolza
