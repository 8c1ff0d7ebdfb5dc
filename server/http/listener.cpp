// SPDX-License-Identifier: Apache-2.0
#include "server/http/listener.h"

#include <httplib.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

#include "base/clock.h"

namespace bolza::server {
namespace {

constexpr std::size_t threads = 320, most_waiting = 640, longest_path = 2048, few_free = 16;
constexpr double seconds_for_a_body = 60;
constexpr std::chrono::milliseconds between_looks{250};
constexpr int bad_request = 400, no_such_page = 404, too_slow = 408, too_long = 413, busy = 503;

thread_local bool is_overloaded = false;

/// Connections wait in a line of bounded length; those beyond it are told so at once.
class BoundedThreads final : public httplib::TaskQueue {
 public:
  BoundedThreads() {
    for (std::size_t k = 0; k < threads; ++k) threads_.emplace_back([this] { serve(); });
  }
  void enqueue(std::function<void()> connection) override {
    std::lock_guard lock(mutex_);
    if (waiting_.size() >= most_waiting) return;  // closed unanswered: there is not even room to say no
    waiting_.push_back(std::move(connection));
    changed_.notify_one();
  }
  void shutdown() override {
    {
      std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  /// The last few free threads say no, so that somebody always does.
  void serve() {
    for (;;) {
      std::function<void()> connection;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        connection = std::move(waiting_.front());
        waiting_.pop_front();
        is_overloaded = ++busy_ + few_free > threads;
      }
      connection();
      std::lock_guard lock(mutex_);
      --busy_;
    }
  }
  std::vector<std::thread> threads_;
  std::deque<std::function<void()>> waiting_;
  std::size_t busy_ = 0;
  bool is_over_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

std::string lower_case_of(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::map<std::string, std::string> cookies_of(const std::string& header) {
  std::map<std::string, std::string> cookies;
  std::istringstream parts(header);
  for (std::string part; std::getline(parts, part, ';');) {
    part.erase(0, part.find_first_not_of(' '));
    std::size_t equals = part.find('=');
    if (equals != std::string::npos) cookies[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return cookies;
}

Question question_of(const httplib::Request& request, bool behind_proxy) {
  Question question{.method = request.method, .path = request.path, .body = {}, .address = request.remote_addr};
  for (const auto& [name, value] : request.headers) question.headers[lower_case_of(name)] = value;
  for (const auto& [name, value] : request.params) question.query[name] = value;
  question.cookies = cookies_of(question.header("cookie"));
  if (std::string from = question.header("x-forwarded-for"); behind_proxy && !from.empty())
    question.address = from.substr(from.rfind(',') == std::string::npos ? 0 : from.rfind(',') + 1);
  question.address.erase(0, question.address.find_first_not_of(' '));
  return question;
}

void send(Answer answer, httplib::Response& response) {
  response.status = answer.status;
  for (const auto& [name, value] : answer.headers) response.headers.emplace(name, value);
  if (!answer.more) {
    response.set_content(answer.body, answer.type);
    return;
  }
  auto first = std::make_shared<std::string>(std::move(answer.body));
  response.set_chunked_content_provider(
      answer.type, [first, more = std::move(answer.more)](std::size_t, httplib::DataSink& sink) {
        std::optional<std::string> text = first->empty() ? more() : std::exchange(*first, "");
        if (!text) {
          sink.done();
          return true;
        }
        if (text->empty()) std::this_thread::sleep_for(between_looks);
        else return sink.write(text->data(), text->size());
        return sink.is_writable();
      });
}

Answer refuse_exchange(int status, const char* why) {
  return {.status = status,
          .type = "application/json",
          .body = std::string("{\"error\": \"") + why + "\"}\n",
          .headers = {},
          .more = {}};
}

}  // namespace

class Listener::Server {
 public:
  Server(const ListenerSettings& settings, std::function<Answer(const Question&)> answer)
      : settings_(settings),
        answer_(std::move(answer)) {
    if (settings.certificate.empty()) http_ = std::make_unique<httplib::Server>();
    else http_ = std::make_unique<httplib::SSLServer>(settings.certificate.c_str(), settings.key.c_str());
    http_->new_task_queue = [] { return new BoundedThreads; };
    http_->set_payload_max_length(settings.most_body);
    http_->set_tcp_nodelay(/*on=*/true);
    http_->set_keep_alive_max_count(1);  // nothing that is left of a question can be taken for the next one
    route();
  }

  int bind() {
    if (!http_->is_valid()) return 0;
    if (settings_.port == 0) return std::max(0, http_->bind_to_any_port(settings_.host));
    return http_->bind_to_port(settings_.host, settings_.port) ? settings_.port : 0;
  }
  void run() { http_->listen_after_bind(); }
  void stop() { http_->stop(); }

 private:
  void route() {
    http_->set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      using Response = httplib::Server::HandlerResponse;
      bool has_body = request.method == "POST" || request.method == "PATCH" || request.method == "PUT";
      if (is_overloaded) send(refuse_exchange(busy, "the server has as many connections as it can take"), response);
      else if (request.path.size() > longest_path) send(refuse_exchange(no_such_page, "there is no such page"), response);
      else if (has_body) return Response::Unhandled;
      else answer(question_of(request, settings_.behind_proxy), response);
      return Response::Handled;
    });
    auto with_body = [this](const httplib::Request& request, httplib::Response& response,
                            const httplib::ContentReader& reader) { read_and_answer(request, response, reader); };
    http_->Post("/.*", with_body);
    http_->Patch("/.*", with_body);
    http_->Put("/.*", with_body);
    http_->set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
      send(refuse_exchange(busy, "the server could not answer"), response);
    });
  }

  void read_and_answer(const httplib::Request& request, httplib::Response& response, const httplib::ContentReader& reader) {
    Question question = question_of(request, settings_.behind_proxy);
    auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_for_a_body));
    int refused = 0;
    bool is_multipart = request.is_multipart_form_data();
    bool is_read = !is_multipart && reader([&](const char* data, std::size_t size) {
      if (question.body.size() + size > settings_.most_body) refused = too_long;
      else if (Clock::now() > due) refused = too_slow;
      else question.body.append(data, size);
      return refused == 0;
    });
    if (is_multipart) refused = bad_request;
    if (!is_read && refused == 0) refused = response.status == too_long ? too_long : bad_request;
    if (refused == 0) {
      answer(question, response);
      return;
    }
    send(refuse_exchange(refused, refused == too_long   ? "the body is too long"
                                  : refused == too_slow ? "the body came too slowly"
                                                        : "the body cannot be read"),
         response);
  }

  void answer(const Question& question, httplib::Response& response) { send(answer_(question), response); }

  ListenerSettings settings_;
  std::function<Answer(const Question&)> answer_;
  std::unique_ptr<httplib::Server> http_;
};

Listener::Listener(const ListenerSettings& settings, std::function<Answer(const Question&)> answer)
    : server_(std::make_unique<Server>(settings, std::move(answer))) {}
Listener::~Listener() = default;
int Listener::bind() { return server_->bind(); }
void Listener::run() { server_->run(); }
void Listener::stop() { server_->stop(); }

}  // namespace bolza::server
