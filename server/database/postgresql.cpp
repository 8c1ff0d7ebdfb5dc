// SPDX-License-Identifier: Apache-2.0
#include "server/database/database.h"

#ifdef BOLZA_POSTGRESQL
#include <libpq-fe.h>
#include <poll.h>

#include <array>
#include <charconv>
#include <cstring>
#include <utility>
#endif

namespace bolza::server {

#ifndef BOLZA_POSTGRESQL

std::unique_ptr<Database> open_postgresql(const std::string&) {
  throw DatabaseFault("Bolza was built without PostgreSQL (package libpq-dev)");
}

#else

namespace {

constexpr const char* channel = "bolza";
constexpr const char* schema_lock = "7227350091";  // any number that other programs on the database do not take
constexpr const char* unique_violation = "23505";  // of SQL's states

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PostgresResult = std::unique_ptr<PGresult, ClearResult>;

/// Values as libpq takes them: text, and bytes as they are.
struct PostgresValues {
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
  std::vector<int> lengths, formats;

  explicit PostgresValues(const std::vector<SqlValue>& values) {
    texts.reserve(values.size());
    for (const SqlValue& value : values) add(value);
  }

 private:
  void add(const SqlValue& value) {
    bool is_null = std::holds_alternative<std::nullptr_t>(value);
    bool is_blob = std::holds_alternative<Blob>(value);
    texts.push_back(text_of(value));
    pointers.push_back(is_null ? nullptr : texts.back().c_str());
    lengths.push_back(static_cast<int>(texts.back().size()));
    formats.push_back(is_blob ? 1 : 0);
  }
  static std::string text_of(const SqlValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* blob = std::get_if<Blob>(&value)) return blob->bytes;
    const auto* number = std::get_if<double>(&value);
    if (!number) return "";
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr};
  }
};

class PostgresDatabase final : public Database {
 public:
  explicit PostgresDatabase(const std::string& address) : handle_(PQconnectdb(address.c_str())) {
    if (PQstatus(handle_) != CONNECTION_OK) {
      std::string why = PQerrorMessage(handle_);
      PQfinish(handle_);
      throw DatabaseFault(why);
    }
    PQsetNoticeProcessor(handle_, [](void*, const char*) {}, nullptr);
  }
  ~PostgresDatabase() override { PQfinish(handle_); }
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  SqlRows run(std::string_view sql, const std::vector<SqlValue>& values) override;
  void begin() override { run("BEGIN", {}); }
  void commit() override { run("COMMIT", {}); }
  void roll_back() noexcept override { PQclear(PQexec(handle_, "ROLLBACK")); }
  bool wait(double seconds) override;
  void notify() override { run(std::string("NOTIFY ") + channel, {}); }
  bool is_broken() const override { return PQstatus(handle_) != CONNECTION_OK; }
  void lock_schema() override { run(std::string("SELECT pg_advisory_lock(") + schema_lock + ")", {}); }
  void unlock_schema() override { run(std::string("SELECT pg_advisory_unlock(") + schema_lock + ")", {}); }

 private:
  PGconn* handle_;
  bool listens_ = false;
};

std::optional<std::string> value_of(const PGresult* result, int row, int column) {
  constexpr Oid type_of_bytes = 17;  // bytea, which comes as hexadecimal text
  if (PQgetisnull(result, row, column)) return {};
  const char* text = PQgetvalue(result, row, column);
  if (PQftype(result, column) != type_of_bytes) return std::string(text);
  std::size_t size = 0;
  unsigned char* bytes = PQunescapeBytea(reinterpret_cast<const unsigned char*>(text), &size);
  std::string out(reinterpret_cast<const char*>(bytes), size);
  PQfreemem(bytes);
  return out;
}

SqlRows PostgresDatabase::run(std::string_view sql, const std::vector<SqlValue>& values) {
  std::string own =
      in_dialect(sql, "extract(epoch from clock_timestamp())::double precision", "BYTEA", "FOR UPDATE SKIP LOCKED");
  PostgresValues given(values);
  PostgresResult result(PQexecParams(handle_, own.c_str(), static_cast<int>(values.size()), nullptr, given.pointers.data(),
                                     given.lengths.data(), given.formats.data(), 0));
  ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    throw DatabaseFault(PQerrorMessage(handle_), state && std::strcmp(state, unique_violation) == 0);
  }
  SqlRows out;
  int columns = PQnfields(result.get()), rows = PQntuples(result.get());
  for (int c = 0; c < columns; ++c) out.names.emplace_back(PQfname(result.get(), c));
  for (int r = 0; r < rows; ++r) {
    auto& row = out.rows.emplace_back();
    for (int c = 0; c < columns; ++c) row.push_back(value_of(result.get(), r, c));
  }
  std::string changed = PQcmdTuples(result.get());
  out.changed = changed.empty() ? 0 : std::stoull(changed);
  return out;
}

bool PostgresDatabase::wait(double seconds) {
  if (!listens_) run(std::string("LISTEN ") + channel, {});
  bool is_first = !std::exchange(listens_, true);
  if (is_first) return true;  // what came before is not told
  auto called = [&] {
    bool any = false;
    while (PGnotify* call = PQnotifies(handle_)) {
      PQfreemem(call);
      any = true;
    }
    return any;
  };
  if (called()) return true;
  constexpr double milliseconds = 1000;
  pollfd socket{PQsocket(handle_), POLLIN, 0};
  if (poll(&socket, 1, static_cast<int>(milliseconds * seconds)) <= 0) return false;
  if (!PQconsumeInput(handle_)) throw DatabaseFault(PQerrorMessage(handle_));
  return called();
}

}  // namespace

std::unique_ptr<Database> open_postgresql(const std::string& address) { return std::make_unique<PostgresDatabase>(address); }

#endif

}  // namespace bolza::server
