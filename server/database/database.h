// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bolza::server {

/// The database did not do what it was asked: it is away, full, locked for too long, or a constraint does not hold.
class DatabaseFault : public std::runtime_error {
 public:
  explicit DatabaseFault(const std::string& what, bool is_conflict = false)
      : std::runtime_error(what),
        is_conflict_(is_conflict) {}
  /// A value that must be unique is there already.
  bool is_conflict() const { return is_conflict_; }

 private:
  bool is_conflict_;
};

/// Bytes that are no text.
struct Blob {
  std::string bytes;
};
using SqlValue = std::variant<std::nullptr_t, std::int64_t, double, std::string, Blob>;

/// What a query gave. Values are text or bytes, absent where they are NULL; numbers are converted when they are asked for.
class SqlRows {
 public:
  std::vector<std::string> names;
  std::vector<std::vector<std::optional<std::string>>> rows;
  std::size_t changed = 0;  ///< rows that an UPDATE, INSERT or DELETE changed

  bool empty() const { return rows.empty(); }
  std::size_t size() const { return rows.size(); }
  /// Requires a column of this name.
  const std::optional<std::string>& at(std::size_t row, std::string_view name) const;
  std::string text(std::size_t row, std::string_view name) const;  ///< "" where it is NULL
  std::int64_t integer(std::size_t row, std::string_view name) const;
  double number(std::size_t row, std::string_view name) const;
};

/// A connection; used by one thread at a time. Statements are written once for both databases: parameters are $1, $2, …;
/// {now} is the time of the database in seconds since 1970, {bytes} its type of bytes, {skip_locked} what lets two that take
/// from a queue pass each other, where the database has that.
class Database {
 public:
  virtual ~Database() = default;
  /// Errors: DatabaseFault.
  virtual SqlRows run(std::string_view sql, const std::vector<SqlValue>& values = {}) = 0;
  virtual void begin() = 0;
  virtual void commit() = 0;
  virtual void roll_back() noexcept = 0;
  /// Waits until somebody calls `notify` on this database, for so many seconds at most. True: it may be that somebody did.
  virtual bool wait(double seconds) = 0;
  virtual void notify() = 0;
  /// Nothing can be asked through it any more.
  virtual bool is_broken() const = 0;
  /// Held until the connection is closed or `unlock` is called: one process at a time changes the schema.
  virtual void lock_schema() = 0;
  virtual void unlock_schema() = 0;
};

/// All or nothing: what is not committed when it ends is undone.
class SqlTransaction {
 public:
  explicit SqlTransaction(Database& database) : database_(database) { database_.begin(); }
  ~SqlTransaction() {
    if (!is_over_) database_.roll_back();
  }
  SqlTransaction(const SqlTransaction&) = delete;
  SqlTransaction& operator=(const SqlTransaction&) = delete;
  void commit() {
    database_.commit();
    is_over_ = true;
  }

 private:
  Database& database_;
  bool is_over_ = false;
};

/// @param address  a file of SQLite, or postgresql://…  Errors: DatabaseFault.
std::unique_ptr<Database> open_database(const std::string& address);
bool is_postgresql(std::string_view address);

std::unique_ptr<Database> open_sqlite(const std::string& file);
/// Errors: DatabaseFault, also where Bolza was built without libpq.
std::unique_ptr<Database> open_postgresql(const std::string& address);

/// The tokens in braces replaced.
std::string in_dialect(std::string_view sql, std::string_view now, std::string_view bytes, std::string_view skip_locked);

}  // namespace bolza::server
