// SPDX-License-Identifier: Apache-2.0
// What libbolza_server.so offers the program, which opens it for these commands alone.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bolza::server {

/// Options of commands that name files which a job has with it; others that name files are none of jobs.
inline constexpr std::array<std::string_view, 6> options_of_files{"data",      "parameters", "conditions",
                                                                  "scenarios", "init-from",  "input"};

/// What one job may take.
struct JobLimits {
  double seconds = 600;
  double megabytes = 2000;        ///< of memory
  double result_megabytes = 256;  ///< of all its outputs together
};

struct WorkRequest {
  std::string database;
  JobLimits limits;
  double lease_seconds = 30;    ///< without a word from a worker, after which others take its job
  std::string cache;            ///< folder with compiled kernels, of each account apart; "" none are kept
  bool sandbox = true;          ///< false: the container that runs it is the wall
  std::uint64_t most_jobs = 0;  ///< ends after so many; 0: never
};

struct ServeRequest {
  WorkRequest work;
  std::string host = "127.0.0.1";
  int port = 8080;   ///< 0: any free one, which is printed
  int workers = -1;  ///< processes that it starts; -1: one less than processors, at least one
  bool open_registration = false, anonymous = false;
  std::string invite;               ///< user or admin: print a link for an account, and end; "": serve
  std::string public_address;       ///< as users write it, https://bolza.example; "": http://host:port
  std::string certificate, key;     ///< TLS; "": none
  std::int64_t most_queued = 1000;  ///< jobs that wait; 503 beyond
  std::int64_t account_jobs = 50, account_seconds = 0, account_megabytes = 1000;  ///< quota of an account, 0: none
  double most_body_megabytes = 32;
  bool behind_proxy = false;  ///< X-Forwarded-For says who asks
};

/// A job that is sent to a server: the command line's, with the texts of the files that it names.
struct RemoteRequest {
  std::string server, token, command, model, class_name;
  std::vector<std::pair<std::string, std::string>> options;  ///< in the order given, names without dashes
  std::map<std::string, std::string> files;                  ///< local file by the name that it has in the job
  std::map<std::string, std::string> outputs;                ///< local file by result name: result.mat, …
  bool json = false, quiet = false;
};

struct RemoteJobsRequest {
  std::string server, token, action = "list", job;
  std::map<std::string, std::string> outputs;
  bool json = false;
};

struct ServerLibrary {
  int version;
  /// Exit codes of commands. They print what is wrong.
  int (*serve)(const ServeRequest&);
  int (*work)(const WorkRequest&);
  int (*run_remotely)(const RemoteRequest&);
  int (*remote_jobs)(const RemoteJobsRequest&);
};
inline constexpr int server_library_version = 2;

}  // namespace bolza::server

extern "C" const bolza::server::ServerLibrary* bolza_server_library();
