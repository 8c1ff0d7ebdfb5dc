// SPDX-License-Identifier: Apache-2.0
#include "server/worker/worker.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <thread>

#include "base/clock.h"
#include "base/printable.h"
#include "server/database/migrations.h"
#include "server/store/secrets.h"

namespace bolza::server {
namespace {

constexpr double heartbeats_a_lease = 6, seconds_of_rest = 2, seconds_of_waiting = 1, seconds_between_lines = 0.3;
constexpr double tries_to_store = 100;                             // of a result, while the database is away
constexpr std::int64_t all_lines = 1000, tenth_of_lines = 10'000;  // of progress

volatile std::sig_atomic_t is_to_end = 0;

double seconds_from(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

void rest() { std::this_thread::sleep_for(std::chrono::duration<double>(seconds_of_rest)); }

/// One of a long run in ten lines, or in a hundred.
bool is_kept(std::int64_t number) {
  return number <= all_lines || (number <= tenth_of_lines ? number % 10 == 0 : number % 100 == 0);
}

class Worker {
 public:
  explicit Worker(const WorkRequest& request)
      : request_(request),
        options_(ask_program({"completion", "bash", "--json"})),
        version_(version_of_program()),
        name_(random_id()) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    host_ = host.data();
  }

  void run() {
    for (std::uint64_t done = 0; !is_to_end && (request_.most_jobs == 0 || done < request_.most_jobs);) try {
        connect();
        report_worker(*database_, name_, host_);
        std::optional<JobRecord> job = claim_job(*database_, name_, request_.lease_seconds);
        if (job) {
          do_job(*job);
          ++done;
        } else {
          database_->wait(seconds_of_waiting);
        }
      } catch (const DatabaseFault& fault) {
        std::fprintf(stderr, "bolza worker: %s\n", printable(fault.what()).c_str());
        database_.reset();
        rest();
      }
    say_goodbye();
  }

 private:
  /// A database that is away forgets the worker by itself.
  void say_goodbye() try {
    if (database_) forget_worker(*database_, name_);
  } catch (const DatabaseFault& fault) {
    std::fprintf(stderr, "bolza worker: %s\n", printable(fault.what()).c_str());
  }

  void connect() {
    if (database_ && !database_->is_broken()) return;
    database_ = open_database(request_.database);
    migrate(*database_);
  }

  /// What was said since it was last stored; the lease goes on with it.
  struct Watch {
    std::vector<ProgressLineOfJob> lines;
    std::int64_t number = 0;
    Clock::time_point last = Clock::now();
    bool is_lost = false, is_cancelled = false;
  };

  /// True: the process is to end. A database that is away for a moment loses nothing: the lease may outlast it.
  bool look(const JobRecord& job, Watch& watch) {
    double waited = seconds_from(watch.last);
    bool is_due =
        waited > request_.lease_seconds / heartbeats_a_lease || (!watch.lines.empty() && waited > seconds_between_lines);
    if (!is_due) return is_to_end || watch.is_lost || watch.is_cancelled;
    watch.last = Clock::now();
    try {
      connect();
      Heartbeat beat = keep_job(*database_, job, request_.lease_seconds, watch.lines);
      watch.lines.clear();
      watch.is_lost = !beat.is_mine;
      watch.is_cancelled = beat.cancel_requested;
    } catch (const DatabaseFault&) {
      database_.reset();
    }
    return is_to_end || watch.is_lost || watch.is_cancelled;
  }

  std::string guess_of(const JobRequest& request) {
    if (request.start_from.empty()) return "";
    return result_of(*database_, request.start_from, "result.mat").value_or("");
  }

  void do_job(const JobRecord& job) {
    std::optional<JobRequest> request = request_of(*database_, job);
    if (!request) {
      store(job, {.state = "failed", .message = "what is kept of the job does not have the hash that was noted for it"});
      return;
    }
    std::string guess = guess_of(*request);
    Watch watch;
    auto line = [&](const std::string& text) {
      if (is_kept(++watch.number)) watch.lines.push_back({job.attempt, watch.number, text});
    };
    JobEnd end = run_job(*request, job.owner, options_, request_, guess, line, [&] { return look(job, watch); });
    end.version = version_;
    if (watch.is_lost) return;
    if (is_to_end && !watch.is_cancelled && end.state != "done") {
      release_job(*database_, job);
      return;
    }
    if (watch.is_cancelled) {
      end.state = "cancelled";
      end.message = "cancelled while it ran";
    }
    store(job, end, watch.lines);
  }

  /// Tries as long as the lease may hold, and longer: nobody else has the job unless he took it.
  void store(const JobRecord& job, const JobEnd& end, const std::vector<ProgressLineOfJob>& lines = {}) {
    for (int k = 0; k < tries_to_store; ++k) try {
        connect();
        keep_job(*database_, job, request_.lease_seconds, lines);
        finish_job(*database_, job, end);
        return;
      } catch (const DatabaseFault& fault) {
        std::fprintf(stderr, "bolza worker: %s\n", printable(fault.what()).c_str());
        database_.reset();
        rest();
      }
  }

  WorkRequest request_;
  JobOptions options_;
  std::string version_, name_, host_;
  std::unique_ptr<Database> database_;
};

}  // namespace

int work(const WorkRequest& request) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int) { is_to_end = 1; });
  std::signal(SIGPIPE, SIG_IGN);
  ScratchFolder::remove_left();
  Worker(request).run();
  return 0;
}

}  // namespace bolza::server
