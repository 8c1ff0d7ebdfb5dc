// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/result/report_panels.h"
#include "runtime/result/table.h"

namespace bolza::result {

/// What a parameter does to the optimum.
struct SensitivityRow {
  std::string name, unit;
  double value = 0, slope = 0;  ///< p, dJ*/dp; NaN: not known
  double low = 0, high = 0;     ///< where the active set changes; NaN: not known
  std::string warning;          ///< that it is about to change
};

/// What the report says besides the solution.
struct ReportContext {
  std::string class_name, file, version, date;
  std::vector<std::pair<std::string, double>> timing;        ///< name → seconds, in order
  std::vector<std::pair<std::string, std::string>> options;  ///< name → value: mesh, method, tolerance, …
  std::vector<std::string> warnings;                         ///< about the model, a sentence each
  std::vector<std::pair<std::string, std::string>> cards;    ///< value, what it is: after the objective
  std::vector<MeasuredPoints> measured;                      ///< data of a calibration
  std::vector<SensitivityRow> sensitivity = {};              ///< the largest first
  std::string verdict = {};                                  ///< as a person reads it; "": the status
  bool has_warnings = false;                                 ///< which the verdict is about
};

/// One self-contained HTML page: header, measures, free parameters, trajectories with bounds and data (zoom by drag or
/// wheel, values under the pointer, curves switched in the legend), final values, active constraints with multipliers,
/// findings, mesh; light and dark. No network, no file next to it.
/// @param tables  one per phase
std::string html_report(const bolza_problem& problem, const abi::Solution& solution, std::span<const ResultTable> tables,
                        const ReportContext& context);

/// Text with &, <, > and quotes made safe for HTML and XML.
std::string escaped(std::string_view text);

}  // namespace bolza::result
