// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace bolza {

enum class Severity { warning, error };

/// One kind of message. Each is a constexpr row in its room's `codes.h`.
/// `message` has places {0}, {1}, … for the arguments, lower case, no full stop, code in backticks; `explanation` is what
/// `bolza explain` prints: why the rule exists, an example, and what to write instead.
struct Code {
  std::string_view id;  ///< "E204"; a leading W for codes that are only ever warnings
  std::string_view message;
  std::string_view explanation;
};

struct Note {
  Span span;
  std::string text;
};

struct Diagnostic {
  const Code* code = nullptr;
  Severity severity = Severity::error;
  Span span;
  std::string message;
  std::vector<Note> notes;  ///< a note without a span is a remedy: "did you mean `velocity`?"
};

/// Proof that a message was given. Only `Diagnostics` makes one, so no failure is silent.
class Reported {
  friend class Diagnostics;
  Reported() = default;
};

/// Collects the messages of a run; keeps order, drops exact repetitions, stops collecting errors after `limit`.
class Diagnostics {
 public:
  using Arguments = std::initializer_list<std::string_view>;

  Reported error(const Code& code, Span at, Arguments arguments = {}, std::vector<Note> notes = {});
  void warning(const Code& code, Span at, Arguments arguments = {}, std::vector<Note> notes = {});
  /// For a failure that follows from one already reported; expects that there is one.
  Reported already_reported() const;

  const std::deque<Diagnostic>& all() const { return all_; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return all_.size() - errors_; }
  void clear() {
    all_.clear();
    errors_ = 0;
  }

 private:
  void add(Diagnostic d);
  std::deque<Diagnostic> all_;
  std::size_t errors_ = 0;
};

/// Replaces {0}, {1}, … in a pattern.
std::string fill_in(std::string_view pattern, std::span<const std::string_view> arguments);

/// "file:3:5: error: message [E204]", the source line, a caret line, the notes. Ends with a line end.
std::string render(const Diagnostic& diagnostic, const Sources& sources, bool colour = false);

/// The candidate that a typist most likely meant, or empty when none is near (edit distance at most a third of the length).
std::string near_match(std::string_view name, std::span<const std::string> candidates);
/// A remedy note "did you mean `x`?", or no note at all.
std::vector<Note> did_you_mean(std::string_view name, std::span<const std::string> candidates);

}  // namespace bolza
