// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/unit.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include "compiler/ir/print.h"

namespace bolza::ir {

bool Unit::same_scale(const Unit& other) const {
  return same_dimension(other) && offset == other.offset && std::abs(factor - other.factor) <= 1e-9 * std::abs(factor);
}

Unit operator*(const Unit& a, const Unit& b) {
  Unit result{.powers = a.powers, .factor = a.factor * b.factor};
  for (std::size_t k = 0; k < result.powers.size(); ++k) result.powers[k] += b.powers[k];
  return result;
}

Unit operator/(const Unit& a, const Unit& b) {
  Unit result{.powers = a.powers, .factor = a.factor / b.factor};
  for (std::size_t k = 0; k < result.powers.size(); ++k) result.powers[k] -= b.powers[k];
  return result;
}

std::optional<Unit> unit_power(const Unit& unit, double exponent) {
  Unit result{.powers = {}, .factor = std::pow(unit.factor, exponent)};
  for (std::size_t k = 0; k < result.powers.size(); ++k) {
    double p = unit.powers[k] * exponent;
    if (std::abs(p - std::round(p)) > 1e-9 || std::abs(p) > 1e6) return {};
    result.powers[k] = static_cast<int>(std::round(p));
  }
  return result;
}

namespace {

struct Symbol {
  std::string_view name;
  std::array<int, 7> powers;  // m, kg, s, A, K, mol, cd
  double factor = 1;
  bool prefixes = true;  // may stand after k, m, …
  double offset = 0;
};

constexpr double degree = std::numbers::pi / 180;

// Base units; derived units with names [SI brochure, table 4]; units that may be used with SI [table 8, MLS 19].
constexpr Symbol symbols[] = {
    {"m", {1}},
    {"g", {0, 1}, 1e-3},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {}},
    {"sr", {}},
    {"Hz", {0, 0, -1}},
    {"N", {1, 1, -2}},
    {"Pa", {-1, 1, -2}},
    {"W", {2, 1, -3}},
    {"J", {2, 1, -2}},
    {"C", {0, 0, 1, 1}},
    {"V", {2, 1, -3, -1}},
    {"F", {-2, -1, 4, 2}},
    {"Ohm", {2, 1, -3, -2}},
    {"S", {-2, -1, 3, 2}},
    {"Wb", {2, 1, -2, -1}},
    {"T", {0, 1, -2, -1}},
    {"H", {2, 1, -2, -2}},
    {"lm", {0, 0, 0, 0, 0, 0, 1}},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}},
    {"Bq", {0, 0, -1}},
    {"Gy", {2, 0, -2}},
    {"Sv", {2, 0, -2}},
    {"kat", {0, 0, -1, 0, 0, 1}},
    {"degC", {0, 0, 0, 0, 1}, 1, false, 273.15},
    {"degF", {0, 0, 0, 0, 1}, 5.0 / 9, false, 459.67 * 5 / 9},
    {"degRk", {0, 0, 0, 0, 1}, 5.0 / 9, false},
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"d", {0, 0, 1}, 86400, false},
    {"deg", {}, degree, false},
    {"rev", {}, 2 * std::numbers::pi, false},
    {"cycle", {}, 2 * std::numbers::pi, false},
    {"l", {3}, 1e-3},
    {"L", {3}, 1e-3},
    {"t", {0, 1}, 1e3},
    {"bar", {-1, 1, -2}, 1e5},
    {"atm", {-1, 1, -2}, 101325, false},
    {"eV", {2, 1, -2}, 1.602176634e-19},
    {"u", {0, 1}, 1.66053906660e-27, false},
    {"VA", {2, 1, -3}},
    {"var", {2, 1, -3}},
    {"Wh", {2, 1, -2}, 3600},
    {"Ah", {0, 0, 1, 1}, 3600},
    {"ft", {1}, 0.3048, false},
    {"in", {1}, 0.0254, false},
    {"mi", {1}, 1609.344, false},
    {"kn", {1, 0, -1}, 1852.0 / 3600, false},
    {"lb", {0, 1}, 0.45359237, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"da", 1e1},  {"Q", 1e30},  {"R", 1e27},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},
                               {"P", 1e15},  {"T", 1e12},  {"G", 1e9},   {"M", 1e6},   {"k", 1e3},   {"h", 1e2},
                               {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"n", 1e-9},  {"p", 1e-12},
                               {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}, {"r", 1e-27}, {"q", 1e-30}};

Unit unit_of(const Symbol& symbol, double prefix) {
  Unit unit{.powers = symbol.powers, .factor = symbol.factor * prefix, .offset = symbol.offset};
  for (int& p : unit.powers) p *= Unit::whole;
  return unit;
}

const Symbol* symbol_named(std::string_view name) {
  for (const Symbol& symbol : symbols)
    if (symbol.name == name) return &symbol;
  return nullptr;
}

std::optional<Unit> named(std::string_view name) {
  if (const Symbol* symbol = symbol_named(name)) return unit_of(*symbol, 1);
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const Symbol* symbol = symbol_named(name.substr(prefix.name.size()));
    if (symbol && symbol->prefixes) return unit_of(*symbol, prefix.factor);
  }
  return {};
}

/// unit = product ["/" factor]; product = factor {"." factor}; factor = (name | "1" | "(" unit ")") [exponent].
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Unit> read() {
    auto unit = expression(0);
    if (!unit || at_ != text_.size()) return {};
    return unit;
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<Unit> expression(int depth) {
    auto unit = product(depth);
    if (unit && take('/')) {
      auto below = factor(depth);
      if (!below) return {};
      unit = *unit / *below;
    }
    return unit;
  }

  std::optional<Unit> product(int depth) {
    auto unit = factor(depth);
    while (unit && take('.')) {
      auto next = factor(depth);
      if (!next) return {};
      unit = *unit * *next;
    }
    return unit;
  }

  std::optional<Unit> factor(int depth) {
    if (depth > 20) return {};
    std::optional<Unit> unit;
    bool is_one = false;
    if (take('(')) {
      unit = expression(depth + 1);
      if (!unit || !take(')')) return {};
    } else if (take('1')) {
      unit = Unit{};
      is_one = true;
    } else {
      std::size_t begin = at_;
      while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
      unit = named(text_.substr(begin, at_ - begin));
    }
    int exponent = 0;
    const char* from = text_.data() + at_;
    if (at_ < text_.size() && *from == '+') ++from;
    auto [end, error] = std::from_chars(from, text_.data() + text_.size(), exponent);
    if (!unit || error != std::errc() || is_one) return unit;
    at_ = static_cast<std::size_t>(end - text_.data());
    return unit_power(*unit, exponent);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  if (text.empty()) return {};
  return Reader(text).read();
}

std::string to_text(const Unit& unit) {
  constexpr std::array names{"m", "kg", "s", "A", "K", "mol", "cd"};
  std::string scale = unit.offset == 273.15 ? "" : unit.factor == 1 ? "" : to_text(unit.factor) + " ";
  if (unit.offset == 273.15) return "degC";
  if (unit.is_number()) return scale.empty() ? "1" : scale + "1";
  for (const Symbol& symbol : symbols) {
    Unit whole = unit_of(symbol, 1);
    if (symbol.factor == 1 && symbol.offset == 0 && whole.same_dimension(unit)) return scale + std::string(symbol.name);
  }
  std::string above, below;
  int n_below = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    int p = unit.powers[k];
    if (p == 0) continue;
    std::string& side = p > 0 ? above : below;
    int magnitude = std::abs(p);
    if (!side.empty()) side += ".";
    side += names[k];
    if (magnitude % Unit::whole != 0) side += "(" + std::to_string(magnitude) + "/" + std::to_string(Unit::whole) + ")";
    else if (magnitude != Unit::whole) side += std::to_string(magnitude / Unit::whole);
    n_below += p < 0;
  }
  if (below.empty()) return scale + above;
  return scale + (above.empty() ? "1" : above) + "/" + (n_below > 1 ? "(" + below + ")" : below);
}

}  // namespace bolza::ir
