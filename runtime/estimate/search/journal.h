// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::estimate {

/// One finished start of a search.
struct SearchFit {
  std::size_t index = 0;  ///< of its start
  nlp::Status status = nlp::Status::failed;
  std::string message;
  std::vector<double> start, theta;  ///< [parameters] on their scales; theta empty where there is no fit
  double value = 0;                  ///< at theta; NaN: none
  int iterations = 0;
  std::size_t evaluations = 0, redrawn = 0;  ///< simulations; starts before this one that could not be simulated
  double seconds = 0;
};
bool is_good(const SearchFit& fit);  ///< has a value, and the engine ended at a solution

/// A fit as one line of JSON without its end, every number to the last bit; and back. False: not such a line.
std::string line_of(const SearchFit& fit);
bool read_line(const std::string& line, SearchFit& fit);

/// What a journal belongs to. A search goes on only with an equal one.
struct SearchKey {
  std::string name;     ///< of the model, for messages
  std::string problem;  ///< digest of everything that the fits depend on
  std::uint64_t seed = 1;
  std::size_t starts = 0;
  std::vector<std::string> parameters;
};

/// The finished starts of a search on disk: a line of JSON for what it belongs to, then one for each start, appended by one
/// write and synced before the next is begun: kill -9 loses no finished start, and a line that was cut off by a power
/// failure is dropped when the journal is opened again.
class Journal {
 public:
  Journal() = default;
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Opens or creates; reads what is there into `fits`. Empty, or what is wrong: another problem, other options, a process
  /// that uses it, no journal, no right to write.
  std::string open(const std::string& path, const SearchKey& key, std::vector<SearchFit>& fits);
  /// Empty, or what went wrong.
  std::string append(const SearchFit& fit);
  bool is_open() const { return file_ >= 0; }

 private:
  std::string write_line(const std::string& line);
  std::string read_all(const SearchKey& key, std::vector<SearchFit>& fits);

  std::string path_;
  int file_ = -1;
};

}  // namespace bolza::estimate
