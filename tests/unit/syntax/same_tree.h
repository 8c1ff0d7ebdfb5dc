// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <type_traits>

#include "compiler/syntax/fields.h"

namespace bolza::syntax {

/// Compares two trees member by member. Nodes that are one in the first must be one in the second. Ids of sources may differ
/// between the trees, not within them.
class SameTree {
 public:
  SameTree(const ast::StoredFile& a, const ast::StoredFile& b) : a_(a), b_(b) {}
  /// "" when they are the same; else what differs.
  std::string difference() {
    same(a_.has_within, b_.has_within, "has_within");
    same(a_.within, b_.within, "within");
    same(a_.classes, b_.classes, "classes");
    return difference_;
  }
  std::size_t compared() const { return compared_; }

 private:
  template <class T>
  void same(const T& a, const T& b, const char* what) {
    ++compared_;
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string_view>) {
      if (!(a == b)) difference_ = what;
    } else if constexpr (std::is_same_v<T, Span>) {
      bool both = (a.file == a_.source && b.file == b_.source) || (!a.file && !b.file);
      if (!both || a.begin != b.begin || a.end != b.end) difference_ = "span";
    } else if constexpr (std::is_pointer_v<T>) {
      if ((a == nullptr) != (b == nullptr)) difference_ = "null";
      if (a == nullptr || !difference_.empty()) return;
      auto [twin, fresh] = twins_.try_emplace(a, b);
      if (!fresh && twin->second != b) difference_ = "a node that was one is two";
      if (fresh) same(*a, *b, "node");
    } else if constexpr (requires { typename T::element_type; }) {
      if (a.size() != b.size()) difference_ = "length of a list";
      for (std::size_t i = 0; i < a.size() && difference_.empty(); ++i) same(a[i], b[i], "element");
    } else {
      auto of_a = fields(a);
      auto of_b = fields(b);
      same_members(of_a, of_b, std::make_index_sequence<std::tuple_size_v<decltype(of_a)>>());
    }
  }
  template <class Tuple, std::size_t... I>
  void same_members(const Tuple& a, const Tuple& b, std::index_sequence<I...>) {
    (same(std::get<I>(a), std::get<I>(b), "member"), ...);
  }

  const ast::StoredFile& a_;
  const ast::StoredFile& b_;
  std::map<const void*, const void*> twins_;
  std::string difference_;
  std::size_t compared_ = 0;
};

}  // namespace bolza::syntax
