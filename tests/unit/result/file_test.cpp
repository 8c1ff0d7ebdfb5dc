// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/result/fixture.h"

namespace bolza::result {
namespace {

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / ("bolza_result_" + std::to_string(::getpid()) + "_" + name)).string();
}

void expect_same(const ResultTable& a, const ResultTable& b) {
  EXPECT_EQ(a.time, b.time);
  ASSERT_EQ(a.variables.size(), b.variables.size());
  for (const ResultVariable& v : a.variables) {
    const ResultVariable* w = find(b, v.name);
    ASSERT_TRUE(w) << v.name;
    EXPECT_EQ(values(a, v), values(b, *w)) << v.name;
  }
}

TEST(MatFile, reads_back_what_it_wrote) {
  Fixture f;
  ResultTable table = make_table(f.problem, f.solution);
  Diagnostics diagnostics;
  std::string path = temporary("a.mat");
  ASSERT_TRUE(write_result(table, path, diagnostics));
  Sources sources;
  Result<ResultTable> back = read_result(path, sources, diagnostics);
  ASSERT_TRUE(back);
  expect_same(table, *back);
  EXPECT_EQ(back->mesh, table.mesh);
  EXPECT_EQ(find(*back, "x1")->unit, "m");
  EXPECT_EQ(find(*back, "x1")->description, "a variable");
  EXPECT_EQ(find(*back, "k")->role, Role::parameter);
  EXPECT_EQ(find(*back, "costate(x1)")->role, Role::costate);
  EXPECT_EQ(find(*back, "minus_x1")->column, find(*back, "x1")->column) << "an alias is stored once";
  std::filesystem::remove(path);
}

TEST(MatFile, is_read_by_scipy_with_the_same_numbers) {
  if (std::system("/usr/bin/python3 -c 'import scipy.io' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-scipy is not installed";
  Fixture f;
  Diagnostics diagnostics;
  std::string path = temporary("b.mat"), script = temporary("b.py");
  ASSERT_TRUE(write_result(make_table(f.problem, f.solution), path, diagnostics));
  std::ofstream(script) << R"(import sys, math, scipy.io
m = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)
kind = [''.join(row).strip() for row in m['Aclass']]
assert kind == ['Atrajectory', '1.1', '', 'binTrans'], kind
names = [''.join(m['name'][:, i]).rstrip() for i in range(m['name'].shape[1])]
def get(name):
    where, at = m['dataInfo'][0, names.index(name)], m['dataInfo'][1, names.index(name)]
    data = m['data_1'] if where == 1 else m['data_2']
    return data[abs(at) - 1, :] * (1 if at > 0 else -1)
assert list(m['data_2'][0, :]) == [0, 1, 2, 2, 4]
assert all(abs(a - math.cos(t)) < 1e-15 for a, t in zip(get('x1'), [0, 1, 2, 2, 4]))
assert all(a == -b for a, b in zip(get('minus_x1'), get('x1')))
assert list(get('u')) == [-1, -1, -1, 1, 1]
assert list(get('k')) == [2.5, 2.5]
)";
  EXPECT_EQ(std::system(("/usr/bin/python3 " + script + " " + path).c_str()), 0);
  std::filesystem::remove(path);
  std::filesystem::remove(script);
}

TEST(MatFile, tells_a_truncated_file_at_every_length) {
  Fixture f;
  std::string whole = mat_text(make_table(f.problem, f.solution)), problem;
  std::string core = whole.substr(0, whole.size() - 24 - 25);  // without the mesh after the six matrices
  for (std::size_t n = 1; n < core.size(); n += 7) {
    problem.clear();
    EXPECT_FALSE(parse_mat(std::string_view(core).substr(0, n), problem)) << n;
    EXPECT_FALSE(problem.empty()) << n;
  }
}

std::string csv_text(const ResultTable& table) {
  std::string text;
  EXPECT_TRUE(write_csv(table, [&](std::string_view part) {
    text += part;
    return true;
  }));
  return text;
}

/// What the text is read as, and what is said of it.
struct ReadCsv {
  explicit ReadCsv(std::string text) : table(parse_csv(sources, sources.add("r.csv", std::move(text)), diagnostics)) {}
  std::string said() const { return table ? "good" : render(diagnostics.all()[0], sources); }

  Sources sources;
  Diagnostics diagnostics;
  Result<ResultTable> table;
};

TEST(CsvFile, reads_back_what_it_wrote) {
  Fixture f;
  ResultTable table = make_table(f.problem, f.solution);
  ReadCsv back(csv_text(table));
  ASSERT_TRUE(back.table) << back.said();
  expect_same(table, *back.table);
}

TEST(CsvFile, writes_constants_once_and_reads_them_as_constants) {
  ResultTable table{.time = {0, 1, 2},
                    .columns = {{1, 2, 3}},
                    .variables = {{.name = "k", .role = Role::parameter, .constant = true, .value = 0.25}, {.name = "x"}}};
  std::string text = csv_text(table);
  EXPECT_EQ(text, "time,k,x\n0,0.25,1\n1,,2\n2,,3\n");
  ReadCsv back(text);
  ASSERT_TRUE(back.table) << back.said();
  const ResultVariable* k = find(*back.table, "k");
  ASSERT_TRUE(k && k->constant && k->role == Role::parameter);
  EXPECT_EQ(value(*back.table, *k, 2), 0.25);
  expect_same(table, *back.table);
}

TEST(CsvFile, stops_when_nobody_takes_the_text) {
  ResultTable table{.time = {0}, .columns = {{1}}, .variables = {{.name = "x"}}};
  EXPECT_FALSE(write_csv(table, [](std::string_view) { return false; }));
}

TEST(CsvFile, quotes_names_with_commas_and_reads_other_separators) {
  ResultTable table{.time = {0, 1}, .columns = {{1, 2}}, .variables = {{.name = "A[1,\"2\"]"}}};
  ReadCsv back(csv_text(table));
  ASSERT_TRUE(back.table) << back.said();
  EXPECT_EQ(back.table->variables[0].name, "A[1,\"2\"]");
  for (std::string text : {"# measured\r\nu;time\r\n 3 ;0\r\n4;1.5e0\r\n", "u\ttime\n3\t0\n4\t1.5\n", "u time\n3 0\n 4  1.5",
                           "\xef\xbb\xbfu,\ttime,\n3,0,\n4,1.5,\n", "u;\"time\"\n\"3\";0\n4;\"1.5\""}) {
    ReadCsv read(text);
    ASSERT_TRUE(read.table) << text << read.said();
    EXPECT_EQ(read.table->time, (std::vector<double>{0, 1.5}));
    EXPECT_EQ(read.table->columns[0], (std::vector<double>{3, 4}));
  }
}

TEST(CsvFile, says_what_is_wrong_at_its_place) {
  auto starts = [](const std::string& text) { return ReadCsv(text).said(); };
  EXPECT_NE(starts("time,x\n0,1\n1,abc\n").find("r.csv:3:3: error: `abc` stands where a number"), std::string::npos);
  EXPECT_NE(starts("time,x\n1,1\n0,1\n").find("r.csv:3:1: error: the table is not as it should be: times have to ascend"),
            std::string::npos);
  EXPECT_NE(starts("time,x\n,1\n").find("r.csv:2:1: error: the table is not as it should be: this row has no time"),
            std::string::npos);
  EXPECT_NE(starts("a,b\n1,1\n").find("r.csv:1:1: error: `r.csv` has no column `time`"), std::string::npos);
  EXPECT_NE(starts("time,x,x\n1,1,1\n").find("r.csv:1:8: error: the table is not as it should be: there are two columns"),
            std::string::npos);
}

TEST(WriteFile, keeps_the_old_file_when_it_cannot_write_and_leaves_nothing_behind) {
  Diagnostics diagnostics;
  std::string folder = temporary("folder");
  std::filesystem::create_directory(folder);
  std::filesystem::create_directory(folder + "/taken");
  EXPECT_FALSE(write_file(folder + "/taken", "text", diagnostics)) << "a folder is in the way";
  EXPECT_FALSE(write_file(folder + "/none/file", "text", diagnostics));
  EXPECT_EQ(diagnostics.errors(), 2u);
  std::size_t entries = 0;
  for ([[maybe_unused]] auto& entry : std::filesystem::directory_iterator(folder)) ++entries;
  EXPECT_EQ(entries, 1u);
  std::filesystem::remove_all(folder);
}

TEST(ReadResult, reports_a_missing_file_once) {
  Diagnostics diagnostics;
  Sources sources;
  EXPECT_FALSE(read_result("/nowhere/at_all.mat", sources, diagnostics));
  EXPECT_EQ(diagnostics.errors(), 1u);
}

}  // namespace
}  // namespace bolza::result
