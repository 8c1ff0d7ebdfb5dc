// SPDX-License-Identifier: Apache-2.0
// Tasks in processes of their own: what they say, who waits for whom, and what an interrupt leaves.
#include "base/processes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <map>
#include <new>
#include <utility>
#include <vector>

namespace bolza {
namespace {

/// A number that all processes see.
class SharedCount {
 public:
  SharedCount() {
    void* place = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count_ = new (place) std::atomic<int>(0);
  }
  ~SharedCount() { munmap(count_, sizeof(std::atomic<int>)); }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;
  std::atomic<int>& operator*() const { return *count_; }

 private:
  std::atomic<int>* count_;
};

NextTask numbers_up_to(std::size_t n, std::size_t& next) {
  return [&next, n] { return next < n ? std::optional(next++) : std::nullopt; };
}

TEST(Processes, keep_the_last_that_a_task_printed) {
  std::map<std::size_t, TaskOutcome> outcomes;
  std::size_t next = 0;
  auto task = [](std::size_t number, const TaskVoice&) {
    std::fprintf(stderr, "task %zu was here\n", number);
    std::fflush(stderr);
    if (number == 1) raise(SIGILL);
    return std::to_string(number);
  };
  EXPECT_TRUE(run_in_processes(numbers_up_to(3, next), {.jobs = 2, .keeps_what_is_said = true}, task,
                               [&](std::size_t number, const TaskOutcome& outcome) { outcomes[number] = outcome; }));
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(outcomes[2].text, "2");
  EXPECT_EQ(outcomes[1].kind, TaskOutcome::Kind::crashed);
  EXPECT_EQ(outcomes[1].text, "signal 4");
  EXPECT_EQ(outcomes[1].said, "task 1 was here");
}

TEST(Processes, wait_for_the_first_one_until_it_says_that_it_is_ready) {
  SharedCount begun;
  std::size_t next = 0;
  std::map<std::size_t, std::string> texts;
  auto task = [&](std::size_t number, const TaskVoice& voice) {
    int place = ++*begun;
    if (number > 0) return std::to_string(place);
    int alone = *begun;
    voice.ready();
    while (*begun < 4) {}  // with the others now, or it would wait for ever
    return std::to_string(alone);
  };
  EXPECT_TRUE(run_in_processes(numbers_up_to(4, next), {.jobs = 4, .first_alone = true}, task,
                               [&](std::size_t number, const TaskOutcome& outcome) { texts[number] = outcome.text; }));
  EXPECT_EQ(texts[0], "1");
  EXPECT_EQ(texts.size(), 4u);
}

TEST(Processes, let_what_is_under_way_end_after_an_interrupt) {
  volatile bool interrupt = false;
  std::size_t next = 0, finished = 0;
  SharedCount begun;
  auto task = [&](std::size_t number, const TaskVoice&) {
    ++*begun;
    while (number > 0 && *begun < 2) {}
    return std::string("done");
  };
  bool whole = run_in_processes(numbers_up_to(100, next), {.jobs = 2, .budget = Budget(&interrupt), .grace = 60}, task,
                                [&](std::size_t, const TaskOutcome& outcome) {
                                  interrupt = true;
                                  finished += outcome.kind == TaskOutcome::Kind::done;
                                });
  EXPECT_FALSE(whole);
  EXPECT_EQ(finished, static_cast<std::size_t>(*begun));  // none was ended
  EXPECT_LT(finished, 100u);
}

TEST(Processes, keep_the_parts_of_a_task_that_dies) {
  std::map<std::size_t, std::vector<std::string>> parts;
  std::map<std::size_t, TaskOutcome::Kind> ends;
  std::size_t next = 0;
  auto task = [](std::size_t number, const TaskVoice& voice) {
    for (std::size_t k = 0; k < 5; ++k) {
      if (number == 1 && k == 3) raise(SIGKILL);
      voice.part("part " + std::to_string(k) + std::string(100'000, 'x'));  // more than a pipe holds
    }
    return std::string("end");
  };
  EXPECT_TRUE(run_in_processes(
      numbers_up_to(3, next), {.jobs = 3}, task,
      [&](std::size_t number, const TaskOutcome& outcome) { ends[number] = outcome.kind; },
      [&](std::size_t number, const std::string& text) { parts[number].push_back(text.substr(0, 6)); }));
  EXPECT_EQ(parts[0], (std::vector<std::string>{"part 0", "part 1", "part 2", "part 3", "part 4"}));
  EXPECT_EQ(parts[1], (std::vector<std::string>{"part 0", "part 1", "part 2"}));
  EXPECT_EQ(parts[2].size(), 5u);
  EXPECT_EQ(ends[0], TaskOutcome::Kind::done);
  EXPECT_EQ(ends[1], TaskOutcome::Kind::crashed);
}

TEST(Processes, begin_a_task_once_another_has_made_it_possible) {
  std::vector<std::size_t> order;
  std::optional<std::size_t> waiting = 0;
  NextTask next = [&] { return std::exchange(waiting, std::nullopt); };
  auto task = [](std::size_t number, const TaskVoice&) { return std::to_string(number); };
  EXPECT_TRUE(run_in_processes(next, {.jobs = 2}, task, [&](std::size_t number, const TaskOutcome&) {
    order.push_back(number);
    if (number < 3) waiting = number + 1;
  }));
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace bolza
