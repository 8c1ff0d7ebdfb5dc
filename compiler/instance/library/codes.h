// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

/// Messages about names, classes, modifications and values known at compile time.
namespace bolza::instance::codes {

inline constexpr Code unreadable_file{
    "E201", "cannot read `{0}`: {1}",
    "The file or folder does not exist, or may not be read. A folder is a package only when it holds a `package.mo`."};
inline constexpr Code class_defined_twice{
    "E202", "class `{0}` is defined twice",
    "Two classes of one name are in the same place, so it is not clear which one is meant. Rename or remove one."};
inline constexpr Code unknown_name{
    "E203", "there is no `{0}` in {1}",
    "A name is searched among the components of its class (inherited ones too), then among the classes and imports of that "
    "class, then in the "
    "enclosing classes outwards. Nothing of that name was found. Check the spelling, or import the package that has it."};
inline constexpr Code unknown_class{
    "E204", "there is no class `{0}`",
    "A class is searched in the enclosing classes, among the imports, in the files given, and as a package or file in the "
    "folders of MODELICAPATH "
    "(and the library that comes with Bolza). Set MODELICAPATH to the folder that holds the library, for example "
    "`export MODELICAPATH=$HOME/modelica` where `$HOME/modelica/Modelica 4.1.0/package.mo` exists."};
inline constexpr Code not_a_class{
    "E205", "`{0}` is {1}, a type is needed here",
    "The type of a component and the base of `extends` must be a class: a model, record, connector, type, …"};
inline constexpr Code ambiguous_import{
    "E206", "`{0}` comes from more than one import",
    "Two imports `A.*` and `B.*` both offer the name. Import it by its full name: `import A.name;`."};
inline constexpr Code protected_element{"E207", "`{0}` is protected in `{1}`",
                                        "An element of a `protected` section can be used inside its class and in classes "
                                        "that extend it, not from outside by `a.b`."};
inline constexpr Code not_constant_outside{"E208",
                                           "`{0}` is found in the enclosing class `{1}`, where only constants can be used",
                                           "A class sees the constants of the classes around it, not their variables or "
                                           "parameters: it may be used where those do not exist. "
                                           "Declare it `constant`, or hand it in as a parameter of the inner class."};
inline constexpr Code reserved_name{
    "E209", "`{0}` is the name of a predefined type, nothing else can be called so",
    "Real, Integer, Boolean and String always mean the predefined types. Choose another name."};
inline constexpr Code no_such_element{"E210", "{0} has no {1} `{2}` that could be modified",
                                      "A modification `c(x = 1)` changes an element `x` that the class of `c` has. For "
                                      "Real, Integer, Boolean and String the elements are the "
                                      "attributes: start, fixed, min, max, nominal, unit, displayUnit, quantity, "
                                      "stateSelect, free, selectable, initialGuess as far as the type has them."};
inline constexpr Code modified_twice{
    "E211", "`{0}` is modified twice here",
    "One list of modifications gives an element or attribute at most one value, so that the order does not matter. "
    "`x.start = 1, x(unit = \"m\")` is fine, `x.start = 1, x(start = 2)` is not."};
inline constexpr Code final_modified{"E212", "`{0}` is final, it cannot be modified",
                                     "`final` in a declaration or in a modification fixes the element for everyone who uses "
                                     "or extends the class. Remove the `final` or the modification."};
inline constexpr Code protected_modified{
    "E213", "`{0}` is protected in `{1}`, it cannot be modified from outside",
    "Elements of a `protected` section are details of a class; only classes that extend it change them. Move the element to "
    "the public section, or give the class a public parameter for it."};
inline constexpr Code value_for_class{"E214", "`{0}` is {1}, it cannot be given a value",
                                      "Only variables, records and connectors have values. A component of a model or block "
                                      "is configured by modifying its elements: `m(k = 2)`."};
inline constexpr Code part_of_whole{
    "E215", "`{0}` is given a value, and so is the whole `{1}`",
    "A record gets its value as a whole (`R r = f(x)`) or by its elements (`R r(a = 1)`), "
    "not both: one of the two would be lost. Only parameters that sizes may depend on "
    "(Integer, Boolean and enumerations) can be given in addition to the whole, which has to agree."};
inline constexpr Code disagrees_with_whole{
    "E255", "`{0}` is given the value {1}, but the whole `{2}` has {3} there",
    "`R r(n = 2) = f(x)` says that the record that f gives has n = 2; then r has the sizes for it. Give r the n that the "
    "whole has, or leave it out: it is taken from the whole then."};
inline constexpr Code not_redeclarable{
    "E216", "`{0}` cannot be redeclared: {1}",
    "Only elements declared `replaceable` may get another type (refused by `--strict` only), and constants may not at all. "
    "A redeclaration that shall be "
    "redeclared again says `redeclare replaceable`. Inside a class, `redeclare` speaks of an inherited element."};
inline constexpr Code does_not_fit{
    "E217", "`{0}` cannot take the place of `{1}`: {2}",
    "What replaces an element must have all public components (and, in packages, classes) of the constraining class, with "
    "the same "
    "types and prefixes, so that everything written for the original still holds. The constraining class stands after "
    "`constrainedby`; "
    "without it, it is the class of the original declaration.\n\n  replaceable Resistor r constrainedby TwoPin;"};
inline constexpr Code no_inner{
    "E218", "no enclosing component declares `inner {0}`, and none can be added: {1}",
    "`outer` stands for the component of that name which the nearest enclosing component (or the model itself) declares "
    "`inner`. Where "
    "none does, one is added at the top level from the class of the outer declaration; that class must be complete."};
inline constexpr Code outer_modified{
    "E219", "the outer component `{0}` cannot be modified",
    "An `outer` declaration only refers to the `inner` component; values and modifications belong there."};
inline constexpr Code duplicate_element{"E220", "`{0}` is declared twice in `{1}`",
                                        "Elements of a class have different names. An inherited element may be declared "
                                        "once more only when the two declarations are identical."};
inline constexpr Code inheritance_cycle{
    "E221", "`{0}` extends itself",
    "The chain of `extends` clauses (or of short classes) leads back to the class it started from."};
inline constexpr Code component_recursion{
    "E222", "a `{0}` contains a `{0}`: `{1}`",
    "A class that has a component of its own type, directly or through others, would be infinitely large."};
inline constexpr Code partial_class{
    "E223", "class `{0}` is partial: it is meant to be extended, not used",
    "A `partial` class is incomplete: it misses equations or components that its extensions add. Use one of these."};
inline constexpr Code wrong_kind{"E224", "a {0} cannot be used as {1}",
                                 "Components are of models, blocks, classes, records, connectors and types. A package or "
                                 "function has no instances, and an `optimization` "
                                 "class is a whole problem: extend it instead of declaring a component of it."};
inline constexpr Code not_in_this_kind{"E225", "a {0} cannot have {1}",
                                       "Specialised classes are restricted: records and connectors have public components "
                                       "only, without equations, algorithms, inner or outer; "
                                       "components of records are neither flow, input nor output; public components of "
                                       "functions are inputs or outputs, and a function has one "
                                       "algorithm. Literals of an enumeration differ from each other and from the "
                                       "attributes (`min`, `max`, `start`, `fixed`, `quantity`)."};
inline constexpr Code wrong_prefix{"E226", "`{0}` cannot be {1}",
                                   "flow and stream variables are Real and have no input or output; models and blocks as "
                                   "components are neither input, output, flow, nor discrete."};
inline constexpr Code bad_condition{
    "E227", "the condition of `{0}` must be a Boolean known at compile time",
    "`C c if b;` decides whether the component exists, so b must follow from constants and parameters with a value."};
inline constexpr Code bad_dimension{"E228", "{0} is not a size",
                                    "The size of an array is an Integer expression that is not negative and known at "
                                    "compile time, `:` for the size of the value given, an "
                                    "enumeration type, or Boolean."};
inline constexpr Code unknown_size{"E229", "the size of `{0}` is left open by `:`, and there is no value to take it from",
                                   "`Real x[:] = {1, 2, 3}` has the size of its value, `Real x[:](start = {1, 2, 3})` that "
                                   "of its start values. Give one, or "
                                   "a size."};
inline constexpr const char* end_outside = "is used outside subscripts (the end of the horizon is called `finalTime`)";
inline constexpr Code depends_on_variable{"E230", "`{0}` is not known at compile time: it {1}",
                                          "Sizes of arrays, ranges of for-loops, conditions of components and the like "
                                          "decide on the structure of the model. They must follow from "
                                          "constants and from parameters with a value."};
inline constexpr Code free_parameter{"E231", "`{0}` is needed at compile time, but it is a free parameter",
                                     "`free = true` and `fixed = false` make a parameter an unknown of the problem. It "
                                     "cannot decide on sizes, ranges, or conditions of components."};
inline constexpr Code no_value{"E232", "`{0}` is needed at compile time, but it has no value",
                               "Give the parameter a value where it is declared, where the component is declared (`c(n = "
                               "3)`), or on the command line (`--set c.n=3`)."};
inline constexpr Code depends_on_itself{
    "E233", "the value of `{0}` depends on itself",
    "The values of constants and parameters are computed one from another, so there must be an order."};
inline constexpr Code type_mismatch{
    "E234", "{0} cannot be applied to {1}",
    "Operands have to fit: numbers with numbers, Booleans with `and`, `or`, `not`; arrays of equal size for `+` and `-`."};
inline constexpr Code size_mismatch{"E235", "{0} has the dimensions {1}, but {2} are needed",
                                    "The dimensions of a value must be those of the variable it is given to. For an array "
                                    "of components, a value that is meant for each of them is "
                                    "marked with `each`: `Tank t[3](each h = 1)`."};
inline constexpr Code differs_between_elements{
    "E236", "`{0}` differs between the elements of an array of components, and is needed at compile time",
    "Sizes and conditions may differ between the elements of an array of components that are given one by one. Here they "
    "cannot be taken apart: the whole of a record around them is given by one value, or a function is called that needs one "
    "size for all. Declare separate components."};
inline constexpr Code ragged_array{
    "E256", "the elements of `{0}` differ in their sizes: they can only be used one by one",
    "`R r[2](n = {2, 3})` may have elements of different sizes, and `r[1].x`, `r[2].x` are arrays as any others. `r.x` "
    "would "
    "be an array with rows of different lengths, which Modelica does not have, nor can `r` be passed as an array of "
    "records."};
inline constexpr Code index_out_of_range{"E237", "index {0} is outside 1..{1} of `{2}`",
                                         "Indices start at 1. `end` is the last one."};
inline constexpr Code undefined_result{"E238", "{0} is not defined here: {1}",
                                       "The expression was computed at compile time, and an operation had no result: a "
                                       "division by zero, the root of a negative number, …"};
inline constexpr Code too_long{
    "E239", "the computation of `{0}` at compile time did not end after {1}",
    "A function called while compiling runs forever, calls itself without end, or is too expensive for the compiler."};
inline constexpr Code failed_assertion{"E240", "assertion failed while computing at compile time: {0}",
                                       "An `assert` in a function was false for the arguments given."};
inline constexpr Code wrong_arguments{"E241", "`{0}`: {1}",
                                      "The arguments of a call must match the inputs of the function: positional ones "
                                      "first, then named ones; inputs without default must be given."};
inline constexpr Code not_computable{"E242", "`{0}` cannot be computed at compile time: {1}",
                                     "While compiling, functions are computed by running their algorithm. External "
                                     "functions and functions without a body cannot be run then."};
inline constexpr Code bad_table{"E243", "cannot read the table `{0}`: {1}",
                                "`Modelica.DOML.readTable` reads the numbers of a CSV file: one row per line, as many in "
                                "every line, separated by tabs, semicolons, commas or "
                                "blanks; lines of headings come first. A relative name is looked for next to the "
                                "file that names it, then next to the model."};
inline constexpr Code external_not_found{
    "E244", "the external function `{0}` was not found",
    "External functions are C or FORTRAN 77 functions of shared libraries. `annotation(Library = \"name\")` at the external "
    "clause names the library: libname.so is looked for in `LibraryDirectory`, in Resources/Library (and its folder "
    "linux64) "
    "of the package, next to the model, and where the system has its libraries. What no library has is taken from the C "
    "text "
    "of `annotation(Include = \"...\")`, which the system's C compiler ($CC, else cc) compiles into the cache; files that "
    "it "
    "includes are looked for in `IncludeDirectory`, Resources/Include of the package and next to the model. Where there is "
    "no "
    "compiler, make the library elsewhere:\n\n"
    "  cc -shared -fPIC name.c -o libname.so"};
inline constexpr Code foreign_refused{
    "E257", "`{0}` was refused: {1}",
    "A model is data until its user says otherwise. Foreign code (external C and FORTRAN functions, C text in `Include`, "
    "libraries) and functions for files, the environment and the system can do anything that you can do, so they run only "
    "where they are trusted:\n\n"
    "  - `check` and `flatten` run none.\n"
    "  - Other commands run those of libraries on MODELICAPATH or --path, which you put there.\n"
    "  - Those of a file given by name run with --trust, or when a line\n\n"
    "      trust = /home/me/models\n\n"
    "    of the settings names a folder that the file is in. The settings are the file bolza/settings in $XDG_CONFIG_HOME, "
    "else in ~/.config; nobody else may be able to write it.\n"
    "  - --trust none closes everything, as a server does.\n\n"
    "Functions of the Modelica library that Bolza has itself (strings, random numbers, matrices, tables) and C's "
    "mathematical "
    "functions are always there. Any model may read the files of its packages (`modelica://`), and tables of numbers next "
    "to "
    "its own file. With --sandbox, what is trusted runs without network, on a read-only system. docs/security.md says what "
    "all this promises."};
inline constexpr Code external_failed{
    "E245", "the external function `{0}` failed: {1}",
    "The C function called ModelicaError, ModelicaFormatError or one of their kind. The text is its own."};
inline constexpr Code not_like_a_package{
    "E246", "`{0}` cannot be taken out of `{1}`, which is not a package",
    "`A.B` names a class or constant of a package. Of a model, block, … with variables or equations only `encapsulated` "
    "classes can be "
    "used from elsewhere: the others may rest on what surrounds them. Put B into a package, or declare it `encapsulated`."};
inline constexpr Code class_of_array{
    "E247", "`{0}` cannot be called through `{1}`, which is an array",
    "A function of the class of a component is called as `c.f(x)`, where `c` is one component and not an array: the "
    "elements of an array may differ in what `f` uses. Call the function by the name of its class, `C.f(x)`."};
inline constexpr Code class_of_constant{
    "E253", "`{0}` cannot be taken out of `{1}`, which is a constant of a class",
    "A function is found through a component of the model, `c.f(x)`, or through classes, `P.C.f(x)`. After a constant that "
    "was "
    "itself found in a class the name does not go on to classes. Call the function by the name of its class."};
inline constexpr Code named_like_type{"E254", "`{0}` has the name of its type",
                                      "Inside the class the name would mean the component, so the declaration would take "
                                      "itself for its type. Give the component "
                                      "another name."};
inline constexpr Code conditional_used{
    "E248", "`{0}` has a condition, so it can only be connected or modified, not used in an expression",
    "A component `C c if b;` may not be there. Connections to it vanish with it; an equation could not. Where its condition "
    "holds this is a warning, which `--strict` makes an error. Use a component without a condition, and connect it to the "
    "conditional one."};
inline constexpr Code replaceable_base{
    "E249", "`{0}` is replaceable, so it cannot be extended",
    "What a class inherits must not change when the class is used: the base would be another one after a redeclaration. "
    "Extend a class that is not `replaceable`, or redeclare with `redeclare model extends`."};
inline constexpr Code unbalanced_connector{
    "E250", "the connector `{0}` has {1} flow variables but {2} potential variables",
    "Each connection gives one equation for every variable, so a connector has as many `flow` variables as others that are "
    "neither input, output, parameter nor constant (arrays count by their elements). Declare the missing `flow` variable, "
    "or "
    "give the variable a direction: `input` or `output`.\n\n  connector Pin\n    Real v;\n    flow Real i;\n  end Pin;"};
inline constexpr Code stream_without_flow{
    "E259", "the stream variable `{0}` is in a connector with {1} flow variables, where one is needed",
    "A stream variable is carried by what flows: the sign of the flow says whether its value comes from the component or "
    "from the other side. So a connector with stream variables has exactly one scalar `flow` variable.\n\n"
    "  connector Port\n    Real p;\n    flow Real m;\n    stream Real h;\n  end Port;"};
inline constexpr Code import_from_non_package{
    "E251", "`{0}` cannot be imported from `{1}`, which is not a package",
    "Imports take classes and constants out of packages. Move the class into a package, or name it in full."};
inline constexpr Code no_direction{
    "E252", "`{0}` of the block has no direction: `{1}` is neither input nor output",
    "All variables of a block's public connectors are inputs or outputs, so that it can be read from left to right. Declare "
    "the class a `model` when it has physical connectors."};
inline constexpr Code too_many_components{
    "E258", "`{0}` has more than half a million components",
    "Classes with several components of classes with several components … double with each of them. An array of "
    "components,\n"
    "`Cell cell[1000]`, counts once, where its elements do not differ in sizes or conditions."};
inline constexpr Code extends_not_inherited{
    "E260", "`{0}` is not inherited by {1}, so there is nothing that it could extend",
    "`model extends X` changes a class X that the class around it inherits: its base is the X of the bases. Inherit from a "
    "class that has an X, or declare a new class `model X`."};
inline constexpr Code extends_other_kind{"E261", "`{0} extends {1}` extends a {2}",
                                         "What extends an inherited class of its own name takes its place, so it has to be "
                                         "of the same kind: a model for a model, a "
                                         "function for a function, a record for a record."};
inline constexpr Code extends_final_class{
    "E262", "`{0}` is final, it cannot be extended under its own name",
    "`final` fixes a class for everyone who inherits it: neither a redeclaration nor `redeclare model extends` may take its "
    "place. Remove the `final`, or give the class that extends it a name of its own."};
inline constexpr Code ambiguous_operator{
    "E263", "more than one function of `{0}` fits {1}",
    "The functions of an operator of a record are told apart by the types and dimensions of their inputs. First those count "
    "that take the operands as they are, then those that take them converted by a constructor with one argument; of either "
    "kind only one may fit. Convert an operand by hand, `R(x)`, or give the functions other inputs."};
inline constexpr Code no_operator{
    "E264", "no function of `{0}` fits {1}",
    "An operator record says by functions in `operator '+'`, `'-'`, `'*'`, … what the operators mean for it. None of them "
    "takes "
    "operands of these types and dimensions, also not after a conversion by a constructor with one argument."};
inline constexpr Code element_modified{
    "E265", "`{0}`: an element of an array cannot be modified by itself",
    "A modification is about a whole array: its values are those of all elements, `tank(level(start = {1, 2, 2}))` or "
    "`--set \"tank.level(start = {1, 2, 2})\"`, and `each` gives one value to all of them."};
inline constexpr Code field_without_domain{
    "E501", "the field `{0}` has no domain",
    "A field has a value at every point of a domain: `DomainLineSegment1D omega(L = 1, N = 50)` and "
    "`field Real u(domain = omega)`."};
inline constexpr Code not_a_domain{
    "E502", "`{0}` is not a domain",
    "Domains are components of type `DomainLineSegment1D`, with the sides `left` and `right`, or `DomainRectangle2D`, with "
    "`bottom` and `top` besides. An equation holds `indomain omega`, or on a side: `indomain omega.left`."};
inline constexpr Code not_supported{"E290", "not supported yet: {0}",
                                    "The model uses a construct of Modelica that this version reads but does not translate. "
                                    "The message names it and its place."};

inline constexpr Code package_of_within_missing{
    "W201", "the package `{0}` named by `within` is not found, `{1}` is taken as a top-level class",
    "`within A.B;` says that the file belongs to package A.B. Open the file from the folder of its package, or put the "
    "package on MODELICAPATH."};
inline constexpr Code attributes_of_component{"W211", "the class attributes of `{0}` have no effect on the component `{1}`",
                                              "startTime, finalTime, objective, … written after the name of a class count "
                                              "when that class is solved, or extended by the class that is solved; "
                                              "not when it is a part."};
inline constexpr Code inner_added{
    "W218",
    "no enclosing component declares `inner {0}`; one of class `{1}` with its default values is added at the top level",
    "`outer` components need an `inner` one around them. Declare it in the model, with the values that you want:\n\n"
    "  inner Modelica.Mechanics.MultiBody.World world;"};
inline constexpr Code out_of_partial{"W223", "`{0}` is taken out of `{1}`, a partial package",
                                     "What a partial package leaves open may be missing in the classes in it: a model "
                                     "should extend the package first. Classes "
                                     "that need nothing of that, as icons, are the same without."};
inline constexpr Code not_replaceable{
    "W224", "`{0}` is redeclared although it is not declared `replaceable`",
    "Only what is declared `replaceable` may be redeclared: its author counts on nothing else. Many libraries and programs "
    "do "
    "not mind, so it is done, as far as the replacement fits. `--strict` refuses it. Declare the element `replaceable`."};
inline constexpr Code repeated_element{"W225", "`{0}` is declared twice in `{1}`, with the same words",
                                       "Elements of one class have different names. Two declarations that say the same are "
                                       "taken as one, as others do; `--strict` "
                                       "refuses them. Remove one."};
inline constexpr Code hidden_package{
    "W227", "`{0}` means {1} here, which has no `{2}`; {2} of {3} is taken",
    "The first part of a name is looked for from the inside to the outside: in a package P with a class P, `P.A` written in "
    "the package is an A of that class, which hides the package. Others take the package, so that is done; `--strict` "
    "refuses it. Write `A`, or `.P.A`."};
inline constexpr Code start_as_value{"W230", "parameter `{0}` has no value, its `start` is taken",
                                     "A parameter without value is computed from its start value. Write `parameter Real k = "
                                     "1` instead of `parameter Real k(start = 1)`."};

inline constexpr std::array all_codes{&unreadable_file,
                                      &class_defined_twice,
                                      &unknown_name,
                                      &unknown_class,
                                      &not_a_class,
                                      &ambiguous_import,
                                      &protected_element,
                                      &not_constant_outside,
                                      &reserved_name,
                                      &no_such_element,
                                      &modified_twice,
                                      &final_modified,
                                      &protected_modified,
                                      &value_for_class,
                                      &part_of_whole,
                                      &disagrees_with_whole,
                                      &not_redeclarable,
                                      &does_not_fit,
                                      &no_inner,
                                      &outer_modified,
                                      &duplicate_element,
                                      &inheritance_cycle,
                                      &component_recursion,
                                      &partial_class,
                                      &wrong_kind,
                                      &not_in_this_kind,
                                      &wrong_prefix,
                                      &bad_condition,
                                      &bad_dimension,
                                      &unknown_size,
                                      &depends_on_variable,
                                      &free_parameter,
                                      &no_value,
                                      &depends_on_itself,
                                      &type_mismatch,
                                      &size_mismatch,
                                      &differs_between_elements,
                                      &ragged_array,
                                      &index_out_of_range,
                                      &undefined_result,
                                      &too_long,
                                      &failed_assertion,
                                      &wrong_arguments,
                                      &not_computable,
                                      &bad_table,
                                      &external_not_found,
                                      &foreign_refused,
                                      &external_failed,
                                      &not_like_a_package,
                                      &class_of_array,
                                      &class_of_constant,
                                      &named_like_type,
                                      &conditional_used,
                                      &replaceable_base,
                                      &unbalanced_connector,
                                      &stream_without_flow,
                                      &import_from_non_package,
                                      &no_direction,
                                      &too_many_components,
                                      &extends_not_inherited,
                                      &extends_other_kind,
                                      &extends_final_class,
                                      &ambiguous_operator,
                                      &no_operator,
                                      &element_modified,
                                      &not_supported,
                                      &package_of_within_missing,
                                      &attributes_of_component,
                                      &inner_added,
                                      &out_of_partial,
                                      &not_replaceable,
                                      &repeated_element,
                                      &hidden_package,
                                      &start_as_value,
                                      &field_without_domain,
                                      &not_a_domain};

}  // namespace bolza::instance::codes

namespace bolza::instance {
using codes::all_codes;
}
