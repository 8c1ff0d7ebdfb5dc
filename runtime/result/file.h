// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/result/table.h"

namespace bolza::result {

/// The file is absent, old or complete (base/replacement.h); a device or a pipe is written into. Errors E951.
Result<Done> write_file(const std::string& path, std::string_view content, Diagnostics& diagnostics);

/// Errors E952.
Result<std::string> read_file(const std::string& path, Diagnostics& diagnostics);

/// By the ending: .mat or .csv. Errors E951, E954.
Result<Done> write_result(const ResultTable& table, const std::string& path, Diagnostics& diagnostics);

/// By the content: Dymola trajectory (.mat version 4, both orientations, any precision) or a table of text, which `sources`
/// then has. Errors E952, and E931 to E933 of the table.
/// Roles other than parameter, rate, costate and multiplier are not in the file: they come back as auxiliary.
Result<ResultTable> read_result(const std::string& path, Sources& sources, Diagnostics& diagnostics);

/// Dymola trajectory file, 'binTrans': Aclass, name, description, dataInfo, data_1, data_2, and a matrix `mesh` after them
/// when the table knows its mesh. Units stand at the end of the description in brackets.
std::string mat_text(const ResultTable& table);
/// `problem` tells what is wrong when nothing is returned.
std::optional<ResultTable> parse_mat(std::string_view content, std::string& problem);

/// Takes the next part of a text; false ends it.
using Sink = std::function<bool(std::string_view)>;
/// First line "time,x1,…" (names with commas or quotes in quotes), then one line per time with all digits. Constants have
/// their value in the first of these lines alone. The memory is that of a line and 1 MB. @returns whether the sink took all
bool write_csv(const ResultTable& table, const Sink& sink);
/// Reads that, and what base/text_table.h reads, with a column of times; units in brackets are taken off the names, missing
/// values are NaN, and a value in the first row alone is one at all times. Errors  E931 (times that do not ascend, too),
/// E932, E933.
Result<ResultTable> parse_csv(const Sources& sources, SourceId file, Diagnostics& diagnostics);

}  // namespace bolza::result
