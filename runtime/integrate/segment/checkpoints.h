// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "runtime/integrate/method_options.h"

namespace bolza::integrate {

/// The lengths and orders of the steps of a run; equal ones in a row take the room of one.
class StepLengths {
 public:
  struct Step {
    double length = 0;
    int order = 0;
    friend bool operator==(const Step&, const Step&) = default;
  };
  void clear() {
    rows_.clear();
    size_ = 0;
  }
  void push_back(Step step);
  std::size_t size() const { return size_; }
  /// Cost: logarithmic in the number of changes.
  Step operator[](std::size_t k) const;

 private:
  struct Row {
    std::size_t first;
    Step step;
  };
  std::vector<Row> rows_;
  std::size_t size_ = 0;
};

/// What a run needs to go on from some of its steps, as numbers: in memory, or in a temporary file that has no name, so that
/// it is gone whichever way the program ends.
///
/// A run of unknown length: when there are more checkpoints than steps between two of them every second one is dropped, so
/// that between two of them lie √N to 2√N steps of N. With a given spacing (option checkpoint_steps) none is dropped.
class Checkpoints {
 public:
  explicit Checkpoints(const MethodOptions& options);

  void clear();
  /// Is one to be made before this step? Steps count from 0.
  bool due(std::size_t step) const { return step % spacing_ == 0; }
  /// Steps ascend. Others may be dropped. False: there is no room on the disk.
  bool add(std::size_t step, std::span<const double> values);
  std::size_t count() const { return places_.size(); }
  std::size_t step(std::size_t k) const { return places_[k].step; }
  bool has(std::size_t step) const;
  bool set(std::size_t k, std::span<const double> values);
  bool get(std::size_t k, std::vector<double>& values) const;

  /// Only checkpoints are kept from the start, or when a record has become as large as this many bytes.
  bool wanted() const { return given_; }
  std::size_t allowance() const { return allowance_; }

 private:
  struct Place {
    std::size_t step = 0;
    std::vector<double> values;    // in memory
    long offset = -1, length = 0;  // in the file, numbers
  };
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::vector<Place> places_;
  std::unique_ptr<std::FILE, Close> file_;
  long end_ = 0;
  bool on_disk_, given_;
  std::size_t spacing_, first_spacing_, allowance_;
};

}  // namespace bolza::integrate
