// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "base/content_hash.h"
#include "base/file_cache.h"
#include "base/result.h"
#include "compiler/syntax/ast.h"

namespace bolza::syntax {

/// The entries on disk.
FileCache parsed_file_cache(std::string folder);

/// Trees of files on disk, found by what the text is and by what the parser is; whose name or date plays no part. Only texts
/// without any message are kept. Any number of processes, also of other versions, may share a folder.
/// docs/decisions/parsed-files.md says more.
class ParsedFiles {
 public:
  /// @param folder  "" switches the cache off
  explicit ParsedFiles(std::string folder);

  /// What `syntax::parse` gives, from the cache when it is there.
  /// Errors  those of `syntax::parse`; the cache has none.
  /// Cost    when it is there, a hundredth of that of parsing; when it is not, a fifth more.
  Result<std::unique_ptr<ast::StoredFile>> parse(SourceId source, const Sources& sources, Diagnostics& diagnostics);

  std::size_t n_found() const { return n_found_; }

 private:
  FileCache files_;
  FileBuffer buffer_;
  std::size_t n_found_ = 0;
};

}  // namespace bolza::syntax
