// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <utility>

#include "base/diagnostics.h"
#include "base/expects.h"

namespace bolza {

/// A value, or `Reported`: the failure has already been reported to the user by a diagnostic. Pass it on, add no second
/// message.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): `return value;` is the point
  Result(Reported) {}                            // NOLINT(google-explicit-constructor): `return diagnostics.error(…);`

  explicit operator bool() const { return value_.has_value(); }
  bool failed() const { return !value_; }
  T& operator*() & { return checked(); }
  const T& operator*() const& { return const_cast<Result*>(this)->checked(); }
  T&& operator*() && { return std::move(checked()); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &const_cast<Result*>(this)->checked(); }

 private:
  T& checked() {
    expects(value_.has_value(), "a Result is read only when it holds a value");
    return *value_;
  }
  std::optional<T> value_;
};

/// For functions that give nothing back but can fail.
struct Done {};

}  // namespace bolza
