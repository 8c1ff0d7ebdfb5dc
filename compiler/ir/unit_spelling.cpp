// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/unit_spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/replace_all.h"
#include "compiler/ir/unit.h"

namespace bolza::ir {
namespace {

struct Spelling {
  std::string_view other, ours;
};

/// Symbols as others write them; longer ones first where one begins another.
constexpr std::array spellings{
    Spelling{"rpm", "rev/min"}, Spelling{"RPM", "rev/min"}, Spelling{"sec", "s"},        Spelling{"second", "s"},
    Spelling{"seconds", "s"},   Spelling{"minute", "min"},  Spelling{"minutes", "min"},  Spelling{"mins", "min"},
    Spelling{"hr", "h"},        Spelling{"hour", "h"},      Spelling{"hours", "h"},      Spelling{"hrs", "h"},
    Spelling{"day", "d"},       Spelling{"days", "d"},      Spelling{"meter", "m"},      Spelling{"meters", "m"},
    Spelling{"metre", "m"},     Spelling{"Kelvin", "K"},    Spelling{"kelvin", "K"},     Spelling{"ohm", "Ohm"},
    Spelling{"\u03a9", "Ohm"},  Spelling{"\u2126", "Ohm"},  Spelling{"\u00b0C", "degC"}, Spelling{"\u00b0", "deg"},
    Spelling{"degree", "deg"},  Spelling{"degrees", "deg"}, Spelling{"liter", "l"},      Spelling{"litre", "l"},
    Spelling{"ltr", "l"},       Spelling{"gram", "g"},      Spelling{"newton", "N"},     Spelling{"Newton", "N"},
    Spelling{"watt", "W"},      Spelling{"Watt", "W"},      Spelling{"joule", "J"},      Spelling{"Joule", "J"},
    Spelling{"volt", "V"},      Spelling{"Volt", "V"},      Spelling{"Kg", "kg"},        Spelling{"KG", "kg"},
    Spelling{"radian", "rad"},  Spelling{"radians", "rad"}, Spelling{"\u03bcm", "um"},   Spelling{"\u00b5m", "um"},
    Spelling{"-", "1"},         Spelling{"pascal", "Pa"},   Spelling{"hz", "Hz"},        Spelling{"HZ", "Hz"},
    Spelling{"kph", "km/h"},    Spelling{"kmh", "km/h"},    Spelling{"mph", "mi/h"}};

std::string spelled(std::string_view symbol) {
  for (const Spelling& spelling : spellings)
    if (spelling.other == symbol) return std::string(spelling.ours);
  return std::string(symbol);
}

/// Signs of products and powers as Modelica writes them.
std::string with_signs_of_modelica(std::string_view text) {
  std::string out(text);
  for (std::string_view product : {"\u00b7", "\u22c5", "\u00d7"}) replace_all(out, product, ".");
  replace_all(out, "**", "");
  replace_all(out, "^", "");
  replace_all(out, "*", ".");
  replace_all(out, "\u00b2", "2");
  replace_all(out, "\u00b3", "3");
  replace_all(out, "\u207b\u00b9", "-1");
  for (std::string_view around : {"/", "."}) {
    replace_all(out, " " + std::string(around), around);
    replace_all(out, std::string(around) + " ", around);
  }
  replace_all(out, " ", ".");
  replace_all(out, "[", "");
  replace_all(out, "]", "");
  return out;
}

/// Every symbol as it is known here.
std::string with_known_symbols(std::string_view text) {
  auto is_of_symbol = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || (static_cast<unsigned char>(c) & 0x80);
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_symbol(text[end])) ++end;
    if (end > at) out += spelled(text.substr(at, end - at));
    else out += text[end++];
    at = end;
  }
  return out;
}

/// a/b/c and a/b.c have one quotient: a/(b.c).
std::string with_one_quotient(const std::string& text) {
  std::size_t first = text.find('/');
  if (first == std::string::npos || text.find('(') != std::string::npos) return text;
  std::string below = text.substr(first + 1);
  replace_all(below, "/", ".");
  return text.substr(0, first + 1) + (below.find('.') == std::string::npos ? below : "(" + below + ")");
}

}  // namespace

std::string meant_unit(std::string_view text) {
  if (text.empty() || parse_unit(text)) return {};
  std::string meant = spelled(text);
  for (auto* mended : {+[](const std::string& s) { return with_signs_of_modelica(s); },
                       +[](const std::string& s) { return with_known_symbols(s); },
                       +[](const std::string& s) { return with_one_quotient(s); }}) {
    if (parse_unit(meant)) return meant;
    meant = mended(meant);
  }
  return parse_unit(meant) ? meant : std::string();
}

}  // namespace bolza::ir
