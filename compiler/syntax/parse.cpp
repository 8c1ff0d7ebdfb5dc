// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/parse.h"

#include <algorithm>

#include "compiler/syntax/build_internal.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/tokens_internal.h"

namespace bolza::syntax {
namespace {

/// The tokens as ANTLR's stream.
class TokenReader final : public antlr4::TokenStream {
 public:
  explicit TokenReader(Tokens& tokens) : tokens_(tokens) {}
  antlr4::Token* LT(ssize_t k) override {
    std::size_t i = k > 0 ? at_ + static_cast<std::size_t>(k) - 1 : at_ - static_cast<std::size_t>(-k);
    if (k == 0 || (k < 0 && static_cast<std::size_t>(-k) > at_)) return nullptr;
    return &tokens_[std::min(i, tokens_.size() - 1)];
  }
  std::size_t LA(ssize_t k) override {
    auto* token = static_cast<SourceToken*>(LT(k));
    return token != nullptr ? token->kind() : antlr4::Token::INVALID_TYPE;
  }
  antlr4::Token* get(std::size_t i) const override { return &tokens_[i]; }
  void consume() override { at_ = std::min(at_ + 1, tokens_.size() - 1); }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::size_t index() override { return at_; }
  void seek(std::size_t index) override { at_ = std::min(index, tokens_.size() - 1); }
  std::size_t size() override { return tokens_.size(); }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

 private:
  Tokens& tokens_;
  std::size_t at_ = 0;
};

/// Ends the parse at the first token that does not fit and remembers the place.
class FirstMistake final : public antlr4::ANTLRErrorStrategy {
 public:
  ParserStop stop;

  void reset(antlr4::Parser*) override {}
  void sync(antlr4::Parser*) override {}
  bool inErrorRecoveryMode(antlr4::Parser*) override { return false; }
  void reportMatch(antlr4::Parser*) override {}
  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    remember(parser, parser->getCurrentToken());
    throw antlr4::ParseCancellationException();
  }
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override {
    remember(parser, e.getOffendingToken());
  }
  void recover(antlr4::Parser*, std::exception_ptr) override { throw antlr4::ParseCancellationException(); }

 private:
  void remember(antlr4::Parser* parser, antlr4::Token* token) {
    stop.decision = parser->getTokenStream()->index();
    stop.token = token != nullptr ? token->getTokenIndex() : stop.decision;
    stop.expected = parser->getExpectedTokens();
    stop.words = &parser->getVocabulary();
    stop.rules.clear();
    stop.rule_begins.clear();
    for (antlr4::RuleContext* c = parser->getRuleContext(); c != nullptr; c = static_cast<antlr4::RuleContext*>(c->parent)) {
      stop.rules.push_back(c->getRuleIndex());
      auto* begin = static_cast<antlr4::ParserRuleContext*>(c)->start;
      stop.rule_begins.push_back(begin != nullptr ? begin->getTokenIndex() : 0);
    }
  }
};

/// The parser with its tree, which lives as long as this.
struct Parse {
  explicit Parse(Tokens& tokens) : reader(tokens), parser(&reader) { parser.removeErrorListeners(); }

  /// Fast prediction first; its few false alarms are settled by full prediction. Null at a mistake, which `stop` describes.
  grammar::ModelicaParser::StoredDefinitionContext* run() {
    auto* simulator = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
    for (auto mode : {antlr4::atn::PredictionMode::SLL, antlr4::atn::PredictionMode::LL}) {
      auto strategy = std::make_shared<FirstMistake>();
      parser.setErrorHandler(strategy);
      simulator->setPredictionMode(mode);
      try {
        return parser.storedDefinition();
      } catch (const antlr4::ParseCancellationException&) {
        stop = strategy->stop;
        parser.reset();
      }
    }
    return nullptr;
  }

  TokenReader reader;
  grammar::ModelicaParser parser;
  ParserStop stop;
};

constexpr std::size_t largest_text = std::size_t{1} << 28;  // tokens and tree take about forty times as much

Reported report(const StructureMistake& m, Diagnostics& diagnostics) {
  std::string none;
  auto argument = [&](std::size_t i) -> std::string_view { return i < m.arguments.size() ? m.arguments[i] : none; };
  return diagnostics.error(*m.code, m.span, {argument(0), argument(1)}, m.notes);
}

Tokens arranged(const Tokens& tokens, const Arrangement& arrangement) {
  Tokens out;
  auto take = [&](const SourceToken& t) { out.emplace_back(t.kind(), t.begin, t.end, out.size()); };
  for (const Arrangement::Part& part : arrangement.parts) {
    auto t = std::ranges::lower_bound(tokens, part.begin, {}, &SourceToken::begin);
    for (; t != tokens.end() && t->end <= part.end && !t->is(antlr4::Token::EOF); ++t) take(*t);
  }
  take(tokens.back());
  return out;
}

}  // namespace

Result<std::unique_ptr<ast::StoredFile>> parse(SourceId source, const Sources& sources, Diagnostics& diagnostics,
                                               const Arrangement* arrangement) {
  grammar::ModelicaParser::initialize();
  Context context{source, sources, diagnostics};
  if (arrangement) context.own_end = arrangement->own_end;
  if (sources.text(source).size() > largest_text)
    return diagnostics.error(unreadable, {source, 0, 0}, {"it is larger than 256 MB"});
  Result<Tokens> tokens = lex(context);
  if (!tokens) return diagnostics.already_reported();
  if (arrangement) *tokens = arranged(*tokens, *arrangement);
  Structure structure = mark_structure(*tokens, context);
  if (structure.too_deep) return report(structure.mistake, diagnostics);
  Parse parse(*tokens);
  auto* tree = parse.run();
  // A broken block is often the late effect of an earlier slip, such as a missing `;`; then the earlier place is the better
  // message.
  if (!structure.sound && (tree != nullptr || parse.stop.token >= structure.mistake.token))
    return report(structure.mistake, diagnostics);
  if (tree == nullptr) return report(parse.stop, *tokens, context);
  auto file = build(*tree, *tokens, context);
  if (!structure.names_agree) return diagnostics.already_reported();
  return file;
}

}  // namespace bolza::syntax
