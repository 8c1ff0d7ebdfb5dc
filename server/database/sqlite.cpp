// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <thread>
#include <utility>

#include "server/database/database.h"

namespace bolza::server {
namespace {

constexpr int busy_milliseconds = 30'000;            // how long a writer waits for others
constexpr std::chrono::milliseconds look_again{50};  // for changes of others, who cannot call

struct Finalise {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteStatement = std::unique_ptr<sqlite3_stmt, Finalise>;

class SqliteDatabase final : public Database {
 public:
  explicit SqliteDatabase(const std::string& file);
  ~SqliteDatabase() override { sqlite3_close_v2(handle_); }
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  SqlRows run(std::string_view sql, const std::vector<SqlValue>& values) override;
  void begin() override { run("BEGIN IMMEDIATE", {}); }
  void commit() override { run("COMMIT", {}); }
  void roll_back() noexcept override { sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr); }
  bool wait(double seconds) override;
  void notify() override {}  // others look whether the file has changed
  bool is_broken() const override { return false; }
  void lock_schema() override { begin(); }
  void unlock_schema() override { commit(); }

 private:
  [[noreturn]] void fail() const;
  void bind(sqlite3_stmt* statement, int place, const SqlValue& value) const;
  std::int64_t data_version();

  sqlite3* handle_ = nullptr;
  std::int64_t seen_ = -1;  ///< version of the data when they were last waited for
};

void SqliteDatabase::fail() const {
  int code = sqlite3_extended_errcode(handle_);
  throw DatabaseFault(sqlite3_errmsg(handle_), code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY);
}

SqliteDatabase::SqliteDatabase(const std::string& file) {
  int made = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);  // accounts are nobody else's to read
  if (made >= 0) ::close(made);
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE;
  if (sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    std::string why = "`" + file + "`: " + (handle_ ? sqlite3_errmsg(handle_) : "there is no memory");
    sqlite3_close_v2(handle_);
    throw DatabaseFault(why);
  }
  sqlite3_busy_timeout(handle_, busy_milliseconds);
  for (const char* setting :
       {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON", "PRAGMA trusted_schema = OFF"})
    run(setting, {});
}

void SqliteDatabase::bind(sqlite3_stmt* statement, int place, const SqlValue& value) const {
  int code = SQLITE_OK;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) code = sqlite3_bind_int64(statement, place, *integer);
  else if (const auto* number = std::get_if<double>(&value)) code = sqlite3_bind_double(statement, place, *number);
  else if (const auto* text = std::get_if<std::string>(&value))
    code = sqlite3_bind_text64(statement, place, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  else if (const auto* blob = std::get_if<Blob>(&value))
    code = sqlite3_bind_blob64(statement, place, blob->bytes.data(), blob->bytes.size(), SQLITE_STATIC);
  else code = sqlite3_bind_null(statement, place);
  if (code != SQLITE_OK) fail();
}

std::string numbered_by_question_marks(std::string sql) {
  for (std::size_t at = 0; at + 1 < sql.size(); ++at)
    if (sql[at] == '$' && std::isdigit(static_cast<unsigned char>(sql[at + 1]))) sql[at] = '?';
  return sql;
}

std::optional<std::string> column_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_FLOAT: {
      std::array<char, 32> digits{};
      auto end = std::to_chars(digits.data(), digits.data() + digits.size(), sqlite3_column_double(statement, column)).ptr;
      return std::string(digits.data(), end);
    }
    default: {
      const void* bytes = sqlite3_column_blob(statement, column);
      auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return std::string(static_cast<const char*>(bytes), bytes ? size : 0);
    }
  }
}

SqlRows SqliteDatabase::run(std::string_view sql, const std::vector<SqlValue>& values) {
  std::string own = numbered_by_question_marks(
      in_dialect(sql, "((julianday('now') - 2440587.5) * 86400.0)", "BLOB", ""));  // 2440587.5: 1970-01-01 as a Julian day
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle_, own.c_str(), static_cast<int>(own.size()), &raw, nullptr) != SQLITE_OK) fail();
  SqliteStatement statement(raw);
  for (std::size_t k = 0; k < values.size(); ++k) bind(raw, static_cast<int>(k) + 1, values[k]);
  SqlRows out;
  int columns = sqlite3_column_count(raw);
  for (int c = 0; c < columns; ++c) out.names.emplace_back(sqlite3_column_name(raw, c));
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
    auto& row = out.rows.emplace_back();
    for (int c = 0; c < columns; ++c) row.push_back(column_of(raw, c));
  }
  if (code != SQLITE_DONE) fail();
  out.changed = static_cast<std::size_t>(sqlite3_changes64(handle_));
  return out;
}

std::int64_t SqliteDatabase::data_version() { return run("PRAGMA data_version", {}).integer(0, "data_version"); }

bool SqliteDatabase::wait(double seconds) {
  for (double waited = 0; waited < seconds; waited += std::chrono::duration<double>(look_again).count()) {
    std::int64_t version = data_version();
    if (std::exchange(seen_, version) != version) return true;
    std::this_thread::sleep_for(look_again);
  }
  return false;
}

}  // namespace

std::unique_ptr<Database> open_sqlite(const std::string& file) { return std::make_unique<SqliteDatabase>(file); }

}  // namespace bolza::server
