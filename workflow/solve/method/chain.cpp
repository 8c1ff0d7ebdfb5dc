// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/method/chain.h"

#include <algorithm>

#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Reads one chain from left to right; every function leaves `at_` after what it read.
class ChainReader {
 public:
  ChainReader(std::string_view text, SourceId file, const driver::Options& common, Diagnostics& diagnostics)
      : text_(text),
        file_(file),
        common_(common),
        diagnostics_(diagnostics) {}

  Result<std::vector<Stage>> read() {
    std::vector<Stage> stages;
    for (;;) {
      auto stage = read_stage();
      if (!stage) return diagnostics_.already_reported();
      stages.push_back(*std::move(stage));
      skip_spaces();
      if (at_ == text_.size()) return stages;
      if (text_.substr(at_, 2) != "->") return wrong("`->` and the next stage, or the end, should follow");
      at_ += 2;
    }
  }

 private:
  Result<Stage> read_stage() {
    skip_spaces();
    std::size_t begin = at_;
    std::string_view method = read_word();
    if (method.empty()) return wrong("a stage starts with the name of a method");
    Stage stage{"", common_};
    if (driver::set_option(stage.options, "method", method, span(begin, at_), diagnostics_).failed())
      return diagnostics_.already_reported();
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '(') {
      auto done = read_settings(stage.options);
      if (!done) return diagnostics_.already_reported();
    }
    stage.text = text_.substr(begin, at_ - begin);
    return stage;
  }

  Result<Done> read_settings(driver::Options& options) {
    ++at_;
    for (;;) {
      skip_spaces();
      if (at_ < text_.size() && text_[at_] == ')') break;
      std::size_t begin = at_;
      std::string_view name = read_word();
      skip_spaces();
      if (name.empty() || at_ == text_.size() || text_[at_] != '=') return wrong("a setting is written `name=value`");
      ++at_;
      std::string value = read_value();
      if (driver::set_option(options, name, value, span(begin, at_), diagnostics_).failed())
        return diagnostics_.already_reported();
      skip_spaces();
      if (at_ < text_.size() && text_[at_] == ',') ++at_;
      else if (at_ == text_.size() || text_[at_] != ')') return wrong("`,` or `)` should follow a setting");
    }
    ++at_;
    return Done{};
  }

  /// Up to a space, a parenthesis or "->" (a single `-` belongs to the word).
  std::string_view read_word() {
    std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '(' && text_[at_] != ')' && text_[at_] != '=' &&
           text_[at_] != ',' && text_.substr(at_, 2) != "->")
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// A number, a word, `{a, b}`, or text in quotes.
  std::string read_value() {
    skip_spaces();
    char close = at_ < text_.size() ? (text_[at_] == '{'    ? '}'
                                       : text_[at_] == '"'  ? '"'
                                       : text_[at_] == '\'' ? '\''
                                                            : '\0')
                                    : '\0';
    std::size_t begin = at_;
    if (close != '\0') {
      std::size_t end = std::min(text_.find(close, at_ + 1), text_.size());
      at_ = std::min(end + 1, text_.size());
      return std::string(text_.substr(begin + 1, end - begin - 1));
    }
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')' && !is_space(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  Reported wrong(std::string_view what) { return diagnostics_.error(bad_chain, span(at_, at_ + 1), {what}); }

  std::string_view text_;
  SourceId file_;
  const driver::Options& common_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<Stage>> parse_chain(std::string_view text, const driver::Options& common, Sources& sources,
                                       Diagnostics& diagnostics) {
  if (text.empty()) return std::vector<Stage>{Stage{"", common}};
  SourceId file = sources.add("--chain", std::string(text));
  return ChainReader(sources.text(file), file, common, diagnostics).read();
}

}  // namespace bolza::workflow
