// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

/// What the parser says. Errors E1.., warnings W1.. for what is read although Modelica forbids it.
namespace bolza::syntax {

inline constexpr Code unknown_character{"E101", "`{0}` is not part of Modelica",
                                        "The character has no meaning outside comments and strings. Typical sources are a "
                                        "pasted typographic quote or minus sign and a `#` or `%` "
                                        "comment from another language.\n\n  x = 3 % 2;      // write mod(3, 2)\n\nComments "
                                        "begin with `//` or stand between `/*` and `*/`."};
inline constexpr Code open_string{"E102", "this string is never closed",
                                  "A string begins with `\"` and ends with the next `\"` that has no backslash before it; "
                                  "it may run over several lines. The file ends before "
                                  "that. The quote that is missing may stand well before the place shown: the strings after "
                                  "it begin where they should end."};
inline constexpr Code open_comment{"E103", "this comment is never closed",
                                   "A comment that begins with `/*` ends with `*/`. Such comments do not nest."};
inline constexpr Code open_identifier{
    "E104", "this quoted identifier is not closed on its line",
    "A name in single quotes, such as 'plant 1', ends on the line where it begins. For text use double quotes."};
inline constexpr Code not_utf8{"E105", "this text is not UTF-8",
                               "Modelica files are UTF-8. A byte here is not part of a UTF-8 character; probably the file "
                               "was saved as Latin-1. Convert it, for example "
                               "with `iconv -f latin1 -t utf8`."};
inline constexpr Code too_deep{"E106", "this nests more than {0} levels deep",
                               "Brackets, blocks, classes, if-expressions and repeated signs may nest to a fixed depth, so "
                               "that no input can exhaust the stack. Chains are not "
                               "nesting: `a + b + c` and `elseif` may be as long as you like. Replace `else if` by "
                               "`elseif`, or name a part of the expression."};
inline constexpr Code bracket_not_closed{
    "E107", "`{0}` is not closed before {1}",
    "Every `(`, `[` and `{` needs its closing bracket within the same equation, declaration or statement."};
inline constexpr Code bracket_mismatch{
    "E108", "`{0}` does not close `{1}`",
    "Brackets close in the reverse order of opening, each by its own kind: `f(a[1])`, not `f(a[1)]`."};
inline constexpr Code bracket_not_opened{"E109", "`{0}` closes nothing",
                                         "There is one closing bracket too many, or its opening bracket is missing."};
inline constexpr Code end_name{
    "E110", "`end {0}` closes {1} `{2}`",
    "A class ends with its own name: `model Tank … end Tank;`. The names differ, so one of them is a typing mistake."};
inline constexpr Code not_closed{"E111", "{0} is not closed before {1}",
                                 "Every `if`, `for`, `when` and `while` of an equation or statement ends with `end if;`, "
                                 "`end for;`, `end when;`, `end while;`, and every class "
                                 "with `end Name;`. After `else if` a second `end if` is due; `elseif` needs none."};
inline constexpr Code end_without_begin{
    "E112", "`end {0}` closes nothing",
    "There is no open block of this kind here. Either there is one `end` too many, or the block's beginning was lost."};
inline constexpr Code expected{"E113", "expected {0}, found {1}",
                               "The text does not follow the grammar at this place. The message says what may stand here. "
                               "When it is a `;`, the thing before it is complete "
                               "and what follows cannot continue it: often the `;` or an operator such as `*` is "
                               "missing.\n\n  x = 2 y;        // write x = 2*y;"};
inline constexpr Code expected_expression{"E114", "expected an expression after {0}, found {1}",
                                          "An operator, a `=` or an opening bracket needs a value on its right."};
inline constexpr Code reserved_word{"E115", "`{0}` is a reserved word and cannot be a name here",
                                    "Modelica's keywords cannot be names of classes or variables. Choose another name, or "
                                    "quote it: 'input' is a legal identifier."};
inline constexpr Code late_declaration{"E116", "a declaration is not allowed in {0} section",
                                       "Declarations come before the first `equation` or `algorithm`. To declare something "
                                       "after it, begin a new part of the class with `public` or "
                                       "`protected`."};
inline constexpr Code missing_equation_word{"E117", "expected the name of a component after its type `{0}`, found {1}",
                                            "Before the word `equation` (or `algorithm`) the class has declarations only: a "
                                            "type, then names. An equation such as `x = 3;` needs the "
                                            "word `equation` before it."};
inline constexpr Code assignment_in_equation{"E118", "an equation is written with `=`, not `:=`",
                                             "`:=` assigns in algorithms and functions; an equation states that two sides "
                                             "are equal.\n\n  equation\n    x = 3;\n  algorithm\n    x := 3;"};
inline constexpr Code equation_in_algorithm{
    "E119", "an assignment is written with `:=`, not `=`",
    "In algorithms and functions values are assigned with `:=`; `=` states an equation."};
inline constexpr Code relation_chain{"E120", "relations cannot be chained: write `{0} and {1}`",
                                     "`a < b < c` would compare a truth value with a number. In the `constraint` section of "
                                     "an optimization chains such as `0 <= x <= 1` are allowed."};
inline constexpr Code power_chain{"E121", "`^` cannot be chained: use parentheses",
                                  "`a^b^c` could mean (a^b)^c or a^(b^c), so Modelica allows neither."};
inline constexpr Code range_chain{"E122", "a range has at most three parts: `start:step:stop`",
                                  "A range is `start:stop` or `start:step:stop`."};
inline constexpr Code loose_if{
    "E123", "an if-expression used as an operand needs parentheses",
    "`1 + if c then a else b + 2` hides where the else branch ends. Write `1 + (if c then a else b) + 2`."};
inline constexpr Code not_an_equation{
    "E124", "`{0}` alone is not {1}",
    "An equation has the form `left = right` or is a call such as assert(…); a statement assigns or calls."};
inline constexpr Code bad_target{"E125", "`{0}` cannot be assigned to",
                                 "The left side of `:=` is a variable (`x`, `x[2]`, `a.b`) or a list of variables in "
                                 "parentheses, `(a, , b) := f(x)`, whose right side is a call."};
inline constexpr Code not_a_constraint{"E126", "a constraint compares: `{0}` has no `=`, `<=` or `>=`",
                                       "A constraint has the form `a <= b`, `a = b`, `a >= b`, or `a <= b <= c`."};
inline constexpr Code number_too_large{"E127", "the number `{0}` is too large",
                                       "Numbers are 64-bit floating-point numbers, at most about 1.8e308."};
inline constexpr Code two_descriptions{
    "E128", "a second description of the same element",
    "The description comes either after the declaration or after the `constrainedby` clause, not after both."};
inline constexpr Code argument_order{"E129", "a positional argument cannot follow a named one",
                                     "Write positional arguments first: `f(1, 2, tol = 1e-3)`."};
inline constexpr Code misplaced_break{"E130", "`break` as a modification belongs to an `extends` clause",
                                      "`extends A(break x)` and `extends A(break connect(a, b))` leave out parts of the "
                                      "inherited class. A component cannot leave out parts of its type; "
                                      "`x = break` removes a binding."};
inline constexpr Code prefix_clash{"E131", "`{0}` cannot follow `{1}`",
                                   "Each prefix may be given once, and `flow`/`stream`, `input`/`output`, and "
                                   "`discrete`/`parameter`/`constant` exclude each other."};
inline constexpr Code misplaced_list{"E132", "a list in parentheses is allowed only on the left of `=` or `:=`",
                                     "`(a, , b) = f(x)` takes several results of one call. Anywhere else parentheses hold "
                                     "exactly one expression; write `{a, b}` for an array."};
inline constexpr Code bad_external{"E133", "`external` is followed by a call, or by a variable, `=` and a call",
                                   "Examples: `external \"C\" y = f(x);`, `external \"C\" f(x, y);`, `external;`."};
inline constexpr Code class_prefix{
    "E134", "`{0}` does not fit `{1}`",
    "`expandable` belongs to connectors, `pure` and `impure` to functions, `operator` to records and functions."};
inline constexpr Code partial_arguments{
    "E135", "`function {0}(…)` takes named arguments only",
    "A function passed as an argument may fix some of its inputs, by name: `quadrature(function f(a = 1), 0, 1)`."};
inline constexpr Code bad_iterators{
    "E136", "a reduction takes exactly one expression before `for`",
    "Write `sum(x[i]^2 for i in 1:n)`; several iterators follow one `for`, separated by commas."};
inline constexpr Code unreadable{"E137", "cannot read this file: {0}",
                                 "The text is larger than 256 MB. Tables of numbers of that size belong in a CSV file: "
                                 "`Modelica.DOML.readTable(\"data.csv\")`."};
inline constexpr Code unknown_section{"E138", "`{0}` begins no section of a class",
                                      "The sections of a class are `equation`, `initial equation`, `algorithm`, `initial "
                                      "algorithm`, `public`, `protected`, and in an `optimization` class `constraint`. Each "
                                      "is one word (or two), in small letters, without a sign after it."};
inline constexpr Code unknown_prefix{
    "E139", "`{0}` is no word before a type",
    "Before the type of a declaration may stand: `parameter`, `constant`, `input`, `output`, "
    "`discrete`, `flow`, `stream`, `final`, `inner`, `outer`, `replaceable`, `redeclare`. A "
    "variable that the equations determine has its type alone: `Real x;`."};

inline constexpr Code sign_after_operator{"W101", "`{0}` after an operator needs parentheses in Modelica",
                                          "Modelica allows a sign only at the beginning of a sum: `2*-3` and `x^-2` are "
                                          "written `2*(-3)` and `x^(-2)`. Bolza reads them in this sense; other "
                                          "tools may not."};
inline constexpr Code misplaced_annotation{
    "W102", "the annotation of a class comes last in Modelica",
    "The annotation is read as one of the class, also where DOML puts it, between declarations and `equation`. Other tools "
    "accept it only directly before `end`: move it there."};
inline constexpr Code attributes_outside_optimization{
    "W103", "class attributes on a {0} are not Modelica",
    "`startTime`, `finalTime` and other attributes in parentheses after the name belong to `optimization` classes. DOML "
    "files also give them on "
    "models; Bolza reads them."};
inline constexpr Code large_integer{"W104", "the integer `{0}` is read as a Real",
                                    "It does not fit into a 64-bit integer. Write it as `1e20` if a Real is meant."};
inline constexpr Code comment_not_utf8{
    "W105", "a comment is not UTF-8",
    "Modelica files are UTF-8. The comment does no harm here, but other tools may refuse the file."};
inline constexpr Code unknown_escape{
    "W106", "`{0}` is not an escape sequence; the character is read as it stands",
    "Strings know \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v. A backslash itself is written `\\\\`."};
inline constexpr Code not_in_sum{
    "W107", "`not` as an operand needs parentheses in Modelica",
    "`a == not b` is written `a == (not b)`. Bolza reads it in this sense; other tools may not."};

inline constexpr std::array all_codes{&unknown_character,
                                      &open_string,
                                      &open_comment,
                                      &open_identifier,
                                      &not_utf8,
                                      &too_deep,
                                      &bracket_not_closed,
                                      &bracket_mismatch,
                                      &bracket_not_opened,
                                      &end_name,
                                      &not_closed,
                                      &end_without_begin,
                                      &expected,
                                      &expected_expression,
                                      &reserved_word,
                                      &late_declaration,
                                      &missing_equation_word,
                                      &assignment_in_equation,
                                      &equation_in_algorithm,
                                      &relation_chain,
                                      &power_chain,
                                      &range_chain,
                                      &loose_if,
                                      &not_an_equation,
                                      &bad_target,
                                      &not_a_constraint,
                                      &number_too_large,
                                      &two_descriptions,
                                      &argument_order,
                                      &misplaced_break,
                                      &prefix_clash,
                                      &misplaced_list,
                                      &bad_external,
                                      &class_prefix,
                                      &partial_arguments,
                                      &bad_iterators,
                                      &unreadable,
                                      &unknown_section,
                                      &unknown_prefix,
                                      &sign_after_operator,
                                      &misplaced_annotation,
                                      &attributes_outside_optimization,
                                      &large_integer,
                                      &comment_not_utf8,
                                      &unknown_escape,
                                      &not_in_sum};

}  // namespace bolza::syntax
