// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/result/plot.h"

namespace bolza::result {

/// A table of a page; cells are plain text.
struct SectionTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `head`
};

/// A part of a page under its heading, in the order of the members; what is empty is left out.
struct PageSection {
  std::string heading;
  std::vector<std::string> text;  ///< paragraphs, plain text
  SectionTable table;
  std::vector<Figure> figures;        ///< each a picture of its own
  std::vector<std::string> pictures;  ///< SVG, after the figures
};

/// A self-contained HTML page in the report's style: title, a line below it, sections. Pictures are SVG.
std::string html_page(const std::string& title, const std::string& where, const std::vector<PageSection>& sections);

}  // namespace bolza::result
