// SPDX-License-Identifier: Apache-2.0
#include "server/database/pool.h"

namespace bolza::server {

std::unique_ptr<Database> DatabasePool::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !free_.empty() || open_ < most_; });
  if (!free_.empty()) {
    std::unique_ptr<Database> database = std::move(free_.back());
    free_.pop_back();
    return database;
  }
  ++open_;
  lock.unlock();
  try {
    return open_database(address_);
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

void DatabasePool::give_back(std::unique_ptr<Database> database) {
  bool is_good = database && !database->is_broken();
  std::lock_guard lock(mutex_);
  if (is_good) free_.push_back(std::move(database));
  else --open_;
  changed_.notify_one();
}

}  // namespace bolza::server
