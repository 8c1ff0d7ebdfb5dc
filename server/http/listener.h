// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "server/http/exchange.h"

namespace bolza::server {

struct ListenerSettings {
  std::string host;
  int port = 0;               ///< 0: a free one
  std::size_t most_body = 0;  ///< bytes
  std::string certificate, key;
  bool behind_proxy = false;
};

/// HTTP/1.1 by cpp-httplib. A question is answered by one function, on one of many threads; bodies that are too long, come
/// too slowly, or wait while all threads are taken, are refused here.
class Listener {
 public:
  Listener(const ListenerSettings& settings, std::function<Answer(const Question&)> answer);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// The port; 0 when it cannot be had.
  int bind();
  /// Until `stop` is called.
  void run();
  void stop();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace bolza::server
