// SPDX-License-Identifier: Apache-2.0
#include "server/library/serve.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>

#include "base/printable.h"
#include "server/api/application.h"
#include "server/database/migrations.h"
#include "server/http/listener.h"
#include "server/page/page.h"

namespace bolza::server {
namespace {

constexpr int serving_failed = 2;
constexpr double million_bytes = 1e6;
constexpr int most_arenas = 4;  // of malloc, which would give one to each of hundreds of threads, and none back

std::vector<std::string> words_of_worker(const WorkRequest& work) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe"),
                                 "worker",
                                 "--job-time=" + std::to_string(work.limits.seconds),
                                 "--job-memory=" + std::to_string(work.limits.megabytes),
                                 "--job-results=" + std::to_string(work.limits.result_megabytes),
                                 "--lease=" + std::to_string(work.lease_seconds)};
  if (!work.cache.empty()) words.push_back("--job-cache=" + work.cache);
  if (!work.sandbox) words.emplace_back("--without-sandbox");
  return words;
}

/// Processes `bolza worker` that end with this one; SIGTERM lets each hand back its job.
class Workers {
 public:
  Workers(const WorkRequest& work, int count) : words_(words_of_worker(work)), database_(work.database) {
    for (int k = 0; k < count; ++k) pids_.push_back(start());
  }
  /// Starts those again that have ended.
  void look() {
    for (pid_t& pid : pids_)
      if (pid <= 0 || waitpid(pid, nullptr, WNOHANG) == pid) pid = start();
  }
  void end() {
    for (pid_t pid : pids_)
      if (pid > 0) kill(pid, SIGTERM);
    for (pid_t pid : pids_)
      while (pid > 0 && waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
  }

 private:
  pid_t start() const {
    pid_t parent = getpid(), pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setenv("BOLZA_DATABASE", database_.c_str(), /*replace=*/1);  // whose password is in no list of processes
    if (getppid() != parent) _exit(serving_failed);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    closefrom(3);
    std::vector<char*> pointers;
    for (const std::string& word : words_) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(serving_failed);
  }
  std::vector<std::string> words_;
  std::string database_;
  std::vector<pid_t> pids_;
};

std::string address_of(const ServeRequest& request, int port) {
  if (!request.public_address.empty()) {
    std::string address = request.public_address;
    while (address.ends_with('/')) address.pop_back();
    return address;
  }
  return (request.certificate.empty() ? "http://" : "https://") + request.host + ":" + std::to_string(port);
}

/// Where nobody has an account yet, a link with which the first is opened, an administrator's.
void print_first_steps(Application& application) {
  std::printf("bolza serve: %s\n", printable(application.address).c_str());
  application.pool.with([&](Database& d) {
    if (count_accounts(d) == 0)
      std::printf("  the first account, an administrator's: %s/register?invitation=%s\n",
                  printable(application.address).c_str(), add_invitation(d, "admin").c_str());
  });
  std::fflush(stdout);
}

/// For who is locked out: whoever may open the database may make an administrator.
int print_invitation(Application& application) {
  std::string secret = application.pool.with([&](Database& d) { return add_invitation(d, application.settings.invite); });
  std::printf("%s/register?invitation=%s\n", printable(application.address).c_str(), secret.c_str());
  return 0;
}

int workers_of(const ServeRequest& request) {
  if (request.workers >= 0) return request.workers;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

/// Signals are taken by the thread that waits for them, whatever thread they come to.
sigset_t blocked_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return set;
}

void serve_until_signal(Application& application, Listener& listener, const sigset_t& signals) {
  Workers workers(application.settings.work, workers_of(application.settings));
  std::thread listening([&] { listener.run(); });
  constexpr timespec second{1, 0};
  while (sigtimedwait(&signals, nullptr, &second) < 0) workers.look();
  application.is_stopping = true;
  listener.stop();
  listening.join();
  workers.end();
}

}  // namespace

int serve(const ServeRequest& request) try {
  sigset_t signals = blocked_signals();
  mallopt(M_ARENA_MAX, most_arenas);
  Application application(request);
  application.pool.with([](Database& d) { migrate(d); });
  application.address = address_of(request, request.port);
  if (!request.invite.empty()) return print_invitation(application);
  application.routes = {job_routes(), account_routes(), status_routes()};
  for (std::span<const Route> table : page_routes()) application.routes.push_back(table);
  ListenerSettings settings{.host = request.host,
                            .port = request.port,
                            .most_body = static_cast<std::size_t>(million_bytes * request.most_body_megabytes),
                            .certificate = request.certificate,
                            .key = request.key,
                            .behind_proxy = request.behind_proxy};
  Listener listener(settings, [&](const Question& question) { return answer_question(application, question); });
  int port = listener.bind();
  if (port == 0) {
    std::fprintf(stderr, "bolza serve: %s:%d cannot be listened to\n", printable(request.host).c_str(), request.port);
    return serving_failed;
  }
  application.address = address_of(request, port);
  print_first_steps(application);
  serve_until_signal(application, listener, signals);
  return 0;
} catch (const DatabaseFault& fault) {
  std::fprintf(stderr, "bolza serve: %s\n", printable(fault.what()).c_str());
  return serving_failed;
}

}  // namespace bolza::server
