// SPDX-License-Identifier: Apache-2.0
#include "base/span.h"

#include <algorithm>

#include "base/expects.h"

namespace bolza {

Span cover(Span a, Span b) {
  if (!a) return b;
  if (!b || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

SourceId Sources::add(std::string path, std::string text) {
  auto same = [&](const File& f) { return f.text.size() == text.size() && f.path == path && f.text == text; };
  if (auto known = std::find_if(files_.begin(), files_.end(), same); known != files_.end())
    return SourceId(static_cast<std::size_t>(known - files_.begin()));
  File file{std::move(path), std::move(text), {0}};
  file.line_begins.reserve(file.text.size() / 32);
  for (std::size_t end = file.text.find('\n'); end != std::string::npos; end = file.text.find('\n', end + 1))
    file.line_begins.push_back(static_cast<std::uint32_t>(end + 1));
  files_.push_back(std::move(file));
  return SourceId(files_.size() - 1);
}

std::string_view Sources::text(Span span) const {
  if (!span) return {};
  std::string_view all = text(span.file);
  auto begin = std::min<std::size_t>(span.begin, all.size());
  auto end = std::clamp<std::size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

Place Sources::place(SourceId file, std::uint32_t offset) const {
  const File& f = files_[file.index()];
  offset = std::min(offset, static_cast<std::uint32_t>(f.text.size()));
  auto after = std::upper_bound(f.line_begins.begin(), f.line_begins.end(), offset);
  auto line = static_cast<std::uint32_t>(after - f.line_begins.begin());
  std::uint32_t column = 1;
  for (std::uint32_t i = f.line_begins[line - 1]; i < offset; ++i)
    if ((static_cast<unsigned char>(f.text[i]) & 0xC0) != 0x80) ++column;
  return {line, column};
}

std::string_view Sources::line(SourceId file, std::uint32_t line) const {
  const File& f = files_[file.index()];
  expects(line >= 1 && line <= f.line_begins.size(), "line number is inside the file");
  std::size_t begin = f.line_begins[line - 1];
  std::size_t end = line < f.line_begins.size() ? f.line_begins[line] - 1 : f.text.size();
  if (end > begin && f.text[end - 1] == '\r') --end;
  return std::string_view(f.text).substr(begin, end - begin);
}

std::string where(const Sources& sources, Span span) {
  if (!span) return "";
  Place p = sources.place(span.file, span.begin);
  return std::string(sources.path(span.file)) + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

}  // namespace bolza
