// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "base/diagnostics.h"
#include "base/expects.h"
#include "base/result.h"

namespace bolza::flatten {

struct Frame;
struct Node;
struct Work;

/// No mistake: the translation is to be started again in another way. Only who then knows how makes one: `Work` (a number
/// differs between the instances of the space: it is split; in functions: a size depends on a loop's iterator: the loop is
/// written out) and `Frame` (a value is needed that the call does not give).
class Again {
 public:
  enum class How : std::uint8_t { split, written_out, with_values };
  How how() const { return how_; }

 private:
  friend struct Work;
  friend struct Frame;
  explicit Again(How how) : how_(how) {}
  How how_;
};

/// Why a translation gave nothing. Pass it on, add no message.
class Failure {
 public:
  Failure(Reported reported) : why_(reported) {}  // NOLINT(google-explicit-constructor): `return diagnostics.error(…);`
  Failure(Again again) : why_(again) {}           // NOLINT(google-explicit-constructor): `return work.split_by(key);`

  bool reported() const { return std::holds_alternative<Reported>(why_); }
  bool is(Again::How how) const {
    const Again* again = std::get_if<Again>(&why_);
    return again != nullptr && again->how() == how;
  }
  /// Whether the translation around starts again whatever is done here: then nothing takes the place of what failed.
  bool restarts() const { return is(Again::How::split) || is(Again::How::written_out); }

 private:
  std::variant<Reported, Again> why_;
};

/// What a translation gives: a value; `Reported`, after a message; or `Again`, which is no mistake. There is no other way to
/// fail, so a type says of every function whether it can, and no failure is silent.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : held_(std::move(value)) {}  // NOLINT(google-explicit-constructor): `return value;` is the point
  Outcome(Failure failure) : held_(failure) {}   // NOLINT(google-explicit-constructor): `return other.failure();`
  Outcome(Reported reported) : Outcome(Failure(reported)) {}  // NOLINT(google-explicit-constructor)
  Outcome(Again again) : Outcome(Failure(again)) {}           // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return std::holds_alternative<T>(held_); }
  bool failed() const { return !*this; }
  Failure failure() const {
    expects(failed(), "only an Outcome without a value says why");
    return std::get<Failure>(held_);
  }
  T& operator*() & { return checked(); }
  const T& operator*() const& { return const_cast<Outcome*>(this)->checked(); }
  T&& operator*() && { return std::move(checked()); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &const_cast<Outcome*>(this)->checked(); }
  /// The value for those who do the same whatever the failure is.
  std::optional<T> value() const { return *this ? std::optional<T>(**this) : std::nullopt; }

 private:
  T& checked() {
    expects(!failed(), "an Outcome is read only when it holds a value");
    return std::get<T>(held_);
  }
  std::variant<T, Failure> held_;
};

/// A node where it is there: then this is used as the pointer to it, which is never null.
template <>
class [[nodiscard]] Outcome<const Node*> {
 public:
  Outcome(const Node* node) : node_(node) {  // NOLINT(google-explicit-constructor): `return node;` is the point
    if (node == nullptr) expects(false, "what gives no node says why");
  }
  Outcome(std::nullptr_t) = delete;
  Outcome(Failure failure) : why_(failure) {}                 // NOLINT(google-explicit-constructor)
  Outcome(Reported reported) : Outcome(Failure(reported)) {}  // NOLINT(google-explicit-constructor)
  Outcome(Again again) : Outcome(Failure(again)) {}           // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return node_ != nullptr; }
  bool failed() const { return node_ == nullptr; }
  Failure failure() const {
    expects(failed(), "only an Outcome without a value says why");
    return *why_;
  }
  operator const Node*() const { return checked(); }  // NOLINT(google-explicit-constructor): a node is handed on as it is
  const Node& operator*() const { return *checked(); }
  const Node* operator->() const { return checked(); }
  bool operator==(std::nullptr_t) const = delete;

 private:
  const Node* checked() const {
    if (node_ == nullptr) expects(false, "an Outcome is read only when it holds a value");
    return node_;
  }
  const Node* node_ = nullptr;
  std::optional<Failure> why_;  ///< holds a value where there is no node
};

}  // namespace bolza::flatten
