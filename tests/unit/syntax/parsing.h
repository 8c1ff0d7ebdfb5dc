// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "compiler/syntax/parse.h"

namespace bolza::syntax {

/// A text with what the parser makes of it.
struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<ast::StoredFile> file;  ///< null after an error

  explicit Parsed(std::string text) {
    SourceId id = sources.add("test.mo", std::move(text));
    auto result = parse(id, sources, diagnostics);
    if (result) file = std::move(*result);
  }
  const ast::Class& first() const {
    expects(file != nullptr && !file->classes.empty(), "the text of a test parses");
    return *file->classes[0];
  }
  const ast::Component& component(std::size_t i) const { return *first().elements[i]->component; }
  /// "E113 W101", in the order of the messages.
  std::string codes() const {
    std::string all;
    for (const Diagnostic& d : diagnostics.all()) all += (all.empty() ? "" : " ") + std::string(d.code->id);
    return all;
  }
  std::string message(std::size_t i = 0) const {
    return i < diagnostics.all().size() ? diagnostics.all()[i].message : "no message";
  }
  std::string_view text(Span span) const { return sources.text(span); }
};

/// The expression as the right side of an equation.
struct ParsedExpression : Parsed {
  explicit ParsedExpression(const std::string& text) : Parsed("model M\nequation\n  y = " + text + ";\nend M;\n") {}
  const ast::Expr& expression() const { return *first().equations[0].items[0]->right; }
};

/// What `print` gives for the parsed expression; the messages' codes when it does not parse.
inline std::string reprinted(const std::string& text) {
  ParsedExpression parsed(text);
  return parsed.file ? print(parsed.expression()) : parsed.codes();
}

}  // namespace bolza::syntax
