// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/diagnostics.h"

namespace bolza::cli {

struct Arguments;

/// Whether text to this stream is coloured: --colour, NO_COLOR, or a terminal.
bool use_colour(const Arguments& arguments, int stream);

/// Diagnostics to stderr in order, then "2 errors, 1 warning" when there was more than one. Silent with --json.
void print_diagnostics(const Diagnostics& diagnostics, const Sources& sources, const Arguments& arguments);

/// [{"code", "severity", "message", "file", "line", "column", "notes"}]
nlohmann::json to_json(const Diagnostics& diagnostics, const Sources& sources);

/// One object on stdout.
void print_json(const nlohmann::json& object);

/// What was given cannot be taken: prints why, with --json as {"status": "input_error", "diagnostics": …}. Gives
/// `bad_input`.
int refuse_input(const Diagnostics& diagnostics, const Sources& sources, const Arguments& arguments);

/// "1 iteration", "2 iterations". @param many  where it is not `one` with an s after it
std::string counted(std::size_t n, const std::string& one, const std::string& many = "");

/// A number as people read it: up to 9 digits, no trailing zeros.
std::string readable(double value);

}  // namespace bolza::cli
