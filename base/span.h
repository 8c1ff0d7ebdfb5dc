// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"

namespace bolza {

using SourceId = Id<struct SourceTag>;

/// A piece of source text: bytes [begin, end) of one file. A span without a file says "no place in the source".
struct Span {
  SourceId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  explicit operator bool() const { return bool(file); }
  friend bool operator==(const Span&, const Span&) = default;
};

/// The smallest span that covers both; spans of different files give the first.
Span cover(Span a, Span b);

/// 1-based; columns count bytes of UTF-8 characters' first bytes, so a caret lands under the character.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The texts of one run. Ids stay valid, texts stay where they are; nothing is ever removed.
class Sources {
 public:
  SourceId add(std::string path, std::string text);

  std::string_view path(SourceId file) const { return files_[file.index()].path; }
  std::string_view text(SourceId file) const { return files_[file.index()].text; }
  std::string_view text(Span span) const;
  Place place(SourceId file, std::uint32_t offset) const;
  std::string_view line(SourceId file, std::uint32_t line) const;  ///< without its line end
  std::size_t size() const { return files_.size(); }

 private:
  struct File {
    std::string path;
    std::string text;
    std::vector<std::uint32_t> line_begins;
  };
  std::deque<File> files_;
};

/// "path:line:column", or "path" when the span is none of a file.
std::string where(const Sources& sources, Span span);

}  // namespace bolza
