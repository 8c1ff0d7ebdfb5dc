// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/build/identical_internal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <vector>

#include "compiler/syntax/print.h"

namespace bolza::instance {

namespace {

bool expr(const ast::Expr* a, const ast::Expr* b) { return a == b || (a && b && syntax::print(*a) == syntax::print(*b)); }

/// `Real x[2]` and `Real[2] x` are the same.
bool dimensions(const ast::Component& a, const ast::Component& b) {
  auto all = [](const ast::Component& c) {
    std::vector<ast::Subscript> sizes(c.dimensions.begin(), c.dimensions.end());
    sizes.insert(sizes.end(), c.type_dimensions.begin(), c.type_dimensions.end());
    return sizes;
  };
  std::vector<ast::Subscript> x = all(a), y = all(b);
  return x.size() == y.size() &&
         std::equal(x.begin(), x.end(), y.begin(), [](const auto& s, const auto& t) { return expr(s.index, t.index); });
}

/// Whether two type names mean the same class, reached through the same short classes.
bool types(InstanceTree& tree, const Instance& instance, const Entry& one, const Entry& other) {
  const ast::Reference &a = *one.component->type, &b = *other.component->type;
  if (syntax::print(a) == syntax::print(b)) return true;
  Diagnostics quiet;
  auto x = resolve_type(tree, {&instance, one.lexical}, a, /*base_of_lexical=*/false, quiet);
  auto y = resolve_type(tree, {&instance, other.lexical}, b, /*base_of_lexical=*/false, quiet);
  auto same_step = [](const AliasStep& s, const AliasStep& t) { return s.definition == t.definition; };
  return x && y && x->type == y->type && x->definition == y->definition && x->enclosing == y->enclosing &&
         std::equal(x->steps.begin(), x->steps.end(), y->steps.begin(), y->steps.end(), same_step);
}

/// What is said about an element and its inside: texts by path, the strongest of each.
class Said {
 public:
  void add(const ast::Modification* modification, const std::string& path) {
    if (!modification) return;
    if (modification->value) texts_.emplace(path, syntax::print(*modification->value));
    if (modification->breaks) texts_.emplace(path, "break");
    for (const ast::Argument* argument : modification->arguments) add(*argument, 0, path);
  }

  /// @param part  the first part of the argument's name that is not in `path`
  void add(const ast::Argument& argument, std::size_t part, std::string path) {
    if (argument.kind != ast::ArgumentKind::modification) {
      path += "." + std::string(redeclared_name(argument));
      redeclared_.push_back(argument.element);
    } else {
      for (; part < argument.name->parts.size(); ++part) path += "." + std::string(argument.name->parts[part].identifier);
    }
    if (argument.final_) texts_.emplace(path + " final", "");
    if (argument.each) texts_.emplace(path + " each", "");
    add(modification_of(argument), path);
  }

  friend bool operator==(const Said&, const Said&) = default;

 private:
  std::map<std::string, std::string> texts_;
  std::vector<const ast::Element*> redeclared_;  ///< the same only when it is the same text
};

bool contains(const Environment& environment, const Mod& mod) {
  return std::any_of(environment.begin(), environment.end(),
                     [&](const Mod& m) { return m.argument == mod.argument && m.scope.instance == mod.scope.instance; });
}

/// About the entry's element, without what the environment of the other entry says as well.
Said said_about(const Entry& entry, const Environment& other) {
  Said said;
  for (const Mod& mod : *entry.environment) {
    if (mod.name() != entry.component->name || contains(other, mod)) continue;
    if (mod.redeclares()) said.add(*mod.argument, 0, "");
    else said.add(*mod.argument, mod.part, "");
  }
  said.add(entry.component->modification, "." + std::string(entry.component->name));
  return said;
}

}  // namespace

bool is_identical(InstanceTree& tree, const Instance& instance, const Entry& one, const Entry& other) {
  const ast::Component &a = *one.component, &b = *other.component;
  return a.variability == b.variability && a.causality == b.causality && a.connection == b.connection &&
         a.prefixes.final_ == b.prefixes.final_ && expr(a.condition, b.condition) && dimensions(a, b) &&
         said_about(one, *other.environment) == said_about(other, *one.environment) && types(tree, instance, one, other);
}

namespace {

/// The words of a text one by one. What stands in quotes is one word, comments are none.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  /// Empty at the end.
  std::string_view next() {
    skip();
    std::size_t begin = at_;
    if (at_ == text_.size()) return {};
    char c = text_[at_++];
    if (c == '"' || c == '\'') {
      for (; at_ < text_.size() && text_[at_] != c; ++at_)
        if (text_[at_] == '\\') ++at_;
      at_ = std::min(at_ + 1, text_.size());
    } else if (in_word(c)) {
      while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  static bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

  void skip() {
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
      std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) at_ = std::min(text_.find('\n', at_), text_.size());
      else if (rest.starts_with("/*")) at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Whether a text in quotes after this word is an operand, and no description.
bool wants_operand(std::string_view before) {
  static constexpr std::array<std::string_view, 17> words{"=",  "(",      "{", "[", ",",   "+",  ":",   "then",  "else",
                                                          "if", "elseif", ">", "<", "and", "or", "not", "return"};
  return std::find(words.begin(), words.end(), before) != words.end();
}

}  // namespace

std::string words_that_count(std::string_view text) {
  constexpr std::string_view description = "a description";
  std::string out;
  std::string_view before;
  WordReader reader(text);
  for (std::string_view word = reader.next(); !word.empty(); word = reader.next()) {
    if (word == "annotation") {
      int depth = 0;
      do {
        word = reader.next();
        depth += word == "(" ? 1 : word == ")" ? -1 : 0;
      } while (depth > 0 && !word.empty());
      continue;
    }
    if (before == description && word == "+") continue;
    bool describes = word[0] == '"' && !wants_operand(before);
    if (!describes && word != ";") out += std::string(word) + " ";
    before = describes ? description : word;
  }
  return out;
}

}  // namespace bolza::instance
