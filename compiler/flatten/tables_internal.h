#pragma once
#include "compiler/flatten/builder_internal.h"

namespace bolza::flatten {

/// Modelica.Blocks.Types.Smoothness and its companions, in the order of their literals.
enum class Interpolation : std::uint8_t { linear = 1, akima, constant, fritsch_butland, steffen, makima };
enum class Extrapolation : std::uint8_t { hold = 1, last_two, periodic, refused };
enum class TimeEvents : std::uint8_t { always = 1, at_discontinuities, none };

/// A table of the Modelica library with what its constructor was given.
struct TableData {
  std::vector<std::vector<double>> rows;
  std::vector<std::size_t> columns;  ///< from 1; empty for tables of two variables
  Interpolation interpolation = Interpolation::linear;
  Extrapolation extrapolation = Extrapolation::last_two;
  TimeEvents time_events = TimeEvents::always;
  double start_time = 0, shift_time = 0;
  bool operator==(const TableData&) const = default;
};

/// A function of u in pieces: piece k counts the knots that are not above u, and is
/// c[0] + d (c[1] + d (c[2] + d c[3])) with d = u − base. Piece 0 lies below all knots, the last one above.
struct Pieces {
  std::vector<double> knots;                        ///< [n]
  std::vector<double> bases;                        ///< [n + 1]
  std::array<std::vector<double>, 4> coefficients;  ///< [n + 1] each
  bool steps = false;                               ///< constant between the knots
};

/// A function of u1 and u2 on rectangles: rectangle (i, j) counts the knots of each that are not above it, as Pieces do, and
/// is Σ c[k][l] d1^k d2^l with d = u − base of either.
struct Patches {
  std::array<std::vector<double>, 2> knots;                        ///< [n1], [n2]
  std::array<std::vector<double>, 2> bases;                        ///< [n1 + 1], [n2 + 1]
  std::array<std::array<std::vector<double>, 4>, 4> coefficients;  ///< [(n1 + 1) (n2 + 1)] each, row-major
};

/// Whether an external object is one of the library's tables.
bool is_table_object(const Instance& object);

/// Reads a table from a text file or, when the name ends so, a .csv file; relative names are looked for beside the files
/// `beside` too. Gives what is wrong, "" when nothing is.
std::string read_table_file(const std::string& name, const std::string& table, std::size_t heading_lines,
                            std::span<const std::string_view> beside, std::vector<std::vector<double>>& rows);

/// Interpolates y over x. Slopes are those of the methods' papers: [AKIMA], [FRITSCH], [STEFFEN]; the modified
/// Akima weights are MATLAB's makima. With fewer than three points every method is linear. Requires x not decreasing, sizes
/// equal, not empty; two equal abscissas are a jump. Cost: linear.
Pieces interpolate(const std::vector<double>& x, const std::vector<double>& y, Interpolation method, Extrapolation outside);
/// The derivative.
Pieces differentiate(const Pieces& pieces);

/// Interpolates z[i][j] over (x[i], y[j]): linearly in each variable, or by bicubic polynomials whose slopes are Akima's
/// [AKIMA2]. Outside flat or, with `last_two`, along the tangents at the border. Requires x and y ascending, method linear
/// or akima. Cost: rows × columns.
Patches interpolate(const std::vector<double>& x, const std::vector<double>& y, const std::vector<std::vector<double>>& z,
                    Interpolation method, Extrapolation outside);
/// The derivative by variable 0 or 1.
Patches differentiate(const Patches& patches, std::size_t by);

/// Program(u) → value.
ir::ProgramId write_table(Model& model, const Pieces& pieces, Extrapolation outside, Span span);
/// Program(time, next event, its value before the event) → value. While an event is being found (both are equal and reached)
/// the piece before it holds. `pieces` may be those of a derivative.
ir::ProgramId write_time_table(Model& model, const TableData& table, const Pieces& pieces, Span span);
/// Program(time) → the first time event after it, 1.8e308 when there is none.
ir::ProgramId write_next_event(Model& model, const TableData& table, Span span);
/// Program(u1, u2) → value.
ir::ProgramId write_table_2d(Model& model, const Patches& patches, Extrapolation outside, Span span);
/// Program(u1, u2) → value of the constant pieces of a table; linear outside with `last_two`.
ir::ProgramId write_steps_2d(Model& model, const TableData& table, Span span);

}  // namespace bolza::flatten
