// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/lookup.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

/// A class of a text, instantiated; or why it could not be.
struct Made {
  Sources sources;
  Library library;
  Diagnostics diagnostics;
  std::optional<InstanceTree> tree;

  explicit Made(const std::string& text, const std::string& name = "M", std::vector<std::string> set = {},
                LibraryOptions options = {})
      : library(sources, trusting(std::move(options))) {
    if (!library.add_text("test.mo", text, diagnostics)) return;
    auto made = instantiate(library, name, set, diagnostics);
    if (made) tree.emplace(std::move(*made));
  }

  static LibraryOptions trusting(LibraryOptions options) {
    options.trust.level = Trust::Level::everything;
    return options;
  }
  bool good() const { return tree.has_value(); }
  const Instance& root() const { return tree->root(); }
  /// "a.b" from the root; expects that it is there.
  const Instance& at(const std::string& path) const {
    const Instance* i = &root();
    for (std::size_t from = 0; from <= path.size();) {
      std::size_t dot = std::min(path.find('.', from), path.size());
      i = i->child(path.substr(from, dot - from));
      expects(i != nullptr, ("there is no " + path).c_str());
      from = dot + 1;
    }
    return *i;
  }
  std::string binding(const std::string& path) const { return text(at(path).binding.expr); }
  std::string attribute(const std::string& path, const std::string& name) const {
    const ScopedExpr* given = at(path).attribute(name);
    return given ? text(given->expr) : "none";
  }
  static std::string text(const ast::Expr* e) { return e ? syntax::print(*e) : "none"; }

  /// Value of a constant or parameter, printed.
  std::string value(const std::string& path, std::vector<std::int64_t> indices = {}) {
    auto v = value_of(*tree, at(path), indices, {}, diagnostics);
    return v ? print(*v) : codes();
  }
  std::vector<std::int64_t> dimensions(const std::string& path) const { return all_dimensions(at(path)); }
  /// "E203 E210": what was reported, in order.
  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += (out.empty() ? "" : " ") + std::string(d.code->id);
    return out;
  }
  std::string messages() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += render(d, sources);
    return out;
  }
  /// Messages and remedies of the first diagnostic.
  std::string first() const {
    if (diagnostics.all().empty()) return "";
    std::string out = diagnostics.all()[0].message;
    for (const Note& note : diagnostics.all()[0].notes) out += " | " + note.text;
    return out;
  }
};

/// The value of one expression of constants, printed; codes when it has none.
inline std::string computed(const std::string& type, const std::string& expression, const std::string& before = "") {
  Made m("model M\n" + before + "\nconstant " + type + " v = " + expression + ";\nend M;");
  return m.good() ? m.value("v") : m.codes();
}

using Sizes = std::vector<std::int64_t>;

}  // namespace bolza::instance
