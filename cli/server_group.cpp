// SPDX-License-Identifier: Apache-2.0
#include "cli/server_group.h"

#include "cli/option_groups.h"

namespace bolza::cli {
namespace {

constexpr double most = 1e9;

void add_token_option(CLI::App& app, Arguments& a) {
  app.add_option("--token", a.remote.token, "of an account there [BOLZA_TOKEN]")->envname("BOLZA_TOKEN")->type_name("TOKEN");
}

void add_work(CLI::App& app, Arguments& a) {
  server::WorkRequest& work = a.serve.work;
  work.database = "bolza-server.sqlite";
  app.add_option("--database", work.database,
                 "a file of SQLite, or postgresql://USER:PASSWORD@HOST/NAME [BOLZA_DATABASE, bolza-server.sqlite]")
      ->envname("BOLZA_DATABASE")
      ->type_name("FILE|URL");
  app.add_option("--job-time", work.limits.seconds, "seconds that a job may take [600]")
      ->check(between(1, most, "a number of seconds of at least 1"))
      ->type_name("SECONDS");
  app.add_option("--job-memory", work.limits.megabytes, "megabytes of memory that a job may take [2000]")
      ->check(between(50, most, "a number of megabytes of at least 50"))
      ->type_name("MB");
  app.add_option("--job-results", work.limits.result_megabytes, "megabytes that the results of a job may take [256]")
      ->check(between(1, most, "a number of megabytes of at least 1"))
      ->type_name("MB");
  app.add_option("--lease", work.lease_seconds,
                 "seconds without a word from a worker after which its job goes back to the queue [30]")
      ->check(between(1, most, "a number of seconds of at least 1"))
      ->type_name("SECONDS");
  app.add_option("--job-cache", work.cache,
                 "folder for compiled kernels, which each account's jobs share among themselves [every job compiles]")
      ->type_name("FOLDER");
  app.add_flag_callback(
      "--without-sandbox", [&work] { work.sandbox = false; },
      "run jobs outside bubblewrap: where a container is the wall, which forbids namespaces");
}

void add_limits_of_accounts(CLI::App& app, server::ServeRequest& serve) {
  app.add_option("--most-queued", serve.most_queued, "jobs that may wait, of all accounts; 0: no limit [1000]")
      ->type_name("N");
  app.add_option("--account-jobs", serve.account_jobs, "jobs of an account that may wait or run; 0: no limit [50]")
      ->type_name("N");
  app.add_option("--account-seconds", serve.account_seconds,
                 "seconds of computing of an account within 30 days; 0: no limit [0]")
      ->type_name("SECONDS");
  app.add_option("--account-megabytes", serve.account_megabytes, "megabytes kept for an account; 0: no limit [1000]")
      ->type_name("MB");
  app.add_option("--most-body", serve.most_body_megabytes, "megabytes of a job that is sent [32]")
      ->check(between(1e-3, most, "a number of megabytes"))
      ->type_name("MB");
}

}  // namespace

void add_serve(CLI::App& app, Arguments& a) {
  constexpr int most_ports = 65535, most_workers = 1024;
  server::ServeRequest& serve = a.serve;
  add_work(app, a);
  app.add_option("--host", serve.host, "address that is listened to; 0.0.0.0: of all networks [127.0.0.1]")
      ->type_name("ADDRESS");
  app.add_option("--port", serve.port, "0: any free one, which is printed [8080]")->check(CLI::Range(0, most_ports));
  app.add_option("--workers", serve.workers, "processes that run jobs; 0: `bolza worker` does [processors - 1, at least 1]")
      ->check(CLI::Range(0, most_workers))
      ->type_name("N");
  app.add_flag("--open-registration", serve.open_registration, "everybody may open an account; else by invitation");
  app.add_option("--invite", serve.invite, "print a link for an account of this role, and end")
      ->check(CLI::IsMember({"user", "admin"}));
  app.add_flag("--anonymous", serve.anonymous, "jobs without an account, seen by who knows their id and secret");
  app.add_option("--public-address", serve.public_address, "as users write it, https://bolza.example [http://HOST:PORT]")
      ->type_name("URL");
  app.add_option("--certificate", serve.certificate, "of TLS, with its chain; needs --key")->type_name("FILE.pem");
  app.add_option("--key", serve.key, "of the certificate; needs --certificate")->type_name("FILE.pem");
  app.add_flag("--behind-proxy", serve.behind_proxy, "the last address of X-Forwarded-For says who asks");
  add_limits_of_accounts(app, serve);
}

void add_worker(CLI::App& app, Arguments& a) {
  add_work(app, a);
  app.add_option("--most-jobs", a.serve.work.most_jobs, "end after so many [never]")->type_name("N");
}

void add_jobs(CLI::App& app, Arguments& a) {
  app.add_option("action", a.words, "list; show, cancel, get or verify, with the id of a job [list]")->expected(0, 2);
  app.add_option("--server", a.remote.server, "address of the server [BOLZA_SERVER]")
      ->envname("BOLZA_SERVER")
      ->required()
      ->type_name("URL");
  add_token_option(app, a);
  app.add_option("-o,--output", a.outputs.result, "get: the trajectory, .mat or .csv")->type_name("FILE");
  app.add_option("--report", a.outputs.page, "get: the page")->type_name("PAGE.html");
}

void add_remote(CLI::App& app, Arguments& a) {
  app.add_option("--server", a.remote.server, "run it there: the address of a `bolza serve`")->type_name("URL");
  add_token_option(app, a);
}

}  // namespace bolza::cli
