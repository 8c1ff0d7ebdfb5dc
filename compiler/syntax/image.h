// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "compiler/syntax/ast.h"

namespace bolza::syntax {

/// The tree of a parsed file as bytes that any process of the same build can turn back into a tree, without parsing.
///
///   number of groups, then per group of 64 words of the tree's memory: five masks of 64 bits, and the words that the first
///   mask names; the others are zero. The masks: words that are stored; pointers into the tree (stored as offsets);
///   pointers into the text (offsets); words whose lower, whose upper half is the id of the source.
///
/// @param text  what `file` was parsed from: the text in `Sources`
/// Cost  linear in the size of the tree.
std::string to_image(const ast::StoredFile& file, std::string_view text);

/// The tree again; null when the bytes are not an image or one that points outside of the tree or of the text. Nodes that
/// were one are one. What the tree says beyond that is believed: have a checksum.
/// @param text  the same text as before, now that of `source`; must outlive the file
/// Cost  one allocation, and some nanoseconds per stored word.
std::unique_ptr<ast::StoredFile> from_image(std::string_view image, SourceId source, std::string_view text);

}  // namespace bolza::syntax
