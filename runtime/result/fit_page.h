// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "runtime/result/chart.h"

namespace bolza::result {

/// A table of a page: texts, the first column as code, the others to the right where `numeric`.
struct PageTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<bool> numeric;  ///< [columns]
  std::vector<std::vector<std::string>> rows;
};

/// What the page of a fit shows, in its order. Empty parts are left out.
struct FitPage {
  std::string title, where, status, version;
  std::string status_class;                                ///< "solved", "acceptable" or "failed"
  std::string verdict;                                     ///< one sentence; code between backticks
  std::vector<std::pair<std::string, std::string>> cards;  ///< value, label
  PageTable parameters;
  std::vector<Chart> fits, residuals, profiles;
  std::vector<Chart> waterfall;         ///< one or none
  std::vector<std::string> correlated;  ///< names
  std::vector<double> correlation;      ///< [names²]
  std::vector<PageTable> tables;        ///< goodness, tests, outliers, options, timing
};

/// One self-contained HTML page in the report's style; light and dark, no network, no file next to it.
std::string fit_html(const FitPage& page);

/// Text with what stands between backticks as code, the rest escaped.
std::string with_code(const std::string& text);

}  // namespace bolza::result
