// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza::cli {

struct Arguments;

/// Streams that the caller closed lead to /dev/null from now on, standard output to one that takes nothing: files that are
/// opened later do not get their numbers, and what is printed.
void open_closed_streams();

/// A file that grows over the limit of the system (`ulimit -f`) is a failed write, not a signal.
void write_past_limits_fails();

/// The exit code, which says so when standard output could not take what was printed (a full disk, a closed stream): E951.
int after_output(int code, const Arguments& arguments);

}  // namespace bolza::cli
