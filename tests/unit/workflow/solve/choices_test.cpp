// SPDX-License-Identifier: Apache-2.0
// Words of options: what the option table lets through has a value, and no value is without its word.
#include "workflow/solve/outcome/choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compiler/driver/transformation.h"
#include "workflow/solve/outcome/nonsmooth.h"

namespace bolza::workflow {
namespace {

std::set<std::string> choices_of(std::string_view option) {
  std::set<std::string> words;
  for (const driver::OptionRow& row : driver::option_table())
    if (row.name == option)
      for (std::string_view word : row.choices)
        if (!word.empty()) words.emplace(word);
  return words;
}

template <typename Value, std::size_t n>
void expect_words(std::string_view option, const Words<Value, n>& words) {
  std::vector<std::string> list = words.list();
  EXPECT_EQ(choices_of(option), std::set<std::string>(list.begin(), list.end())) << option;
  std::set<Value> values;
  for (const std::string& word : list) {
    ASSERT_TRUE(words.find(word).has_value());
    EXPECT_EQ(words.of(*words.find(word)), word);
    values.insert(*words.find(word));
  }
  EXPECT_EQ(values.size(), n) << option << ": two words of one value";
  EXPECT_FALSE(words.find("another word").has_value());
  EXPECT_NO_THROW(chosen(driver::Options{}, option, words));  // the table's default
}

TEST(Choices, have_the_words_of_the_option_table) {
  expect_words("guess", guesses);
  expect_words("control", control_forms);
  expect_words("path-constraints", path_constraint_ways);
  expect_words("costates", costate_starts);
  expect_words("places", place_ways);
  expect_words("hessian", hessians);
  expect_words("integers", integer_methods);
  expect_words("linear-solver", linear_solvers);
  for (const std::string& word : choices_of("form")) EXPECT_TRUE(passes::form_named(word)) << word;
}

TEST(Choices, know_which_transcriptions_integrate) {
  std::set<std::string> words = choices_of("transcription");
  EXPECT_TRUE(words.contains("single-shooting") && words.contains("multiple-shooting"));
  for (const std::string& word : words) {
    Shooting expected = word == "single-shooting"     ? Shooting::single
                        : word == "multiple-shooting" ? Shooting::multiple
                                                      : Shooting::none;
    EXPECT_EQ(shooting_of(word), expected) << word;
  }
}

TEST(Choices, read_what_an_option_was_set_to) {
  driver::Options options;
  EXPECT_EQ(chosen(options, "guess", guesses), Guess::automatic);
  options.values["guess"] = "linear";
  EXPECT_EQ(chosen(options, "guess", guesses), Guess::linear);
  options.values["transcription"] = "multiple-shooting";
  EXPECT_EQ(shooting_of(options), Shooting::multiple);
}

}  // namespace
}  // namespace bolza::workflow
