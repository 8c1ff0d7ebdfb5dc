// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "compiler/syntax/codes.h"
#include "compiler/syntax/tokens_internal.h"

namespace bolza::syntax {

bool ends_operand(std::size_t kind) {
  switch (kind) {
    case Kind::IDENT:
    case Kind::UNSIGNED_INTEGER:
    case Kind::UNSIGNED_REAL:
    case Kind::STRING:
    case Kind::TRUE:
    case Kind::FALSE:
    case Kind::LAST:
    case Kind::RPAREN:
    case Kind::RBRACK:
    case Kind::RBRACE:
      return true;
    default:
      return false;
  }
}

namespace {

bool is_sign(std::size_t k) { return k == Kind::PLUS || k == Kind::MINUS || k == Kind::DOT_PLUS || k == Kind::DOT_MINUS; }
bool is_power(std::size_t k) { return k == Kind::CARET || k == Kind::DOT_CARET; }
bool is_opening(std::size_t k) { return k == Kind::LPAREN || k == Kind::LBRACK || k == Kind::LBRACE; }
bool is_closing(std::size_t k) { return k == Kind::RPAREN || k == Kind::RBRACK || k == Kind::RBRACE; }

bool begins_class(std::size_t k) {
  switch (k) {
    case Kind::CLASS:
    case Kind::MODEL:
    case Kind::BLOCK:
    case Kind::RECORD:
    case Kind::CONNECTOR:
    case Kind::TYPE:
    case Kind::PACKAGE:
    case Kind::FUNCTION:
    case Kind::OPERATOR:
    case Kind::OPTIMIZATION:
      return true;
    default:
      return false;
  }
}

bool is_prefix(std::size_t k) {
  switch (k) {
    case Kind::ENCAPSULATED:
    case Kind::PARTIAL:
    case Kind::EXPANDABLE:
    case Kind::PURE:
    case Kind::IMPURE:
    case Kind::FINAL:
    case Kind::INNER:
    case Kind::OUTER:
    case Kind::REPLACEABLE:
    case Kind::REDECLARE:
      return true;
    default:
      return false;
  }
}

bool is_component_prefix(std::size_t k) {
  switch (k) {
    case Kind::FLOW:
    case Kind::DISCRETE:
    case Kind::PARAMETER:
    case Kind::CONSTANT:
    case Kind::INPUT:
    case Kind::OUTPUT:
      return true;
    default:
      return false;
  }
}

/// Words that never stand inside brackets: when one does, the bracket was not closed.
bool ends_brackets(std::size_t k) {
  switch (k) {
    case Kind::EQUATION:
    case Kind::ALGORITHM:
    case Kind::PUBLIC:
    case Kind::PROTECTED:
    case Kind::WITHIN:
    case Kind::IMPORT:
    case Kind::LOOP:
    case Kind::WHEN:
    case Kind::ELSEWHEN:
    case Kind::WHILE:
    case Kind::EXTERNAL:
    case Kind::RETURN:
    case antlr4::Token::EOF:
      return true;
    default:
      return false;
  }
}

struct Frame {
  std::size_t kind;    ///< IF, FOR, WHEN, WHILE, or CLASS for any class
  std::size_t opener;  ///< token that began it
  std::size_t name;    ///< token of the class name
  bool optimization;
  bool else_if = false;  ///< one of its `else` was followed by `if`
};

/// What nests inside one bracket (or inside one statement, for the outermost level).
struct Level {
  std::size_t opener = 0;
  int ifs = 0;    ///< if-expressions since the last comma
  int signs = 0;  ///< operators in a row that nest: `- - x`, `not not x`, `a^-b^-c`
};

class Scan {
 public:
  Scan(Tokens& tokens, const Context& context) : tokens_(tokens), context_(context) { levels_.push_back({}); }

  Structure run() {
    for (at_ = 0; at_ < tokens_.size() && structure_.sound; ++at_) {
      if (levels_.size() > 1) inside_brackets();
      else outside_brackets();
      if (depth() > ast::max_depth) fail_depth();
    }
    return std::move(structure_);
  }

 private:
  std::size_t kind(std::size_t i) const { return i < tokens_.size() ? tokens_[i].kind() : antlr4::Token::EOF; }
  std::size_t here() const { return kind(at_); }
  int depth() const { return static_cast<int>(frames_.size() + levels_.size()) - 1 + ifs_ + levels_.back().signs; }
  std::string quoted(std::size_t i) const {
    if (kind(i) == antlr4::Token::EOF) return "the end of the file";
    return "`" + std::string(context_.text(tokens_[i])) + "`";
  }

  void fail(const Code& code, std::size_t token, std::vector<std::string> arguments, std::vector<Note> notes = {}) {
    structure_.sound = false;
    structure_.mistake = {&code, token, context_.span(tokens_[token]), std::move(arguments), std::move(notes)};
  }
  void fail_depth() {
    structure_.too_deep = true;
    fail(too_deep, at_, {std::to_string(ast::max_depth)});
  }

  // ---- brackets

  void open() { levels_.push_back({at_}); }

  void close() {
    if (levels_.size() == 1) return fail(bracket_not_opened, at_, {std::string(context_.text(tokens_[at_]))});
    std::size_t opener = levels_.back().opener;
    bool closes_ours = context_.is_ours(tokens_[opener]), is_ours = context_.is_ours(tokens_[at_]);
    if (closes_ours && !is_ours) return fail(bracket_not_opened, at_, {std::string(context_.text(tokens_[at_]))});
    if (!closes_ours && is_ours)
      return fail(bracket_not_closed, opener, {std::string(context_.text(tokens_[opener])), "its end"});
    std::size_t fits = kind(opener) == Kind::LPAREN   ? Kind::RPAREN
                       : kind(opener) == Kind::LBRACK ? Kind::RBRACK
                                                      : Kind::RBRACE;
    if (here() != fits)
      return fail(bracket_mismatch, at_,
                  {std::string(context_.text(tokens_[at_])), std::string(context_.text(tokens_[opener]))},
                  {{context_.span(tokens_[opener]), "opened here"}});
    forget_ifs();
    levels_.pop_back();
  }

  void fail_open_bracket() {
    std::size_t opener = levels_.back().opener;
    fail(bracket_not_closed, at_, {std::string(context_.text(tokens_[opener])), quoted(at_)},
         {{context_.span(tokens_[opener]), "opened here"}});
  }

  void forget_ifs() {
    ifs_ -= levels_.back().ifs;
    levels_.back().ifs = 0;
    levels_.back().signs = 0;
  }

  void count_if() {
    ++levels_.back().ifs;
    ++ifs_;
  }

  void count_signs() {
    std::size_t k = here();
    bool prefix = k == Kind::NOT || (is_sign(k) && (at_ == 0 || !ends_operand(kind(at_ - 1))));
    if (prefix) ++levels_.back().signs;
    else if (!is_power(k) && !ends_operand(k) && k != Kind::DOT && !is_opening(k)) levels_.back().signs = 0;
  }

  void inside_brackets() {
    std::size_t k = here();
    count_signs();
    if (is_opening(k)) return open();
    if (is_closing(k)) return close();
    if (ends_brackets(k)) return fail_open_bracket();
    if (k == Kind::IF) return count_if();
    if (k == Kind::COMMA) return forget_ifs();
    if (k == Kind::SEMICOLON) {
      if (kind(levels_.back().opener) != Kind::LBRACK) return fail_open_bracket();
      return forget_ifs();
    }
    if (k == Kind::END) {
      std::size_t next = kind(at_ + 1);
      if (next == Kind::IF || next == Kind::FOR || next == Kind::IDENT) return fail_open_bracket();
      tokens_[at_].retag(Kind::LAST);
    }
  }

  // ---- blocks and classes

  void outside_brackets() {
    std::size_t k = here();
    if (header_ && !is_opening(k) && k != Kind::STRING && k != Kind::PLUS) {
      header_ = false;
      at_start_ = true;
    }
    if (k == Kind::IDENT && at_start_) retag_soft_word();
    if (k == Kind::IDENT) retag_word_of_fields();
    k = here();
    count_signs();
    if (is_opening(k)) {
      at_start_ = false;
      return open();
    }
    if (is_closing(k)) return close();
    if (begins_class(k)) return open_class();
    if (is_prefix(k)) return;
    bool start = at_start_;
    at_start_ = false;
    switch (k) {
      case Kind::SEMICOLON:
        forget_ifs();
        expression_thens_ = 0;
        [[fallthrough]];
      case Kind::EQUATION:
      case Kind::ALGORITHM:
      case Kind::PUBLIC:
      case Kind::PROTECTED:
      case Kind::LOOP:
      case Kind::CONSTRAINT:
        at_start_ = true;
        break;
      case Kind::IF:
        if (start) open_if();
        else {
          count_if();
          ++expression_thens_;
        }
        break;
      case Kind::FOR:
      case Kind::WHEN:
      case Kind::WHILE:
        frames_.push_back({k, at_, 0, false});
        break;
      case Kind::THEN:
        at_start_ = expression_thens_ == 0;
        if (!at_start_) --expression_thens_;
        break;
      case Kind::ELSE:
        at_start_ = start;
        break;
      case Kind::ELSEIF:
        if (!start) ++expression_thens_;
        break;
      case Kind::END:
        close_block();
        break;
      case antlr4::Token::EOF:
        if (!frames_.empty()) fail_open_frame(at_);
        break;
      default:
        break;
    }
  }

  void open_if() {
    tokens_[at_].retag(Kind::BLOCK_IF);
    if (at_ > 0 && kind(at_ - 1) == Kind::ELSE && !frames_.empty()) frames_.back().else_if = true;
    frames_.push_back({Kind::IF, at_, 0, false});
  }

  bool in_optimization() const { return !frames_.empty() && frames_.back().optimization; }

  /// The words of Optimica and DOML where they mean something; everywhere else they stay identifiers.
  void retag_soft_word() {
    std::string_view word = context_.text(tokens_[at_]);
    std::size_t next = kind(at_ + 1);
    bool used_as_name = next == Kind::EQUALS || next == Kind::ASSIGN || next == Kind::DOT || next == Kind::SEMICOLON ||
                        next == Kind::COMMA || next == Kind::LBRACK;
    if (used_as_name) return;
    if (word == "optimization") {
      if (next == Kind::IDENT && heads_a_class(at_ + 2)) tokens_[at_].retag(Kind::OPTIMIZATION);
    } else if (in_optimization()) {
      if (word == "constraint") tokens_[at_].retag(Kind::CONSTRAINT);
      if (word == "minimize") tokens_[at_].retag(Kind::MINIMIZE);
      if (word == "maximize") tokens_[at_].retag(Kind::MAXIMIZE);
    }
  }

  /// `field Real u`, and `… indomain omega` after the end of an expression. Two names in a row mean nothing else there.
  void retag_word_of_fields() {
    std::string_view word = context_.text(tokens_[at_]);
    if (word == "field" && at_start_ && is_component_prefix(kind(at_ + 1))) return tokens_[at_].retag(Kind::FIELD);
    if (kind(at_ + 1) != Kind::IDENT) return;
    std::size_t before = at_ > 0 ? kind(at_ - 1) : std::size_t{Kind::SEMICOLON};
    if (word == "indomain" && !at_start_ && ends_operand(before)) tokens_[at_].retag(Kind::INDOMAIN);
    if (word != "field" || (!at_start_ && ends_operand(before))) return;
    std::size_t next = at_ + 2;
    while (kind(next) == Kind::DOT && kind(next + 1) == Kind::IDENT) next += 2;
    if (kind(next) == Kind::IDENT) tokens_[at_].retag(Kind::FIELD);
  }

  /// Decides between `optimization C(…) "…" …` and a component C of a type called `optimization`, from what follows C.
  bool heads_a_class(std::size_t i) const {
    if (kind(i) == Kind::LPAREN) {
      int open_brackets = 0;
      do {
        if (is_opening(kind(i))) ++open_brackets;
        if (is_closing(kind(i))) --open_brackets;
      } while (++i < tokens_.size() && open_brackets > 0);
    }
    while (kind(i) == Kind::STRING || kind(i) == Kind::PLUS) ++i;
    switch (kind(i)) {
      case Kind::SEMICOLON:
      case Kind::COMMA:
      case Kind::EQUALS:
      case Kind::ASSIGN:
      case Kind::IF:
      case Kind::CONSTRAINEDBY:
      case Kind::LBRACK:
        return false;
      default:
        return true;
    }
  }

  void open_class() {
    std::size_t opener = at_;
    bool optimization = here() == Kind::OPTIMIZATION;
    at_start_ = false;
    if (here() == Kind::OPERATOR && (kind(at_ + 1) == Kind::RECORD || kind(at_ + 1) == Kind::FUNCTION)) ++at_;
    bool extends = kind(at_ + 1) == Kind::EXTENDS;
    std::size_t name = at_ + (extends ? 2 : 1);
    if (kind(name) != Kind::IDENT) return;  // the parser's to report
    at_ = name;
    if (!extends && kind(name + 1) == Kind::EQUALS) return;
    frames_.push_back({Kind::CLASS, opener, name, optimization});
    header_ = true;
  }

  std::string describe(const Frame& frame) const {
    if (frame.kind != Kind::CLASS) return quoted(frame.opener);
    return std::string(context_.text(tokens_[frame.opener])) + " " + quoted(frame.name);
  }

  void fail_open_frame(std::size_t at) {
    const Frame& frame = frames_.back();
    std::vector<Note> notes{{context_.span(tokens_[frame.kind == Kind::CLASS ? frame.name : frame.opener]), "opened here"}};
    if (frame.else_if) notes.push_back({{}, "after `else if` a second `end if` is due; `elseif` needs none"});
    std::string found = kind(at) == Kind::END ? "`end " + std::string(context_.text(tokens_[at + 1])) + "`" : quoted(at);
    fail(not_closed, at, {describe(frame), found}, std::move(notes));
  }

  void close_block() {
    std::size_t next = kind(at_ + 1);
    bool block = next == Kind::IF || next == Kind::FOR || next == Kind::WHEN || next == Kind::WHILE;
    if (!block && next != Kind::IDENT) return;  // the parser's to report
    if (frames_.empty()) return fail(end_without_begin, at_, {std::string(context_.text(tokens_[at_ + 1]))});
    if (block ? frames_.back().kind == next : frames_.back().kind == Kind::CLASS) {
      if (!block && !check_name(at_ + 1)) return;
      frames_.pop_back();
      ++at_;
      return;
    }
    if (block && frames_.back().kind == Kind::CLASS)
      return fail(end_without_begin, at_, {std::string(context_.text(tokens_[at_ + 1]))});
    fail_open_frame(at_);
  }

  /// False when an inner class was left open; a mere misspelling is reported and counts as the end.
  bool check_name(std::size_t at) {
    const Frame& frame = frames_.back();
    std::string_view name = context_.text(tokens_[frame.name]);
    std::string_view written = context_.text(tokens_[at]);
    if (name == written) return true;
    for (const Frame& outer : frames_) {
      if (outer.kind != Kind::CLASS || context_.text(tokens_[outer.name]) != written) continue;
      fail_open_frame(at_);
      return false;
    }
    context_.diagnostics.error(end_name, context_.span(tokens_[at]), {written, context_.text(tokens_[frame.opener]), name},
                               {{context_.span(tokens_[frame.name]), "the class starts here"}});
    structure_.names_agree = false;
    return true;
  }

  Tokens& tokens_;
  const Context& context_;
  Structure structure_;
  std::vector<Frame> frames_;
  std::vector<Level> levels_;
  std::size_t at_ = 0;
  int ifs_ = 0;               ///< over all levels
  int expression_thens_ = 0;  ///< if-expressions of this statement, outside brackets, whose `then` is still to come
  bool at_start_ = true;      ///< an element, equation or statement may begin here
  bool header_ = false;       ///< between the name of a class and its first element
};

}  // namespace

Structure mark_structure(Tokens& tokens, const Context& context) { return Scan(tokens, context).run(); }

}  // namespace bolza::syntax
