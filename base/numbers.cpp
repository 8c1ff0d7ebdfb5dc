#include "base/numbers.h"

#include <charconv>
#include <cstdio>

namespace bolza {

std::string shown(double value, int digits) {
  if (value != value) return "NaN";
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string exact_text(double value) {
  std::string out;
  append_exact(out, value);
  return out;
}

void append_exact(std::string& out, double value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace bolza
