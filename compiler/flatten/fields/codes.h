// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

/// Messages about equations of fields.
namespace bolza::flatten {

inline constexpr Code two_conditions{
    "E503", "`{0}` has two conditions on the side `{1}`",
    "A side gives one condition for a field: its value, `u = 0 indomain omega.left`, or its derivative across the side, "
    "`pder(u, x) = 0 indomain omega.left`. A second equation on the side may read the field, where it determines another "
    "variable: `q = -k*pder(u, x) indomain omega.left`."};
inline constexpr Code not_a_coordinate{
    "E504", "`{0}` is not a coordinate of `{1}`",
    "`pder(u, x)` is the derivative along a coordinate of the domain in which the equation holds: `x`, and `y` in a "
    "rectangle. The derivative in time is `der(u)`."};
inline constexpr Code not_a_field{
    "E505", "`pder` of `{0}`, in which there is no field on `{1}`",
    "What does not vary over the domain has no derivative along its coordinates. Declare it a field, "
    "`field Real u(domain = omega)`, or leave the term out."};
inline constexpr Code too_few_points{
    "E506", "`{0}` has {1} points along `{2}`: derivatives need {3} at least",
    "Differences of second order take three points next to each other. Give the domain more: "
    "`DomainLineSegment1D omega(L = 1, N = 50)`."};
inline constexpr Code third_derivative{
    "E507", "`{0}` is a derivative of third order: at most second ones are discretised",
    "Declare a field for a derivative of the unknown, and write the equation as two: `w = pder(u, x, x) indomain omega` and "
    "`pder(w, x)`."};
inline constexpr Code outside_of_domain{
    "E508", "`{0}` has no meaning here",
    "Derivatives along coordinates mean something where the equation says where it holds: `… indomain omega`, or on a side, "
    "`… indomain omega.left`. So do `extrapolateField(u)`, on sides alone, and integrals over a domain, "
    "`integral(u, omega)`, in any expression."};
inline constexpr Code other_domain{
    "E509", "`{0}` is a field on another domain than `{1}`",
    "An equation of a domain is made at each of its points, where fields on other domains have no value. Use single values "
    "of those: `u[1]`, or a variable that an equation on a side determines: `T2 = u indomain other.left`."};
inline constexpr Code in_domain_inside{
    "E510", "`indomain` inside of {0} is not supported",
    "Write if-expressions: `u = if open then 1 else extrapolateField(u) indomain omega.left`."};
inline constexpr Code unknown_scheme{
    "E511", "there is no scheme `{0}`: there are automatic, central, upwind, limited",
    "The scheme of a domain says how first derivatives along its coordinates are taken (docs/pde.md). `automatic` is by the "
    "form of the equation and the direction of the flow."};
inline constexpr Code slope_in_condition{
    "E512", "the condition of `{0}` on the side `{1}` is about more than one derivative across it",
    "A condition on a side is about the value of one field, or about its derivative across the side. Write one equation for "
    "each field."};
inline constexpr Code kinds_of_conditions{
    "E513", "elements of `{0}` have conditions of different kinds on the side `{1}`",
    "Of an array of fields, and of the fields of an array of components, all elements have their values given on a side, or "
    "all have the derivative across it. Declare fields with other conditions by themselves."};
inline constexpr Code points_not_in_order{
    "E514", "the points of `{0}` do not grow along `{1}`: {2} follows {3}",
    "Coordinates of a domain grow from each point to the next. Where a function grades them, it grows from 0 to 1."};
inline constexpr Code side_extrapolated{
    "W501", "`{0}` has no condition on the side `{1}`: it is extrapolated",
    "The equation has a second derivative of the field, which leaves one condition open on each side. Where none is given, "
    "the "
    "second derivative is taken as zero on the side. To say that this is meant: `u = extrapolateField(u) indomain "
    "omega.right`; else give the value, or the derivative `pder(u, x)`."};

inline constexpr std::array field_codes{&two_conditions,   &not_a_coordinate,   &not_a_field,         &too_few_points,
                                        &third_derivative, &outside_of_domain,  &other_domain,        &in_domain_inside,
                                        &unknown_scheme,   &slope_in_condition, &kinds_of_conditions, &points_not_in_order,
                                        &side_extrapolated};

}  // namespace bolza::flatten
