// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>

#include "server/database/database.h"

namespace bolza::server {

/// Connections that threads take turns with. They are opened as they are needed, and again after the database was away.
class DatabasePool {
 public:
  DatabasePool(std::string address, std::size_t most) : address_(std::move(address)), most_(most) {}

  /// `work` with a connection, in a transaction where it makes one; waits for a free one. Errors: DatabaseFault.
  template <class Work>
  auto with(Work&& work) {
    Lent lent(*this);
    return std::forward<Work>(work)(*lent.database);
  }
  const std::string& address() const { return address_; }

 private:
  struct Lent {
    explicit Lent(DatabasePool& from) : pool(from), database(from.take()) {}
    ~Lent() { pool.give_back(std::move(database)); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    DatabasePool& pool;
    std::unique_ptr<Database> database;
  };
  std::unique_ptr<Database> take();
  void give_back(std::unique_ptr<Database> database);

  std::string address_;
  std::size_t most_, open_ = 0;
  std::vector<std::unique_ptr<Database>> free_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace bolza::server
