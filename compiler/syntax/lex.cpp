// SPDX-License-Identifier: Apache-2.0
#include "ModelicaLexer.h"
#include "base/printable.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/other_languages.h"
#include "compiler/syntax/tokens_internal.h"

namespace bolza::syntax {
namespace {

/// The bytes of a text as ANTLR's characters. Bytes outside ASCII all read as DEL, which the grammar knows only as part of
/// comments, strings and quoted identifiers; so offsets are bytes and the lexer's tables stay small.
class ByteStream final : public antlr4::CharStream {
 public:
  explicit ByteStream(std::string_view text) : text_(text) {}
  void consume() override { ++at_; }
  std::size_t LA(ssize_t i) override {
    std::size_t k = at_ + static_cast<std::size_t>(i) - (i > 0 ? 1 : 0);
    if (i == 0 || k >= text_.size()) return i == 0 ? 0 : IntStream::EOF;
    auto byte = static_cast<unsigned char>(text_[k]);
    return byte < 0x80 ? byte : 0x7F;
  }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::size_t index() override { return at_; }
  void seek(std::size_t index) override { at_ = index; }
  std::size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string toString() const override { return {}; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Length of the UTF-8 character at `at`, or 0 when it is not one.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  unsigned first = byte(at);
  std::size_t n = first < 0x80                    ? 1
                  : first >= 0xC2 && first < 0xE0 ? 2
                  : (first & 0xF0) == 0xE0        ? 3
                  : first >= 0xF0 && first < 0xF5 ? 4
                                                  : 0;
  for (std::size_t k = 1; k < n; ++k)
    if ((byte(at + k) & 0xC0) != 0x80) return 0;
  bool overlong = (first == 0xE0 && byte(at + 1) < 0xA0) || (first == 0xF0 && byte(at + 1) < 0x90);
  bool no_character = (first == 0xED && byte(at + 1) > 0x9F) || (first == 0xF4 && byte(at + 1) > 0x8F);
  return overlong || no_character ? 0 : n;
}

/// First byte at or after `from` that does not belong to a UTF-8 character; npos when there is none.
std::size_t first_bad_byte(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    std::size_t n = utf8_length(text, from);
    if (n == 0) return from;
    from += n;
  }
  return std::string_view::npos;
}

/// Text that is not UTF-8 is refused where it has a meaning (a string would carry it into result files) and harmless in
/// comments.
bool check_utf8(const Tokens& tokens, const Context& context) {
  std::string_view text = context.sources.text(context.file);
  std::size_t bad = first_bad_byte(text, 0);
  auto token = tokens.begin();
  bool warned = false;
  for (; bad != std::string_view::npos; bad = first_bad_byte(text, bad + 1)) {
    while (token != tokens.end() && token->end <= bad) ++token;
    Span at{context.file, static_cast<std::uint32_t>(bad), static_cast<std::uint32_t>(bad + 1)};
    if (token != tokens.end() && token->begin <= bad) {
      context.diagnostics.error(not_utf8, at);
      return false;
    }
    if (!warned) context.diagnostics.warning(comment_not_utf8, at);
    warned = true;
  }
  return true;
}

std::string printable(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (byte > 0x20 && byte < 0x7F) return std::string(1, static_cast<char>(byte));
  return std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
}

/// A string that swallowed code is most likely where a quote is missing.
std::vector<Note> suspects(const Tokens& tokens, const Context& context) {
  for (const SourceToken& t : tokens) {
    if (!t.is(Kind::STRING)) continue;
    std::string_view text = context.text(t);
    std::size_t line_end = text.find('\n');
    if (line_end != std::string_view::npos && text.substr(0, line_end).find(';') != std::string_view::npos)
      return {{{context.file, t.begin, t.begin + 1}, "the string that starts here runs over a `;` and a line end"}};
  }
  return {};
}

/// `x' = 1`: a quote directly after a name.
std::vector<Note> prime(const SourceToken& quote, const Tokens& tokens, const Context& context) {
  if (tokens.size() < 2) return {};
  const SourceToken& before = tokens[tokens.size() - 2];
  if (!before.is(Kind::IDENT) || before.end != quote.begin) return {};
  return {{{},
           "the derivative of `" + std::string(context.text(before)) + "` is written `der(" +
               std::string(context.text(before)) + ")`"}};
}

Reported report_open(const SourceToken& t, const Tokens& tokens, const Context& context) {
  std::string_view text = context.text(t);
  Span opening{context.file, t.begin, t.begin + (t.is(Kind::OPEN_COMMENT) ? 2u : 1u)};
  if (t.is(Kind::OPEN_STRING)) return context.diagnostics.error(open_string, opening, {}, suspects(tokens, context));
  if (t.is(Kind::OPEN_COMMENT)) return context.diagnostics.error(open_comment, opening);
  if (t.is(Kind::OPEN_IDENT)) return context.diagnostics.error(open_identifier, opening, {}, prime(t, tokens, context));
  std::size_t n = utf8_length(context.sources.text(context.file), t.begin);
  Span at{context.file, t.begin, t.begin + static_cast<std::uint32_t>(n > 0 ? n : 1)};
  std::string shown = n > 1 ? std::string(context.sources.text(at)) : printable(static_cast<unsigned char>(text[0]));
  return context.diagnostics.error(unknown_character, at, {shown}, note_on_word(shown, WordPlace::character));
}

/// Names are printed as they are: none may have control characters.
Result<Done> check_quoted(std::string_view text, std::uint32_t begin, std::uint32_t end, const Context& context) {
  for (std::uint32_t at = begin; at < end; ++at) {
    auto n = static_cast<std::uint32_t>(text[at] == '\n' ? 1 : control_at(text.substr(0, end), at));
    if (n == 0) continue;
    std::string shown = n == 1 ? printable(static_cast<unsigned char>(text[at])) : bolza::printable(text.substr(at, n));
    return context.diagnostics.error(unknown_character, {context.file, at, at + n}, {shown});
  }
  return Done{};
}

}  // namespace

Result<Tokens> lex(const Context& context) {
  std::string_view text = context.sources.text(context.file);
  ByteStream stream(text);
  if (text.substr(0, 3) == "\xEF\xBB\xBF") stream.seek(3);
  grammar::ModelicaLexer::initialize();
  grammar::ModelicaLexer lexer(&stream);
  auto* simulator = lexer.getInterpreter<antlr4::atn::LexerATNSimulator>();
  Tokens tokens;
  tokens.reserve(text.size() / 5 + 16);
  while (stream.LA(1) != antlr4::IntStream::EOF) {
    auto begin = static_cast<std::uint32_t>(stream.index());
    lexer.type = antlr4::Token::INVALID_TYPE;
    std::size_t type = simulator->match(&stream, 0);  // never fails: UNKNOWN matches any one character
    if (lexer.type == antlr4::Lexer::SKIP) continue;
    if (text[begin] == '\'' && type == Kind::IDENT)
      if (auto good = check_quoted(text, begin, static_cast<std::uint32_t>(stream.index()), context); !good)
        return context.diagnostics.already_reported();
    tokens.emplace_back(type, begin, static_cast<std::uint32_t>(stream.index()), tokens.size());
    if (type >= Kind::OPEN_STRING) return report_open(tokens.back(), tokens, context);
  }
  auto size = static_cast<std::uint32_t>(text.size());
  tokens.emplace_back(antlr4::Token::EOF, size, size, tokens.size());
  if (!check_utf8(tokens, context)) return context.diagnostics.already_reported();
  return tokens;
}

}  // namespace bolza::syntax
