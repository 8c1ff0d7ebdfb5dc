// SPDX-License-Identifier: Apache-2.0
// Many starts: shares that are known, journals, processes that crash, hang or are killed.
#include "runtime/estimate/search/multi_start.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "tests/unit/estimate/search/objectives.h"

namespace bolza::estimate::testing {
namespace {

SearchOptions valley_options(std::size_t starts, std::size_t jobs = 0) {
  return {.starts = starts,
          .seed = 7,
          .jobs = jobs,
          .name = "Valleys",
          .problem = "digest",
          .parameters = {"x"},
          .engine = trust_region()};
}

/// A file of its own for every test.
std::string journal_file() {
  auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  auto path =
      std::filesystem::temp_directory_path() / ("bolza_" + std::string(test->name()) + std::to_string(getpid()) + ".jsonl");
  std::filesystem::remove(path);
  return path.string();
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// What must be equal however a search was run.
std::string figures_of(const SearchResult& result) {
  std::string text;
  for (SearchFit fit : result.fits) fit.seconds = 0, text += line_of(fit) + "\n";
  return text;
}

TEST(LatinHypercube, takes_every_slice_of_every_parameter_once) {
  auto points = latin_hypercube({{0, 1}, {-3, 5}, {-INFINITY, INFINITY, true, 2, 3}}, 40, 11);
  std::set<int> first, second, third;
  for (const auto& p : points) {
    first.insert(static_cast<int>(p[0] * 40)), second.insert(static_cast<int>((p[1] + 3) / 8 * 40));
    third.insert(static_cast<int>(0.5 * std::erfc(-(p[2] - 2) / 3 / std::sqrt(2.0)) * 40));  // slices of equal probability
  }
  EXPECT_EQ(first.size(), 40u);
  EXPECT_EQ(second.size(), 40u);
  EXPECT_EQ(third.size(), 40u);
}

TEST(LatinHypercube, depends_on_its_seed_alone_and_keeps_normal_draws_within_bounds) {
  const std::vector<Draw> draws{{0, 1}, {1.5, 2.5, true, 2, 3}};
  EXPECT_EQ(latin_hypercube(draws, 20, 3), latin_hypercube(draws, 20, 3));
  EXPECT_NE(latin_hypercube(draws, 20, 3), latin_hypercube(draws, 20, 4));
  for (const auto& p : latin_hypercube(draws, 200, 3)) EXPECT_TRUE(p[1] >= 1.5 && p[1] <= 2.5) << p[1];
  EXPECT_EQ(redraw(draws, 3, 5, 1), redraw(draws, 3, 5, 1));
  EXPECT_NE(redraw(draws, 3, 5, 1), redraw(draws, 3, 5, 2));
  EXPECT_NE(redraw(draws, 3, 5, 1), redraw(draws, 3, 6, 1));
}

TEST(MultiStart, finds_both_valleys_with_the_shares_of_their_widths) {
  SumOfSquares objective = two_valleys(0.2);
  SearchResult result = multi_start(objective, draws_of(objective.box()), valley_options(100));
  ASSERT_EQ(result.fits.size(), 100u);
  EXPECT_EQ(result.good, 100u);
  // [-2, 0.2] is 55 slices of 100
  EXPECT_EQ(result.hits, 55u);
  EXPECT_DOUBLE_EQ(result.share, 0.55);
  ASSERT_EQ(result.optima.size(), 2u);
  EXPECT_NEAR(result.fits[result.optima[0].fit].theta[0], -1, 1e-8);
  EXPECT_NEAR(result.fits[result.optima[1].fit].theta[0], 1, 1e-8);
  EXPECT_NEAR(result.fits[result.optima[1].fit].value, 0.5, 1e-12);
  EXPECT_EQ(result.optima[0].starts, 55u);
  EXPECT_EQ(result.optima[1].starts, 45u);
  EXPECT_TRUE(std::is_sorted(result.fits.begin(), result.fits.end(), [](auto& a, auto& b) { return a.value < b.value; }));
}

TEST(MultiStart, tells_optima_of_one_value_apart) {
  // the mirror: x y = 2, x + y = 3 at (1, 2) and (2, 1)
  SumOfSquares objective({{0, 0}, {0, 0}, {4, 4}}, [](std::span<const double> t, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
    r = Eigen::Vector2d(t[0] * t[1] - 2, t[0] + t[1] - 3);
    J = (Eigen::Matrix2d() << t[1], t[0], 1, 1).finished();
    return true;
  });
  SearchResult result = multi_start(objective, draws_of(objective.box()), valley_options(30));
  ASSERT_EQ(result.optima.size(), 2u);
  std::vector<double> a = result.fits[result.optima[0].fit].theta, b = result.fits[result.optima[1].fit].theta;
  EXPECT_NEAR(std::min(a[0], b[0]), 1, 1e-6);
  EXPECT_NEAR(std::max(a[0], b[0]), 2, 1e-6);
  EXPECT_NEAR(a[0] + a[1], 3, 1e-6);
}

TEST(MultiStart, draws_again_what_cannot_be_simulated) {
  SumOfSquares valleys = two_valleys(0.2);
  SumOfSquares objective(valleys.box(), [&](std::span<const double> t, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
    r = Eigen::VectorXd::Constant(1, t[0]), J = Eigen::MatrixXd::Ones(1, 1);
    return t[0] <= 1.6;
  });
  SearchResult result = multi_start(objective, draws_of(objective.box()), valley_options(50));
  EXPECT_EQ(result.good, 50u);
  EXPECT_GE(result.redrawn, 5u);  // (1.6, 2] is five slices of fifty
  std::size_t replaced = 0;
  for (const SearchFit& fit : result.fits) {
    replaced += fit.redrawn > 0;
    EXPECT_LE(fit.start[0], 1.6);
  }
  EXPECT_EQ(replaced, 5u);
}

TEST(MultiStart, gives_up_starts_without_any_value_and_says_why) {
  SumOfSquares objective({{0}, {0}, {1}}, [](std::span<const double>, Eigen::VectorXd&, Eigen::MatrixXd&) { return false; });
  SearchResult result = multi_start(objective, draws_of(objective.box()), valley_options(3));
  EXPECT_EQ(result.good, 0u);
  EXPECT_EQ(result.redrawn, 150u);
  EXPECT_EQ(result.fits[0].message, "no value there");
  EXPECT_TRUE(result.optima.empty());
}

TEST(MultiStart, gives_the_same_bits_in_any_number_of_processes) {
  SumOfSquares objective = two_valleys(0.2);
  std::string here = figures_of(multi_start(objective, draws_of(objective.box()), valley_options(20, 0)));
  EXPECT_EQ(here, figures_of(multi_start(objective, draws_of(objective.box()), valley_options(20, 1))));
  EXPECT_EQ(here, figures_of(multi_start(objective, draws_of(objective.box()), valley_options(20, 3))));
}

TEST(MultiStart, gives_the_same_bits_on_any_number_of_threads) {
  SumOfSquares objective = two_valleys(0.2);
  std::string here = figures_of(multi_start(objective, draws_of(objective.box()), valley_options(20, 0)));
  std::atomic<int> made = 0;
  auto another = [&] {
    ++made;
    return std::make_shared<SumOfSquares>(two_valleys(0.2));
  };
  for (std::size_t threads : {2u, 3u, 50u}) {
    SearchOptions o = valley_options(20, 0);
    o.threads = threads;
    made = 0;
    EXPECT_EQ(here, figures_of(multi_start(objective, draws_of(objective.box()), o, another))) << threads;
    EXPECT_EQ(made, static_cast<int>(std::min<std::size_t>(threads, 20)) - 1);  // no more than there are starts
  }
}

TEST(MultiStart, begins_no_start_on_any_thread_once_the_budget_has_ended) {
  SumOfSquares objective = two_valleys(0.2);
  volatile bool interrupt = true;
  SearchOptions o = valley_options(20, 0);
  o.threads = 3;
  o.budget = Budget(&interrupt);
  SearchResult result =
      multi_start(objective, draws_of(objective.box()), o, [] { return std::make_shared<SumOfSquares>(two_valleys(0.2)); });
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.fits.empty());
}

TEST(MultiStart, loses_no_more_than_the_start_whose_process_crashes_or_hangs) {
  SumOfSquares objective({{0}, {-2}, {2}}, [](std::span<const double> t, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
    if (t[0] > 1.9) std::signal(SIGSEGV, SIG_DFL), std::raise(SIGSEGV);  // sanitizers have a handler of their own
    while (t[0] < -1.9) pause();
    r = Eigen::VectorXd::Constant(1, t[0]), J = Eigen::MatrixXd::Ones(1, 1);
    return true;
  });
  SearchOptions o = valley_options(40, 2);
  o.start_seconds = 0.5;
  SearchResult result = multi_start(objective, draws_of(objective.box()), o);
  ASSERT_EQ(result.fits.size(), 40u);
  EXPECT_EQ(result.good, 38u);  // one slice of forty at each end
  std::string messages = result.fits[38].message + "; " + result.fits[39].message;
  EXPECT_NE(messages.find("the process ended: signal 11"), std::string::npos) << messages;
  EXPECT_NE(messages.find("it took too long"), std::string::npos) << messages;
}

/// Stops the search when so many starts are done.
struct Stopper {
  std::size_t at = 0;
  bool stop = false, kill = false;
  static void told(void* context, const SearchProgress& progress) {
    auto* self = static_cast<Stopper*>(context);
    if (progress.done < self->at) return;
    self->stop = true;
    if (self->kill) std::raise(SIGKILL);
  }
};

TEST(MultiStart, goes_on_where_it_was_interrupted) {
  SumOfSquares objective = two_valleys(0.2);
  std::string expected = figures_of(multi_start(objective, draws_of(objective.box()), valley_options(25)));
  SearchOptions o = valley_options(25, 2);
  o.journal = journal_file();
  Stopper stopper{.at = 9};
  o.budget = Budget(&stopper.stop), o.progress = Stopper::told, o.progress_context = &stopper;
  SearchResult first = multi_start(objective, draws_of(objective.box()), o);
  EXPECT_TRUE(first.interrupted);
  EXPECT_GE(first.fits.size(), 9u);
  EXPECT_LT(first.fits.size(), 25u);
  o.budget = Budget(), o.progress = nullptr;
  SearchResult second = multi_start(objective, draws_of(objective.box()), o);
  EXPECT_FALSE(second.interrupted);
  EXPECT_EQ(second.resumed, first.fits.size());
  EXPECT_EQ(figures_of(second), expected);
  EXPECT_EQ(lines_of(o.journal).size(), 26u);  // none was done twice
  std::filesystem::remove(o.journal);
}

TEST(MultiStart, loses_nothing_that_was_finished_when_it_is_killed) {
  SumOfSquares objective = two_valleys(0.2);
  std::string expected = figures_of(multi_start(objective, draws_of(objective.box()), valley_options(25)));
  SearchOptions o = valley_options(25, 2);
  o.journal = journal_file();
  pid_t victim = fork();
  if (victim == 0) {
    Stopper stopper{.at = 7, .kill = true};
    o.progress = Stopper::told, o.progress_context = &stopper;
    multi_start(objective, draws_of(objective.box()), o);
    _exit(1);  // not reached
  }
  int status = 0;
  waitpid(victim, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ASSERT_EQ(lines_of(o.journal).size(), 8u);
  std::ofstream(o.journal, std::ios::app) << "{\"index\": 24, \"sta";  // a line that a power failure cut off
  SearchResult result = multi_start(objective, draws_of(objective.box()), o);
  EXPECT_EQ(result.wrong, "");
  EXPECT_EQ(result.resumed, 7u);
  EXPECT_EQ(figures_of(result), expected);
  EXPECT_EQ(lines_of(o.journal).size(), 26u);
  std::filesystem::remove(o.journal);
}

TEST(MultiStart, refuses_journals_of_other_searches_by_name) {
  SumOfSquares objective = two_valleys(0.2);
  SearchOptions o = valley_options(4);
  o.journal = journal_file();
  ASSERT_EQ(multi_start(objective, draws_of(objective.box()), o).wrong, "");
  auto refused = [&](auto change, const char* reason) {
    SearchOptions other = o;
    change(other);
    SearchResult result = multi_start(objective, draws_of(objective.box()), other);
    EXPECT_TRUE(result.fits.empty());
    EXPECT_NE(result.wrong.find(reason), std::string::npos) << result.wrong;
    EXPECT_NE(result.wrong.find(o.journal), std::string::npos) << result.wrong;
  };
  refused([](SearchOptions& s) { s.name = "Hills"; }, "it belongs to `Valleys`, not to `Hills`");
  refused([](SearchOptions& s) { s.problem = "another"; }, "another model, other data or other options");
  refused([](SearchOptions& s) { s.seed = 8; }, "its seed is 7, not 8");
  refused([](SearchOptions& s) { s.starts = 5; }, "it was begun for 4 starts, not 5");
  refused([](SearchOptions& s) { s.parameters = {"y"}; }, "other parameters");
  EXPECT_EQ(lines_of(o.journal).size(), 5u) << "it is left as it was";
  std::ofstream(o.journal) << "time,x\n1,2\n";
  refused([](SearchOptions&) {}, "it is not a journal of a multi-start");
  std::filesystem::remove(o.journal);
  o.journal = "/no such folder/x.jsonl";
  refused([](SearchOptions&) {}, "No such file");
}

TEST(MultiStart, shares_its_journal_with_no_other_process) {
  std::string path = journal_file();
  std::vector<SearchFit> fits;
  SearchKey key{"Valleys", "digest", 1, 3, {"x"}};
  Journal first;
  EXPECT_EQ(first.open(path, key, fits), "");
  pid_t other = fork();
  if (other == 0) _exit(Journal().open(path, key, fits) == "another process writes to it" ? 0 : 1);
  int status = 1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  std::filesystem::remove(path);
}

TEST(Journal, keeps_every_bit_of_a_fit) {
  SearchFit fit{.index = 3,
                .status = nlp::Status::acceptable,
                .message = "a \"quoted\" line\nand \xff another",
                .start = {0.1, 1e-310, -1e300},
                .theta = {1.0 / 3, std::nextafter(1.0, 2.0), 0},
                .value = -12345.678901234567,
                .iterations = 12,
                .evaluations = 34,
                .redrawn = 2,
                .seconds = 0.1 + 0.2};
  SearchFit back;
  ASSERT_TRUE(read_line(line_of(fit), back));
  EXPECT_EQ(line_of(fit).find('\n'), std::string::npos);
  EXPECT_EQ(back.theta, fit.theta);
  EXPECT_EQ(back.start, fit.start);
  EXPECT_EQ(back.value, fit.value);
  EXPECT_EQ(back.status, fit.status);
  fit.value = NAN;
  ASSERT_TRUE(read_line(line_of(fit), back));
  EXPECT_TRUE(std::isnan(back.value));
  EXPECT_FALSE(read_line("{\"index\": 3}", back));
}

}  // namespace
}  // namespace bolza::estimate::testing
