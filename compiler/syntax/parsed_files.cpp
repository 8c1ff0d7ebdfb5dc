// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/parsed_files.h"

#include <algorithm>
#include <cstring>

#include "compiler/syntax/image.h"
#include "compiler/syntax/parse.h"
#include "syntax_sources.h"

namespace bolza::syntax {
namespace {

constexpr FileKind kind{".parsed", "bolza parsed file 1\n"};

/// What another parser or another layout of the tree changes.
ContentHash this_parser() {
  const std::size_t layout[] = {sizeof(ast::Expr),      sizeof(ast::Class),   sizeof(ast::Component), sizeof(ast::Equation),
                                sizeof(ast::Statement), sizeof(ast::Element), sizeof(ast::Constraint)};
  std::string all(sources_digest);
  all.append(reinterpret_cast<const char*>(layout), sizeof layout);
  return content_hash(all);
}

/// After the key, should two texts share one.
struct Head {
  ContentHash parser, text;
  std::uint64_t text_size = 0;
};

bool has_message(const Diagnostics& diagnostics, SourceId source) {
  const auto& all = diagnostics.all();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) { return d.span.file == source; });
}

}  // namespace

FileCache parsed_file_cache(std::string folder) { return {std::move(folder), kind}; }

ParsedFiles::ParsedFiles(std::string folder) : files_(parsed_file_cache(std::move(folder))) {}

Result<std::unique_ptr<ast::StoredFile>> ParsedFiles::parse(SourceId source, const Sources& sources,
                                                            Diagnostics& diagnostics) {
  if (files_.folder().empty()) return syntax::parse(source, sources, diagnostics);
  std::string_view text = sources.text(source);
  Head head{.parser = this_parser()};
  head.text = content_hash(text, head.parser);
  head.text_size = text.size();
  std::string key = to_text(head.text);
  if (auto entry = files_.find(key, buffer_)) {
    bool same = entry->size() >= sizeof head && std::memcmp(entry->data(), &head, sizeof head) == 0;
    auto file = same ? from_image(entry->substr(sizeof head), source, text) : nullptr;
    if (file) {
      ++n_found_;
      return file;
    }
  }
  auto file = syntax::parse(source, sources, diagnostics);
  if (!file || has_message(diagnostics, source)) return file;
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  files_.put(key, bytes += to_image(**file, text));
  return file;
}

}  // namespace bolza::syntax
