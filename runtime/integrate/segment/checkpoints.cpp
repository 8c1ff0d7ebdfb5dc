// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/segment/checkpoints.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace bolza::integrate {
namespace {

constexpr std::size_t usual_checkpoint_steps = 32;
constexpr double megabytes = 64;

// Unlinked as soon as it is there.
std::FILE* nameless_file() {
  std::error_code missing;
  std::string name = (std::filesystem::temp_directory_path(missing) / "bolza-checkpoints-XXXXXX").string();
  if (missing) return nullptr;
  int handle = mkstemp(name.data());
  if (handle < 0) return nullptr;
  unlink(name.c_str());
  return fdopen(handle, "w+b");
}

}  // namespace

void StepLengths::push_back(Step step) {
  if (rows_.empty() || rows_.back().step != step) rows_.push_back({size_, step});
  ++size_;
}

StepLengths::Step StepLengths::operator[](std::size_t k) const {
  auto behind =
      std::upper_bound(rows_.begin(), rows_.end(), k, [](std::size_t at, const Row& row) { return at < row.first; });
  return (behind - 1)->step;
}

Checkpoints::Checkpoints(const MethodOptions& o)
    : on_disk_(o.checkpoint_storage == "disk"),
      given_(o.checkpoint_steps > 0),
      spacing_(given_ ? static_cast<std::size_t>(o.checkpoint_steps) : usual_checkpoint_steps),
      first_spacing_(spacing_),
      allowance_(static_cast<std::size_t>(1e6 * (o.checkpoint_memory > 0 ? o.checkpoint_memory : megabytes))) {}

void Checkpoints::clear() {
  places_.clear();
  file_.reset();
  end_ = 0;
  spacing_ = first_spacing_;
}

bool Checkpoints::add(std::size_t step, std::span<const double> values) {
  places_.emplace_back().step = step;
  if (!set(places_.size() - 1, values)) return false;
  if (given_ || places_.size() <= spacing_) return true;
  spacing_ *= 2;
  std::erase_if(places_, [&](const Place& p) { return p.step % spacing_ != 0; });
  return true;
}

bool Checkpoints::has(std::size_t step) const {
  auto at = std::lower_bound(places_.begin(), places_.end(), step, [](const Place& p, std::size_t s) { return p.step < s; });
  return at != places_.end() && at->step == step;
}

bool Checkpoints::set(std::size_t k, std::span<const double> values) {
  Place& p = places_[k];
  if (!on_disk_) {
    p.values.assign(values.begin(), values.end());
    return true;
  }
  if (!file_) file_.reset(nameless_file());
  if (!file_) return false;
  long length = static_cast<long>(values.size());
  if (p.offset < 0 || length > p.length) {
    p.offset = end_;
    end_ += length * static_cast<long>(sizeof(double));
  }
  p.length = length;
  return std::fseek(file_.get(), p.offset, SEEK_SET) == 0 &&
         std::fwrite(values.data(), sizeof(double), values.size(), file_.get()) == values.size();
}

bool Checkpoints::get(std::size_t k, std::vector<double>& values) const {
  const Place& p = places_[k];
  if (!on_disk_) {
    values = p.values;
    return true;
  }
  values.resize(static_cast<std::size_t>(p.length));
  return std::fseek(file_.get(), p.offset, SEEK_SET) == 0 &&
         std::fread(values.data(), sizeof(double), values.size(), file_.get()) == values.size();
}

}  // namespace bolza::integrate
