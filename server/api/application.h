// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <semaphore>
#include <span>

#include "server/database/pool.h"
#include "server/entry.h"
#include "server/http/exchange.h"
#include "server/program/program.h"
#include "server/store/accounts.h"

namespace bolza::server {

struct Call;

/// A route: what is asked for and who may ask.
enum class Access { anyone, known, known_or_anonymous, writer, admin };
struct Route {
  std::string_view method, pattern;  ///< "/api/v1/jobs/{id}"
  Access access;
  Answer (*answer)(const Call&);
};

/// What all questions share.
struct Application {
  explicit Application(const ServeRequest& request);

  ServeRequest settings;
  DatabasePool pool;
  nlohmann::json methods;  ///< of `bolza methods --json`
  JobOptions options;
  std::string version;
  std::string address;                         ///< as users write it, without a slash at the end
  std::string page_folder;                     ///< with what the page is made of
  std::vector<std::span<const Route>> routes;  ///< in the order in which they are looked at
  std::atomic<bool> is_stopping = false;
  std::counting_semaphore<8> checks{2};         ///< models that are checked at a time
  std::counting_semaphore<1024> watchers{240};  ///< readers of events, each of whom has a thread of the listener's 320
  std::mutex mutex;
  std::map<int, std::uint64_t> answers;  ///< by status, under the mutex

  bool is_secure() const { return address.starts_with("https://"); }
};

/// Who asks.
struct Visitor {
  enum class Way { nobody, session, token };
  Way way = Way::nobody;
  AccountRecord account;      ///< of a session or a token
  std::string csrf, session;  ///< of a session
  std::string scope;          ///< of a token

  bool is_known() const { return way != Way::nobody; }
  bool may_write() const { return way == Way::session || (way == Way::token && scope == "write"); }
  bool is_admin() const { return is_known() && account.is_admin() && may_write(); }
};

/// One question with its asker.
struct Call {
  Application& application;
  const Question& question;
  Visitor visitor;
};

inline constexpr int accepted = 202, see_other = 303, bad_question = 400, unknown_visitor = 401, forbidden = 403,
                     not_found = 404, wrong_method = 405, conflict = 409, too_large = 413, unprocessable = 422,
                     too_many = 429, unavailable = 503;

Answer json_answer(const nlohmann::json& body, int status = 200);
/// {"error": why}
Answer refusal(int status, const std::string& why);
/// The body as an object; absent where it is none, or nests too deeply.
std::optional<nlohmann::json> object_of(const std::string& body);
/// A member that is text; absent where there is another.
std::optional<std::string> text_member(const nlohmann::json& object, const std::string& name, const std::string& otherwise);

std::span<const Route> job_routes();
std::span<const Route> account_routes();
std::span<const Route> status_routes();

/// The only way in.
Answer answer_question(Application& application, const Question& question);

/// Where the program's own files lie: share/bolza/NAME, or NAME in the source tree. "" where there is none.
std::string shared_folder(const std::string& name);
std::string text_of_file(const std::string& file);

}  // namespace bolza::server
