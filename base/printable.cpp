#include "base/printable.h"

namespace bolza {

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    auto c = static_cast<unsigned char>(text[k]);
    bool is_c1 = c == 0xc2 && k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) < 0xa0;  // U+0080 to U+009F
    if ((c >= 0x20 && c != 0x7f && !is_c1) || c == '\n' || c == '\t') {
      out += text[k];
      continue;
    }
    if (is_c1) c = static_cast<unsigned char>(text[++k]);
    constexpr char digits[] = "0123456789abcdef";
    out += std::string("\\x") + digits[c >> 4] + digits[c & 15];
  }
  return out;
}

}  // namespace bolza
