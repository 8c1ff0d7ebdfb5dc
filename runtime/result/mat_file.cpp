// SPDX-License-Identifier: Apache-2.0
// MATLAB level 4 files in the layout of Dymola and OpenModelica ("binTrans": one column per time).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "runtime/result/file.h"
#include "runtime/result/roles.h"

namespace bolza::result {
namespace {

static_assert(std::endian::native == std::endian::little, "matrices are written as they lie in memory");

constexpr std::size_t columns_of_multiplier = 6;  ///< phase, kind, index, from, to, amount
constexpr std::int32_t type_double = 0, type_int = 20, type_text = 51;

void add_header(std::string& out, const char* name, std::int32_t type, std::size_t rows, std::size_t columns) {
  std::int32_t header[5] = {type, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns), 0,
                            static_cast<std::int32_t>(std::strlen(name) + 1)};
  out.append(reinterpret_cast<const char*>(header), sizeof header);
  out.append(name, std::strlen(name) + 1);
}

void add_texts(std::string& out, const char* name, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& t : texts) length = std::max(length, t.size());
  add_header(out, name, type_text, length, texts.size());
  for (const std::string& t : texts) {
    out += t;
    out.append(length - t.size(), ' ');
  }
}

void add_doubles(std::string& out, const char* name, std::size_t rows, std::size_t columns,
                 const std::vector<double>& data) {
  add_header(out, name, type_double, rows, columns);
  out.append(reinterpret_cast<const char*>(data.data()), data.size() * sizeof(double));
}

std::string described(const ResultVariable& v) {
  return v.unit.empty() ? v.description : v.description + (v.description.empty() ? "[" : " [") + v.unit + "]";
}

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> data;  // column-major
  double at(std::size_t r, std::size_t c) const { return data[c * rows + r]; }
};

template <class T>
double element(const char* p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return static_cast<double>(x);
}

// Reads the matrix at the front and removes it; false when the bytes are not a matrix.
bool take_matrix(std::string_view& rest, std::string& name, Matrix& matrix) {
  std::int32_t header[5];
  if (rest.size() < sizeof header) return false;
  std::memcpy(header, rest.data(), sizeof header);
  auto [type, rows, columns, imaginary, length] = header;
  constexpr std::int32_t most = 1 << 30;
  if (type < 0 || type >= 1000 || rows < 0 || columns < 0 || imaginary || length < 1 || length > 4096 || rows > most ||
      columns > most)
    return false;
  static constexpr std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
  static constexpr double (*readers[])(const char*) = {element<double>,       element<float>,         element<std::int32_t>,
                                                       element<std::int16_t>, element<std::uint16_t>, element<std::uint8_t>};
  std::size_t precision = static_cast<std::size_t>(type / 10 % 10);
  if (precision > 5) return false;
  rest.remove_prefix(sizeof header);
  std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::size_t names = static_cast<std::size_t>(length);
  if (rest.size() < names || (rest.size() - names) / sizes[precision] < count) return false;
  name.assign(rest.data(), names - 1);
  rest.remove_prefix(names);
  matrix = {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) matrix.data[i] = readers[precision](rest.data() + i * sizes[precision]);
  rest.remove_prefix(count * sizes[precision]);
  return true;
}

// Texts of a character matrix; one text per column, or per row when `by_row`.
std::vector<std::string> texts_of(const Matrix& m, bool by_row) {
  std::size_t n = by_row ? m.rows : m.columns, length = by_row ? m.columns : m.rows;
  std::vector<std::string> texts(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < length; ++k)
      texts[i] += static_cast<char>(static_cast<int>(by_row ? m.at(i, k) : m.at(k, i)));
    while (!texts[i].empty() && (texts[i].back() == ' ' || texts[i].back() == '\0')) texts[i].pop_back();
  }
  return texts;
}

Matrix transposed(const Matrix& m) {
  Matrix t{m.columns, m.rows, std::vector<double>(m.data.size())};
  for (std::size_t r = 0; r < m.rows; ++r)
    for (std::size_t c = 0; c < m.columns; ++c) t.data[r * t.rows + c] = m.at(r, c);
  return t;
}

void split_unit(ResultVariable& v, std::string text) {
  std::size_t open = text.rfind('[');
  if (open != std::string::npos && text.ends_with(']')) {
    v.unit = text.substr(open + 1, text.size() - open - 2);
    v.unit = v.unit.substr(0, v.unit.find('|'));
    text.erase(open);
    while (text.ends_with(' ')) text.pop_back();
  }
  v.description = std::move(text);
}

constexpr std::pair<const char*, std::vector<double> abi::WarmStart::*> warm_parts[] = {
    {"row_multipliers", &abi::WarmStart::rows},
    {"lower_multipliers", &abi::WarmStart::lower},
    {"upper_multipliers", &abi::WarmStart::upper}};

/// "transcription=radau", "points=3", "control=constant"; "status=interrupted" where a run did not end as it should.
std::vector<std::string> words_of(const ResultTable& table) {
  std::vector<std::string> words;
  for (const auto& [key, value] : table.metadata)
    if (key == "transcription" || key == "points" || key == "control" || (key == "status" && value != "solved"))
      words.push_back(key + "=" + value);
  return words;
}

/// How a solution came about, for who verifies it: "objective=3.17", "model=vdp.mop", "class=VanDerPol", "set=k=2".
std::vector<std::string> origin_of(const ResultTable& table) {
  std::vector<std::string> words;
  for (const auto& [key, value] : table.metadata)
    if (key != "transcription" && key != "points" && key != "control" && key != "status") words.push_back(key + "=" + value);
  return words;
}

void add_multipliers(std::string& out, const std::vector<MultiplierAmount>& list) {
  std::vector<double> data;
  for (const MultiplierAmount& m : list)
    for (double value :
         {static_cast<double>(m.phase), static_cast<double>(m.kind), static_cast<double>(m.index), m.from, m.to, m.amount})
      data.push_back(value);
  add_doubles(out, "multipliers", columns_of_multiplier, list.size(), data);
}

std::vector<MultiplierAmount> multipliers_of(const Matrix& matrix) {
  std::vector<MultiplierAmount> out;
  auto number = [](double value) { return value >= 0 && value < 1e9 ? static_cast<std::size_t>(value) : 0; };
  for (std::size_t k = 0; k < matrix.columns && matrix.rows == columns_of_multiplier; ++k) {
    std::size_t kind = std::min(number(matrix.at(1, k)), MultiplierAmount::kinds - 1);
    out.push_back({number(matrix.at(0, k)), static_cast<MultiplierAmount::Kind>(kind), number(matrix.at(2, k)),
                   matrix.at(3, k), matrix.at(4, k), matrix.at(5, k)});
  }
  return out;
}

void add_words(const Matrix& matrix, ResultTable& table) {
  for (const std::string& word : texts_of(matrix, false))
    if (std::size_t equals = word.find('='); equals != std::string::npos)
      table.metadata.emplace_back(word.substr(0, equals), word.substr(equals + 1));
}

struct Parts {
  Matrix info, constants, series;
  std::vector<std::string> names, descriptions;
};

std::optional<Parts> parts_of(std::map<std::string, Matrix>& matrices, std::string& problem) {
  for (const char* wanted : {"Aclass", "name", "dataInfo", "data_2"})
    if (!matrices.count(wanted)) {
      problem = std::string("the matrix `") + wanted + "` is missing";
      return std::nullopt;
    }
  std::vector<std::string> classes = texts_of(matrices["Aclass"], true);
  if (classes.empty() || classes[0] != "Atrajectory") {
    problem = "it holds no trajectories";
    return std::nullopt;
  }
  bool by_row = classes.size() < 4 || classes[3] != "binTrans";
  Parts p{matrices["dataInfo"], matrices["data_1"], matrices["data_2"], texts_of(matrices["name"], by_row),
          texts_of(matrices["description"], by_row)};
  if (by_row) {
    p.info = transposed(p.info);
    p.constants = transposed(p.constants);
    p.series = transposed(p.series);
  }
  if (p.info.rows < 2 || p.info.columns != p.names.size()) {
    problem = "`dataInfo` does not fit `name`";
    return std::nullopt;
  }
  if (!p.series.rows) {
    problem = "`data_2` is empty";
    return std::nullopt;
  }
  return p;
}

}  // namespace

std::string mat_text(const ResultTable& table) {
  std::string out;
  static constexpr std::string_view lines[4] = {"Atrajectory", "1.1        ", "           ", "binTrans   "};
  add_header(out, "Aclass", type_text, 4, 11);
  for (std::size_t c = 0; c < 11; ++c)
    for (std::string_view line : lines) out += line[c];

  std::vector<std::string> names{"time"}, descriptions{"Time in [s]"};
  std::vector<std::int32_t> info{0, 1, 0, -1};
  double first = table.time.empty() ? 0 : table.time.front(), last = table.time.empty() ? 0 : table.time.back();
  std::vector<double> begin{first}, end{last};
  for (const ResultVariable& v : table.variables) {
    names.push_back(v.name);
    descriptions.push_back(described(v));
    if (v.constant) {
      begin.push_back(v.value);
      end.push_back(v.value);
    }
    std::int32_t at = static_cast<std::int32_t>(v.constant ? begin.size() : v.column + 2);
    info.insert(info.end(), {v.constant ? 1 : 2, !v.constant && v.sign < 0 ? -at : at, 0, v.constant ? 0 : -1});
  }
  add_texts(out, "name", names);
  add_texts(out, "description", descriptions);
  add_header(out, "dataInfo", type_int, 4, names.size());
  out.append(reinterpret_cast<const char*>(info.data()), info.size() * sizeof(std::int32_t));
  std::vector<double> constants = begin;
  constants.insert(constants.end(), end.begin(), end.end());
  add_doubles(out, "data_1", begin.size(), 2, constants);

  std::size_t rows = table.columns.size() + 1;
  std::vector<double> series(rows * table.time.size());
  for (std::size_t k = 0; k < table.time.size(); ++k) {
    series[k * rows] = table.time[k];
    for (std::size_t c = 0; c + 1 < rows; ++c) series[k * rows + c + 1] = table.columns[c][k];
  }
  add_doubles(out, "data_2", rows, table.time.size(), series);
  if (!table.mesh.empty()) add_doubles(out, "mesh", 1, table.mesh.size(), table.mesh);
  bool is_solution = std::ranges::any_of(table.metadata, [](const auto& m) { return m.first == "model"; });
  if (is_solution) add_texts(out, "origin", origin_of(table));
  if (is_solution && !table.multipliers.empty()) add_multipliers(out, table.multipliers);
  if (table.warm_start.rows.empty() || table.warm_start.lower.empty()) return out;
  add_texts(out, "method", words_of(table));
  for (auto [name, part] : warm_parts) add_doubles(out, name, 1, (table.warm_start.*part).size(), table.warm_start.*part);
  return out;
}

std::optional<ResultTable> parse_mat(std::string_view content, std::string& problem) {
  std::map<std::string, Matrix> matrices;
  for (std::string_view rest = content; !rest.empty();) {
    std::string name;
    Matrix matrix;
    if (!take_matrix(rest, name, matrix)) {
      problem = "it is not a complete .mat file of version 4";
      return std::nullopt;
    }
    matrices[name] = std::move(matrix);
  }
  std::optional<Parts> parts = parts_of(matrices, problem);
  if (!parts) return std::nullopt;
  ResultTable table;
  std::size_t times = parts->series.columns;
  for (std::size_t k = 0; k < times; ++k) table.time.push_back(parts->series.at(0, k));
  for (std::size_t r = 1; r < parts->series.rows; ++r) {
    table.columns.emplace_back(times);
    for (std::size_t k = 0; k < times; ++k) table.columns.back()[k] = parts->series.at(r, k);
  }
  for (std::size_t i = 0; i < parts->names.size(); ++i) {
    int matrix = static_cast<int>(parts->info.at(0, i));
    double place = parts->info.at(1, i);
    std::size_t row = static_cast<std::size_t>(std::fabs(place));
    if (matrix == 0 || parts->names[i].empty() || (matrix == 2 && row < 2)) continue;
    const Matrix& source = matrix == 1 ? parts->constants : parts->series;
    if (row < 1 || row > source.rows || !source.columns) {
      problem = "`dataInfo` points outside the data";
      return std::nullopt;
    }
    ResultVariable v{.name = parts->names[i], .constant = matrix == 1, .sign = place < 0 ? -1.0 : 1.0};
    if (v.constant) {
      v.value = v.sign * source.at(row - 1, 0);
      v.sign = 1;
    } else v.column = row - 2;
    v.role = role_of(v.name, v.constant);
    if (i < parts->descriptions.size()) split_unit(v, parts->descriptions[i]);
    table.variables.push_back(std::move(v));
  }
  if (matrices.count("mesh")) table.mesh = matrices["mesh"].data;
  for (auto [name, part] : warm_parts)
    if (matrices.count(name)) table.warm_start.*part = matrices[name].data;
  for (const char* words : {"method", "origin"})
    if (matrices.count(words)) add_words(matrices[words], table);
  if (matrices.count("multipliers")) table.multipliers = multipliers_of(matrices["multipliers"]);
  return table;
}

}  // namespace bolza::result
