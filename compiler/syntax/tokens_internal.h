// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "ModelicaParser.h"
#include "base/result.h"
#include "base/span.h"
#include "compiler/syntax/ast.h"

/// The only header of this room that sees ANTLR; included by its own sources alone.
namespace bolza::syntax {

using Kind = grammar::ModelicaParser;  // for the token types: Kind::IDENT

/// A token as ANTLR wants it, at 32 bytes. Offsets are bytes of the source text.
class SourceToken final : public antlr4::Token {
 public:
  SourceToken(std::size_t type, std::uint32_t token_begin, std::uint32_t token_end, std::size_t index)
      : begin(token_begin),
        end(token_end),
        type_(static_cast<std::uint32_t>(type)),
        index_(static_cast<std::uint32_t>(index)) {}

  std::string getText() const override { return {}; }
  std::size_t getType() const override { return kind(); }
  std::size_t getLine() const override { return 0; }
  std::size_t getCharPositionInLine() const override { return 0; }
  std::size_t getChannel() const override { return 0; }
  std::size_t getTokenIndex() const override { return index_; }
  std::size_t getStartIndex() const override { return begin; }
  std::size_t getStopIndex() const override { return end; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }

  std::size_t kind() const { return type_ == end_of_file ? antlr4::Token::EOF : type_; }
  bool is(std::size_t type) const { return kind() == type; }
  void retag(std::size_t type) { type_ = static_cast<std::uint32_t>(type); }

  std::uint32_t begin = 0;
  std::uint32_t end = 0;

 private:
  static constexpr std::uint32_t end_of_file = 0xFFFFFFFFu;
  std::uint32_t type_;
  std::uint32_t index_;
};

/// The tokens of one file, the last of type EOF.
using Tokens = std::vector<SourceToken>;

/// Everything the steps of one parse share.
struct Context {
  SourceId file;
  const Sources& sources;
  Diagnostics& diagnostics;
  std::uint32_t own_end = UINT32_MAX;  ///< tokens after it are ours, see Arrangement

  bool is_ours(const SourceToken& t) const { return t.begin >= own_end; }
  Span span(const SourceToken& t) const { return {file, t.begin, t.end}; }
  std::string_view text(const SourceToken& t) const { return sources.text(file).substr(t.begin, t.end - t.begin); }
};

/// Text to tokens. Reports characters that are not part of the language, what is not closed, and text that is not UTF-8.
Result<Tokens> lex(const Context& context);

/// The first place where blocks or brackets do not fit together.
struct StructureMistake {
  const Code* code = nullptr;
  std::size_t token = 0;  ///< index of the token where it shows
  Span span;
  std::vector<std::string> arguments;
  std::vector<Note> notes;
};

struct Structure {
  bool sound = true;        ///< no mistake in `mistake`
  bool too_deep = false;    ///< `mistake` says that something nests too deeply: do not parse
  bool names_agree = true;  ///< every `end X` names its class; otherwise already reported
  StructureMistake mistake;
};

/// One pass over the tokens: pairs brackets and blocks, bounds the nesting, and re-tags what the grammar's head comment
/// lists. Stops at the first mistake; tokens after it are not re-tagged.
Structure mark_structure(Tokens& tokens, const Context& context);

/// True when an expression can end with this token.
bool ends_operand(std::size_t kind);

/// Where the parser stopped.
struct ParserStop {
  std::size_t token = 0;                           ///< the token that fits nowhere
  std::size_t decision = 0;                        ///< where the decision that failed began, at most `token`
  std::vector<std::size_t> rules;                  ///< rules being read, innermost first
  std::vector<std::size_t> rule_begins;            ///< token at which each of them began
  antlr4::misc::IntervalSet expected;              ///< what could stand at `decision`
  const antlr4::dfa::Vocabulary* words = nullptr;  ///< spelling of the tokens
};

/// Says in terms of Modelica what is wrong at a stop.
Reported report(const ParserStop& stop, const Tokens& tokens, const Context& context);

}  // namespace bolza::syntax
