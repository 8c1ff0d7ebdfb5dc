// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "compiler/syntax/codes.h"
#include "compiler/syntax/other_languages.h"
#include "compiler/syntax/tokens_internal.h"

namespace bolza::syntax {
namespace {

bool is_word(const SourceToken& t, std::string_view text) {
  bool letter = !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
  return letter && !t.is(Kind::IDENT);
}

/// Turns the place where the parser stopped into one message. Looks only at tokens before and at the stop.
class Explainer {
 public:
  Explainer(const ParserStop& stop, const Tokens& tokens, const Context& context)
      : stop_(stop),
        tokens_(tokens),
        context_(context) {}

  Reported report() const {
    if (is_unknown_section()) return report_word(unknown_section, previous(), note_on_section(text(previous())));
    if (is_unknown_prefix()) return report_word(unknown_prefix, prefix(), note_on_prefix());
    if (reserved_as_operand() != nullptr) return report_word(reserved_word, *reserved_as_operand(), {});
    if (declaration_among_equations()) return error(late_declaration, {section_of_behaviour()});
    if (name_is_missing()) return report_missing_name();
    if (name_is_reserved()) return error(reserved_word, {text(found())});
    if (operand_is_missing()) return error(expected_expression, {shown(previous()), shown(found())}, operand_note());
    return error(expected, {what_is_expected(), shown(found())}, notes());
  }

 private:
  const SourceToken& found() const { return tokens_[stop_.token]; }
  const SourceToken& previous() const { return tokens_[stop_.token > 0 ? stop_.token - 1 : 0]; }
  std::string_view text(const SourceToken& t) const { return context_.text(t); }
  bool awaits(std::size_t kind) const { return stop_.expected.contains(static_cast<ssize_t>(kind)); }
  bool complete() const { return stop_.token > 0 && ends_operand(previous().kind()); }
  /// The expected set belongs to the token that was found, not to an earlier one.
  bool exact() const { return stop_.decision == stop_.token; }

  std::string shown(const SourceToken& t) const {
    if (t.is(antlr4::Token::EOF)) return "the end of the file";
    if (context_.is_ours(t)) return "its end";
    std::string words(text(t).substr(0, 40));
    std::replace(words.begin(), words.end(), '\n', ' ');
    std::replace(words.begin(), words.end(), '\r', ' ');
    while (!words.empty() && (static_cast<unsigned char>(words.back()) & 0x80) != 0 && text(t).size() > 40) words.pop_back();
    return "`" + words + (text(t).size() > 40 ? "…`" : "`");
  }

  Reported error(const Code& code, Diagnostics::Arguments arguments, std::vector<Note> notes = {}) const {
    return context_.diagnostics.error(code, place(), arguments, std::move(notes));
  }

  /// The token found; but when something is missing at the end of an earlier line, the end of that line.
  Span place() const {
    if (context_.is_ours(found()) && !context_.is_ours(previous()))
      return {context_.file, previous().end - 1, previous().end};
    bool after_block = stop_.token > 1 && tokens_[stop_.token - 2].is(Kind::END);
    if (!complete() && !after_block) return context_.span(found());
    std::string_view between = context_.sources.text(context_.file).substr(previous().end, found().begin - previous().end);
    if (stop_.token == 0 || between.find('\n') == std::string_view::npos) return context_.span(found());
    return {context_.file, previous().end - 1, previous().end};
  }

  // ---- where

  std::size_t position_of(std::size_t rule) const {
    auto at = std::find(stop_.rules.begin(), stop_.rules.end(), rule);
    return static_cast<std::size_t>(at - stop_.rules.begin());
  }
  bool is_inside(std::size_t rule) const { return position_of(rule) < stop_.rules.size(); }

  /// Innermost of the constructs that end with `;`: its rule, or npos.
  std::size_t construct() const {
    for (std::size_t rule : stop_.rules) {
      switch (rule) {
        case Kind::RuleEquation:
        case Kind::RuleEquationItem:
        case Kind::RuleStatement:
        case Kind::RuleStatementItem:
        case Kind::RuleConstraint:
        case Kind::RuleConstraintItem:
        case Kind::RuleComponentDeclaration:
        case Kind::RuleComponentClause:
        case Kind::RuleImportClause:
        case Kind::RuleExtendsClause:
        case Kind::RuleElement:
        case Kind::RuleElementItem:
        case Kind::RuleObjective:
        case Kind::RuleShortSpecifier:
        case Kind::RuleAnnotation:
        case Kind::RuleSection:
        case Kind::RuleClassSpecifier:
        case Kind::RuleClassDefinition:
          return rule;
        default:
          break;
      }
    }
    return Kind::RuleStoredDefinition;
  }

  std::string construct_name() const {
    std::size_t rule = construct();
    if (rule == Kind::RuleAnnotation) return "annotation";
    if (rule == Kind::RuleEquation || rule == Kind::RuleEquationItem) return "equation";
    if (rule == Kind::RuleStatement || rule == Kind::RuleStatementItem) return "statement";
    if (rule == Kind::RuleConstraint || rule == Kind::RuleConstraintItem) return "constraint";
    if (rule == Kind::RuleImportClause) return "import";
    if (rule == Kind::RuleExtendsClause) return "`extends` clause";
    if (rule == Kind::RuleObjective) return "objective";
    if (rule == Kind::RuleSection) return "section";
    if (rule == Kind::RuleShortSpecifier || rule == Kind::RuleClassSpecifier || rule == Kind::RuleClassDefinition ||
        rule == Kind::RuleStoredDefinition)
      return "class definition";
    return "declaration";
  }

  /// Token that opens the innermost bracket around the stop; npos when there is none.
  std::size_t open_bracket() const {
    std::vector<std::size_t> open;
    std::size_t from =
        stop_.rule_begins.empty() ? 0 : stop_.rule_begins[std::min(position_of(construct()), stop_.rule_begins.size() - 1)];
    for (std::size_t i = from; i < stop_.token; ++i) {
      std::size_t k = tokens_[i].kind();
      if (k == Kind::LPAREN || k == Kind::LBRACK || k == Kind::LBRACE) open.push_back(i);
      if ((k == Kind::RPAREN || k == Kind::RBRACK || k == Kind::RBRACE) && !open.empty()) open.pop_back();
    }
    return open.empty() ? std::string::npos : open.back();
  }
  std::vector<Note> bracket_note() const {
    std::size_t i = open_bracket();
    if (i == std::string::npos) return {};
    return {{context_.span(tokens_[i]), "inside this bracket"}};
  }

  // ---- typical mistakes

  static bool begins_declaration(std::size_t k) {
    switch (k) {
      case Kind::PARAMETER:
      case Kind::CONSTANT:
      case Kind::INPUT:
      case Kind::OUTPUT:
      case Kind::DISCRETE:
      case Kind::FLOW:
      case Kind::STREAM:
      case Kind::EXTENDS:
      case Kind::IMPORT:
      case Kind::MODEL:
      case Kind::FUNCTION:
      case Kind::RECORD:
      case Kind::REPLACEABLE:
      case Kind::REDECLARE:
      case Kind::FINAL:
      case Kind::INNER:
      case Kind::OUTER:
      case Kind::PACKAGE:
      case Kind::TYPE:
      case Kind::BLOCK:
      case Kind::CONNECTOR:
        return true;
      default:
        return false;
    }
  }
  static bool begins_equation(std::size_t k) {
    return k == Kind::FOR || k == Kind::WHEN || k == Kind::CONNECT || k == Kind::DER || k == Kind::BLOCK_IF;
  }
  bool on_one_line(const SourceToken& a, const SourceToken& b) const {
    return context_.sources.place(context_.file, a.begin).line == context_.sources.place(context_.file, b.begin).line;
  }
  /// The stop is where an element or a section of a class might begin.
  bool between_items() const { return construct() == Kind::RuleClassSpecifier && awaits(Kind::END); }

  Reported report_word(const Code& code, const SourceToken& word, std::vector<Note> notes) const {
    return context_.diagnostics.error(code, context_.span(word), {text(word)}, std::move(notes));
  }

  /// `constraints x(finalTime) = 1;`: the word that something else follows stands where a section might begin.
  bool is_unknown_section() const {
    if (stop_.token < 2 || !previous().is(Kind::IDENT) || !begins_item(stop_.token - 1)) return false;
    bool goes_on =
        found().is(Kind::IDENT) || found().is(Kind::DER) || found().is(Kind::COLON) || begins_equation(found().kind());
    return goes_on && optimization_note().empty() && !note_on_section(text(previous())).empty();
  }
  static std::vector<Note> note_on_section(std::string_view word) {
    const std::vector<std::string> words{"equation", "algorithm", "protected", "constraint"};
    std::vector<Note> known = note_on_word(word, WordPlace::section);
    constexpr std::size_t shortest = 5;  // what is shorter may be a name
    return !known.empty() || word.size() < shortest ? known : did_you_mean(word, words);
  }

  /// `inptu Real u;`: three names in a row, the first of which is no type.
  const SourceToken& prefix() const { return tokens_[stop_.token - 2]; }
  bool is_unknown_prefix() const {
    if (stop_.token < 3 || !found().is(Kind::IDENT) || !previous().is(Kind::IDENT) || !prefix().is(Kind::IDENT))
      return false;
    return !is_inside(Kind::RuleEquationItem) && !is_inside(Kind::RuleStatementItem) && is_inside(Kind::RuleElementItem) &&
           on_one_line(prefix(), found()) && optimization_note().empty();
  }
  std::vector<Note> note_on_prefix() const {
    const std::vector<std::string> words{
        "parameter",   "constant",  "input", "output",   "discrete", "flow",  "stream",    "final",   "inner", "outer",
        "replaceable", "redeclare", "model", "function", "record",   "block", "connector", "package", "type",  "class"};
    return note_on_name(text(prefix()), words, WordPlace::prefix);
  }

  /// `y = 2*flow;`, `flow = 3;`: a keyword that an operator, a bracket or the end of the item follows was meant as a name.
  const SourceToken* reserved_as_operand() const {
    auto meant_as_name = [&](const SourceToken& t) {
      return is_word(t, text(t)) && !t.is(Kind::END) && !t.is(Kind::LAST) && !is_optimica(t) && t.begin < context_.own_end;
    };
    if (meant_as_name(found()) && takes_operand(previous()) && ends_name(stop_.token + 1)) return &found();
    bool first = stop_.token > 0 && begins_item(stop_.token - 1) && meant_as_name(previous());
    if (first && (found().is(Kind::EQUALS) || found().is(Kind::ASSIGN)) && !previous().is(Kind::INITIAL)) return &previous();
    bool begins = meant_as_name(found()) && stop_.token > 0 && begins_item(stop_.token);
    return begins && stop_.token + 1 < tokens_.size() && tokens_[stop_.token + 1].is(Kind::EQUALS) ? &found() : nullptr;
  }
  static bool takes_operand(const SourceToken& t) {
    return t.is(Kind::PLUS) || t.is(Kind::MINUS) || t.is(Kind::STAR) || t.is(Kind::SLASH) || t.is(Kind::CARET) ||
           t.is(Kind::EQUALS) || t.is(Kind::ASSIGN) || t.is(Kind::LPAREN) || t.is(Kind::LBRACK) || t.is(Kind::LBRACE) ||
           t.is(Kind::COMMA) || t.is(Kind::LESS) || t.is(Kind::LESS_EQUAL) || t.is(Kind::GREATER) ||
           t.is(Kind::GREATER_EQUAL);
  }
  static bool is_optimica(const SourceToken& t) {
    return t.is(Kind::OPTIMIZATION) || t.is(Kind::CONSTRAINT) || t.is(Kind::MINIMIZE) || t.is(Kind::MAXIMIZE);
  }
  bool ends_name(std::size_t i) const {
    if (i >= tokens_.size()) return false;
    switch (tokens_[i].kind()) {
      case Kind::SEMICOLON:
      case Kind::COMMA:
      case Kind::DOT:
      case Kind::RPAREN:
      case Kind::RBRACK:
      case Kind::RBRACE:
      case Kind::PLUS:
      case Kind::MINUS:
      case Kind::STAR:
      case Kind::SLASH:
      case Kind::CARET:
      case Kind::EQUALS:
      case Kind::LESS:
      case Kind::LESS_EQUAL:
      case Kind::GREATER:
      case Kind::GREATER_EQUAL:
        return true;
      default:
        return false;
    }
  }

  /// `equation … Real y;`
  bool declaration_among_equations() const {
    if (between_items() && begins_declaration(found().kind()))
      return true;  // before the first section it would have been read
    bool behaviour = is_inside(Kind::RuleEquationItem) || is_inside(Kind::RuleStatementItem);
    if (!behaviour || !found().is(Kind::IDENT) || !previous().is(Kind::IDENT) || text(previous()) == "elsif") return false;
    if (!optimization_note().empty()) return false;
    std::size_t i = stop_.token - 1;
    while (i >= 2 && tokens_[i - 1].is(Kind::DOT) && tokens_[i - 2].is(Kind::IDENT)) i -= 2;
    return i > 0 && begins_item(i) && on_one_line(previous(), found());
  }
  std::string_view section_of_behaviour() const {
    for (std::size_t i = stop_.token; i-- > 0;) {
      if (tokens_[i].is(Kind::EQUATION)) return "an `equation`";
      if (tokens_[i].is(Kind::ALGORITHM)) return "an `algorithm`";
      if (tokens_[i].is(Kind::CONSTRAINT)) return "a `constraint`";
    }
    return "this";
  }

  /// `Real x; x = 3;` without `equation`.
  bool name_is_missing() const {
    std::size_t i = position_of(Kind::RuleComponentClause);
    if (i >= stop_.rules.size() || !exact() || !awaits(Kind::IDENT) || awaits(Kind::UNSIGNED_INTEGER) ||
        is_word(found(), text(found())))
      return false;
    return previous().is(Kind::IDENT) || previous().is(Kind::RBRACK);
  }
  Reported report_missing_name() const {
    std::size_t begin = stop_.rule_begins[position_of(Kind::RuleComponentClause)];
    std::size_t k = found().kind();
    std::vector<Note> remedy;
    if (!tokens_[begin].is(Kind::IDENT) && !tokens_[begin].is(Kind::DOT))
      remedy.push_back({{}, "is the type, such as `Real`, missing?"});
    else if (k == Kind::ASSIGN) remedy.push_back({{}, "is the word `algorithm` missing?"});
    else
      remedy =
          optimization_note().empty() ? std::vector<Note>{{{}, "is the word `equation` missing?"}} : optimization_note();
    Span type{context_.file, tokens_[begin].begin, previous().end};
    while (begin + 1 < stop_.token && is_word(tokens_[begin], text(tokens_[begin]))) type.begin = tokens_[++begin].begin;
    return error(missing_equation_word, {context_.sources.text(type).substr(0, 60), shown(found())}, std::move(remedy));
  }

  /// Optimica's words outside an optimization class: among declarations, or after the equations.
  std::vector<Note> optimization_note() const {
    std::size_t i = position_of(Kind::RuleElementItem);
    bool after_equations = stop_.token > 1 && previous().is(Kind::IDENT) && begins_item(stop_.token - 1);
    if (i >= stop_.rules.size() && !after_equations) return {};
    std::string_view word = text(after_equations ? previous() : tokens_[stop_.rule_begins[i]]);
    if (word != "constraint" && word != "minimize" && word != "maximize") return {};
    return {{{}, "`" + std::string(word) + "` has its meaning directly inside an `optimization` class only"}};
  }
  bool begins_item(std::size_t i) const {
    if (i == 0) return false;
    const SourceToken& before = tokens_[i - 1];
    return before.is(Kind::SEMICOLON) || before.is(Kind::EQUATION) || before.is(Kind::ALGORITHM);
  }
  std::vector<Note> section_word_note() const {
    const std::vector<std::string> words{"equation", "algorithm", "public", "protected", "initial", "constraint"};
    std::size_t i = position_of(Kind::RuleElementItem);
    if (i >= stop_.rules.size()) return {};
    const SourceToken& word = tokens_[stop_.rule_begins[i]];
    return word.is(Kind::IDENT) ? did_you_mean(text(word), words) : std::vector<Note>{};
  }

  /// `optimisation M`, `modle M`: nothing but a class may stand here.
  std::vector<Note> class_word_note() const {
    const std::vector<std::string> words{"optimization", "model", "package", "function", "record",
                                         "block",        "class", "type",    "connector"};
    bool alone = construct() == Kind::RuleStoredDefinition && found().is(Kind::IDENT);
    return alone ? did_you_mean(text(found()), words) : std::vector<Note>{};
  }

  bool name_is_reserved() const {
    if (!is_word(found(), text(found())) || !exact()) return false;
    bool value_fits = awaits(Kind::UNSIGNED_INTEGER);
    return awaits(Kind::IDENT) && !value_fits && !awaits(Kind::END);
  }

  bool operand_is_missing() const {
    if (!exact() || complete() || previous().is(Kind::SEMICOLON)) return false;
    bool empty_braces = previous().is(Kind::LBRACE) && awaits(Kind::RBRACE) && is_inside(Kind::RuleExpr);
    return awaits(Kind::UNSIGNED_INTEGER) || empty_braces;
  }

  std::vector<Note> operand_note() const {
    bool power = found().is(Kind::STAR) && previous().is(Kind::STAR) && previous().end == found().begin;
    if (power) return {{{}, "a power is written `x^y`"}};
    return bracket_note();
  }

  // ---- everything else

  std::string closing() const {
    std::size_t i = open_bracket();
    if (i == std::string::npos) return {};
    std::size_t k = tokens_[i].kind();
    const char* bracket = k == Kind::LPAREN ? "`)`" : k == Kind::LBRACK ? "`]`" : "`}`";
    return awaits(Kind::COMMA) ? std::string("`,` or ") + bracket : std::string(bracket);
  }

  std::string what_is_expected() const {
    if (!exact()) return "a different continuation of the " + construct_name();
    if (std::string bracket = closing(); !bracket.empty() && complete()) return bracket;
    if (awaits(Kind::THEN)) return "`then`";
    if (awaits(Kind::LOOP)) return "`loop`";
    if (awaits(Kind::ELSE) && is_inside(Kind::RuleExpr)) return "`else`: an if-expression needs one";
    if (construct() == Kind::RuleImportClause && previous().is(Kind::DOT)) return "a name, `*` or `{` after the dot";
    if (awaits(Kind::SEMICOLON)) return "`;` after " + construct_name();
    if (awaits(Kind::END)) return list_or_end();
    if (awaits(Kind::IDENT) && !awaits(Kind::UNSIGNED_INTEGER)) return expected_name();
    if (awaits(Kind::UNSIGNED_INTEGER)) return "an expression";
    if (construct() == Kind::RuleStoredDefinition) return "a class definition";
    if (is_inside(Kind::RuleClassDefinition) && awaits(Kind::MODEL)) return "a class definition";
    return few_tokens();
  }

  std::string list_or_end() const {
    std::string end = "`end`";
    std::size_t i = position_of(Kind::RuleClassSpecifier);
    bool block =
        is_inside(Kind::RuleEquationBody) || is_inside(Kind::RuleStatementBody) || is_inside(Kind::RuleConstraintBody);
    if (i < stop_.rules.size() && !block) {
      std::size_t name = stop_.rule_begins[i];
      if (tokens_[name].is(Kind::EXTENDS)) ++name;
      end = "`end " + std::string(text(tokens_[std::min(name, stop_.token)])) + "`";
    }
    if (awaits(Kind::CONNECT)) return "an equation or " + end;
    if (awaits(Kind::RETURN)) return "a statement or " + end;
    return "a declaration, a section or " + end;
  }

  std::string expected_name() const {
    switch (stop_.rules.empty() ? 0 : stop_.rules.front()) {
      case Kind::RuleComponentDeclaration:
      case Kind::RuleComponentClause:
      case Kind::RuleComponentClause1:
        return "the name of a component";
      case Kind::RuleClassSpecifier:
      case Kind::RuleClassDefinition:
        return "the name of a class";
      case Kind::RuleIterator:
      case Kind::RuleIterators:
        return "the name of an iterator";
      default:
        return "a name";
    }
  }

  std::string few_tokens() const {
    constexpr std::size_t most = 4;
    std::string listed;
    std::size_t n = 0;
    std::vector<ssize_t> kinds = stop_.expected.toList();
    for (ssize_t k : kinds) {
      std::string name = k < 0 ? "the end of the file" : grammar_spelling(static_cast<std::size_t>(k));
      if (++n > most) return "something else";
      listed += listed.empty() ? name : (n == kinds.size() ? " or " : ", ") + name;
    }
    return listed.empty() ? "something else" : listed;
  }

  std::string grammar_spelling(std::size_t kind) const {
    if (kind == Kind::IDENT) return "a name";
    if (kind == Kind::STRING) return "a string";
    if (kind == Kind::BLOCK_IF) return "`if`";
    std::string name = stop_.words->getLiteralName(kind);  // 'then'
    return name.size() > 2 ? "`" + name.substr(1, name.size() - 2) + "`" : "something else";
  }

  /// `1,5`: two numbers and nothing between them but a comma.
  bool is_decimal_comma() const {
    if (stop_.token < 2 || !found().is(Kind::UNSIGNED_INTEGER) || !previous().is(Kind::COMMA)) return false;
    const SourceToken& whole = tokens_[stop_.token - 2];
    return whole.is(Kind::UNSIGNED_INTEGER) && whole.end == previous().begin && previous().end == found().begin;
  }

  /// `optimization M(finalTime = 1);`: the word is none where no class begins.
  bool ends_head() const {
    if (construct() != Kind::RuleStoredDefinition || text(found()) != "optimization") return false;
    std::size_t i = stop_.token + 2;
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      bool opens = tokens_[i].is(Kind::LPAREN), closes = tokens_[i].is(Kind::RPAREN);
      if (depth == 0 && !opens) break;
      depth += opens - closes;
    }
    return i < tokens_.size() && tokens_[i - 1].is(Kind::RPAREN) && tokens_[i].is(Kind::SEMICOLON);
  }

  std::vector<Note> notes() const {
    std::vector<Note> all = bracket_note();
    if (found().is(Kind::EQUALS) && !context_.is_ours(found()) && complete() &&
        (is_inside(Kind::RuleExpr) || awaits(Kind::THEN)) && !awaits(Kind::LOOP))
      all.push_back({{}, "a comparison is written `==`"});
    auto hint = [&](std::string text) { all.push_back({{}, std::move(text)}); };
    if (found().is(Kind::LPAREN) && previous().is(Kind::RPAREN) && awaits(Kind::SEMICOLON))
      hint("the value at a time is that of a variable: `x(finalTime)^2`, or `Real y = ...;` and `y(finalTime)`");
    if (found().is(Kind::IN) && construct_name() == "constraint")
      hint("which values a control takes is said by `allowedValues(u, {0, 0.5, 1})`");
    if (found().is(Kind::EQUALS) && awaits(Kind::LOOP) && previous().is(Kind::IDENT))
      hint("a loop is written `for i in 1:n loop`");
    if (between_items() && found().is(Kind::LPAREN) && previous().is(Kind::STRING))
      hint(
          "the attributes of a class stand before its description: `optimization M(objective = ..., finalTime = 1) "
          "\"...\"`");
    if (found().is(Kind::EQUAL) && previous().is(Kind::IDENT)) hint("a value is given by `=`; `==` compares");
    if (found().is(Kind::IDENT) && previous().is(Kind::UNSIGNED_INTEGER) && previous().end == found().begin)
      hint("a product is written `" + std::string(text(previous())) + "*" + std::string(text(found())) + "`");
    if (is_decimal_comma()) hint("the decimal sign is a point: `1.5`");
    if (ends_head())
      hint("no `;` follows the head of a class: `" + std::string(text(found())) + " M(...)`, then what it has");
    if (previous().is(Kind::IDENT) && text(previous()) == "elsif") hint("the word is `elseif`");
    if (between_items() && found().is(Kind::WHILE)) hint("`while` belongs to algorithms; an equation has `for` and `if`");
    if (between_items() && begins_equation(found().kind())) hint("is the word `equation` missing?");
    for (const auto& more : {optimization_note(), section_word_note(), class_word_note()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  const ParserStop& stop_;
  const Tokens& tokens_;
  const Context& context_;
};

}  // namespace

Reported report(const ParserStop& stop, const Tokens& tokens, const Context& context) {
  return Explainer(stop, tokens, context).report();
}

}  // namespace bolza::syntax
