// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

/// What flattening says: types, sizes, connections, functions, the optimisation problem. E3.., W3..
namespace bolza::flatten {

inline constexpr Code unsupported{
    "E301", "{0} is not supported yet",
    "The construct is legal Modelica, but this version of Bolza does not translate it: "
    "state machines, and external functions other than mathematical ones and the library's "
    "tables belong to a "
    "later version. Nothing is ever skipped silently: rewrite the model without the construct, or take the component out."};
inline constexpr Code sizes_differ{
    "E302", "the sizes in this {0} differ: {1} and {2}",
    "Sums, equations, assignments and connections need operands of equal size; a matrix product needs equal inner sizes. "
    "Modelica never repeats a "
    "scalar over an array on its own.\n\n  Real x[3], y[2];\nequation\n  x = y;            // sizes [3] and [2]\n\nUse "
    "`fill(s, n)` for a constant "
    "array and the element-wise operators `.+ .- .* ./ .^` to combine a scalar with every element."};
inline constexpr Code types_differ{"E303", "the types differ: {0} and {1}",
                                   "Both sides of an equation, both branches of an if-expression and both operands of a "
                                   "comparison need the same type; only Integer turns into Real "
                                   "by itself. Use `if b then 1 else 0` to make a number from a Boolean."};
inline constexpr Code operand_type{"E304", "`{0}` needs {1} operands, this is {2}",
                                   "The operator or function is not defined for operands of this type or shape. Arithmetic "
                                   "needs numbers, `and`, `or`, `not` need Booleans, `/` "
                                   "needs a scalar divisor and comparisons need scalars."};
inline constexpr Code expected_type{"E305", "expected {0}, this is {1}",
                                    "The place needs an expression of another type or shape: conditions are scalar "
                                    "Booleans, subscripts and sizes are Integers, objectives and bounds "
                                    "are scalar numbers."};
inline constexpr Code subscript_out_of_range{
    "E306", "subscript {0} is outside dimension {1}, which has {2} elements",
    "Subscripts run from 1 to the size of the dimension. In a for-equation some value of the iterator leads outside: look "
    "at the ends of its "
    "range.\n\n  Real x[3];\nequation\n  for i in 1:3 loop\n    x[i] = x[i + 1];   // x[4] for i = 3\n  end for;"};
inline constexpr Code not_known_at_compile_time{"E308", "{0} is needed at compile time, but has no value then",
                                                "Sizes, ranges, subscripts and conditions that choose between equations are "
                                                "evaluated before the model runs. They may depend on constants, "
                                                "iterators and parameters with values, not on variables, time or inputs. "
                                                "Inside a function subscripts may be computed: put the selection "
                                                "`x[k]` with a variable k into a function."};
inline constexpr Code too_many_subscripts{"E309", "too many subscripts for an array of size {0}",
                                          "A component takes at most as many subscripts as it has dimensions. Dimensions of "
                                          "an enclosing array component are subscripted at that "
                                          "component: `tank[2].level[3]`."};
inline constexpr Code iterator_is_scalar{"E311", "the iterator `{0}` is a scalar and has no members",
                                         "An iterator stands for one number of its range. A component of the same name is "
                                         "hidden inside the loop; rename one of them."};
inline constexpr Code range_not_implied{"E312", "the range of `{0}` is not implied by a subscript",
                                        "`for i loop` without a range takes it from an array that is subscripted with "
                                        "exactly `i` in the body: `x[i]`. Write the range: "
                                        "`for i in 1:n loop`."};
inline constexpr Code ranges_differ{
    "E387", "`{0}` is a subscript of dimensions of size {1} and of size {2}",
    "`for i loop` without a range takes it from the arrays that are subscripted with `i`: all "
    "of them must have one size there. Write the range: `for i in 1:n loop`."};
inline constexpr Code step_is_zero{"E313", "the step of this range is zero",
                                   "A range `a:s:b` goes from a to b in steps of s, so s must not be zero."};
inline constexpr Code not_a_value{
    "E314", "`{0}` is a class, not a value",
    "A type or function name cannot stand where a value is needed. A function needs its arguments: `f(x)`."};
inline constexpr Code not_a_function{"E315", "`{0}` is not a function",
                                     "Only functions, record constructors and, in optimisation problems, variables at a "
                                     "time such as `x(finalTime)` are called with arguments."};
inline constexpr Code not_a_variable{"E316", "`{0}` is not a number that can be used in an equation",
                                     "The name stands for something without a numerical value here: a String, a conditional "
                                     "component that is absent, or a member of the "
                                     "optimisation problem such as `objective`."};
inline constexpr Code removed_component{"E317", "`{0}` does not exist, its condition is false",
                                        "A component declared with `if` whose condition is false is taken out of the model "
                                        "with all connections to it. It may only be used in connect "
                                        "equations."};
inline constexpr Code open_bus_member{
    "E347", "nothing says what `{0}` is",
    "A connection to a name that an expandable connector does not declare adds a member to it, of the type of the other "
    "side. Where both sides are such names, some other connection has to lead to a declared component."};
inline constexpr Code bus_member_not_written{
    "E348", "`{0}` is read from the bus, but nothing writes it",
    "A signal on a bus comes from the one output, or input of the whole model, that is connected to it. Connect a source, "
    "on any bus that is connected to this one, under the same name."};
inline constexpr Code no_root{
    "E322", "nothing says what the root of the connected components around `{0}` is",
    "Overconstrained connectors, such as the frames of MultiBody, have more variables than are independent. One place in "
    "every tree of connected ones has to begin: `Connections.root(a.R)` names it, `Connections.potentialRoot(a.R)` offers "
    "one. In MultiBody the model `World` is a root and bodies are potential roots: connect one of them."};
inline constexpr Code two_roots{
    "E329", "`Connections.root` names two roots that branches connect",
    "Between two roots at least one connection has to be broken, by an equality constraint in its place. "
    "`Connections.branch` cannot be broken: take one of the roots away, make it a `Connections.potentialRoot`, or put a "
    "`connect` between them."};
inline constexpr Code branches_in_loop{
    "E343", "this branch closes a loop of branches",
    "What `Connections.branch` connects stays connected, so branches alone must not form a loop: then no tree holds all of "
    "them. Loops are closed by `connect`, which is broken there."};
inline constexpr Code graph_needs_itself{
    "E344", "`{0}` decides about connections, which have to be known first",
    "Where roots are follows from all connections and branches of the model. So an if-equation around a `connect` or "
    "`Connections.branch` cannot ask for it."};
inline constexpr Code not_overconstrained{
    "E345", "the operators of `Connections` need a component of an overconstrained type, this is `{0}`",
    "Such a type is a record or a type with a function `equalityConstraint`, as `R` in the frames of MultiBody: "
    "`Connections.root(frame.R)`."};
inline constexpr Code not_in_branch{
    "E346", "`rooted` needs a branch that connects `{0}`",
    "`Connections.rooted(a.R)` says for `Connections.branch(a.R, b.R)` which of both is nearer to the root. It has no "
    "meaning where no branch leads to `a.R`."};
inline constexpr Code not_a_stream{
    "E320", "`{0}` needs a stream variable of a connector, this is {1}",
    "`inStream(port.h)` is what flows into a component if it flows into it, `actualStream(port.h)` what flows now. Both "
    "belong to a variable that is declared with `stream` in a connector, beside the flow variable that carries it; its "
    "place is written as a name, perhaps with subscripts."};
inline constexpr Code no_such_member{"E318", "`{0}` is not a member of this value of type {1}",
                                     "After the dot comes a field of a record. Check the spelling, and that the value is a "
                                     "record and not one of its fields already."};
inline constexpr Code record_in_expression{
    "E319", "a record of type {0} cannot be used in arithmetic",
    "Records may be set equal, assigned, passed to functions and taken apart with a dot; arithmetic works on their fields."};
inline constexpr Code string_in_expression{"E321", "a String cannot be used in arithmetic",
                                           "Strings may be compared, and used where the model is built (file names, choices "
                                           "of a variant), but equations are between numbers."};
inline constexpr Code value_size{"E323", "the value of `{0}` has size {2} instead of {1}",
                                 "A binding or attribute of an array needs one value per element. For the same value "
                                 "everywhere write `each`:\n\n  Tank tank[3](each area = 2);   "
                                 "// all tanks\n  Tank tank[3](level0 = {1, 2, 3});"};
inline constexpr Code free_differs{
    "E324", "`free` must be the same for all elements of `{0}`",
    "An array is either a decision variable as a whole or not at all. Split it into two components."};
inline constexpr Code too_many_scalars{
    "E325", "{0} makes the model larger than {1} scalars",
    "Something is kept for every element of every array and every instance of an equation: "
    "1 kB and 7 µs, where all of them differ. Look at the sizes: probably one of them is "
    "wrong. Where it is meant, `--max-scalars` raises the limit."};
inline constexpr Code too_many_elements{"E397", "{0} has more than 50 million elements",
                                        "Arrays in expressions and functions are bounded, too. Look at the sizes: probably "
                                        "one of them is wrong."};
inline constexpr Code too_many_terms{"E395", "with this sum the model has more than {0} terms of sums",
                                     "A sum is written out, term by term, wherever it stands. Sums over all elements before "
                                     "an element can be one term each:\n"
                                     "    s[i] = s[i - 1] + x[i];\n\n"
                                     "Where it is meant, `--max-scalars` raises the limit, which is twice that number."};
inline constexpr Code chain_too_long{"E310", "this chain has more than {0} operands",
                                     "Sums may have any length; products, conditions and `elseif` have a limit, so that no "
                                     "input exhausts the stack. Put the operands into an array and "
                                     "use `product`, or name parts of the expression."};
inline constexpr Code too_few_dimensions{
    "E326", "`{0}` along dimension {1} needs arrays with that dimension",
    "`cat(k, a, b)` joins arrays along their k-th dimension, so they must have at least k dimensions."};
inline constexpr Code value_varies{"E327", "the value of `{0}` must not depend on variables or time",
                                   "Values of parameters, and attributes such as start, min and max, are fixed before the "
                                   "model runs. They may depend on constants and other "
                                   "parameters. A quantity that changes is declared without `parameter`."};

inline constexpr Code guess_varies{
    "E328", "the guess of `{0}` must depend on `time` and parameters only",
    "`initialGuess` is evaluated before anything is solved: over the guessed horizon, at the "
    "guesses of free parameters. There no variable has a value yet. Write it as a function of "
    "`time`: `Real x(initialGuess = 1 - time/finalTime)`."};

inline constexpr Code argument_count{
    "E330", "`{0}` takes {1} arguments, {2} are given",
    "The call has too few or too many arguments. Optional inputs have a default value in the function's declaration."};
inline constexpr Code no_such_argument{"E331", "`{0}` is not an input of `{1}`",
                                       "A named argument must be one of the function's inputs (or of the record's fields). "
                                       "Built-in functions take arguments by position."};
inline constexpr Code argument_twice{"E332", "the argument `{0}` is given twice",
                                     "An input is set once: by position or by name."};
inline constexpr Code argument_missing{"E333", "the argument `{0}` of `{1}` is missing",
                                       "Every input without a default value needs an argument."};
inline constexpr Code argument_type{"E334", "`{0}` of `{1}` has {2} dimensions, the argument is {3}",
                                    "An argument has the type and at least the dimensions of the input. More dimensions "
                                    "call the function for every element."};
inline constexpr Code no_output{"E335", "the function `{0}` has no output",
                                "A function without outputs has no value and cannot stand in an expression."};
inline constexpr Code too_many_outputs{
    "E336", "the call gives {0} values, {1} are taken",
    "The list on the left may be shorter than the outputs of the function, or have holes, but not be longer."};
inline constexpr Code recursive_function{
    "E337", "the function `{0}` calls itself with arguments of the same sizes",
    "Recursive functions have no derivative Program. Use a loop. A function may call itself where "
    "the values of its Integers and Booleans, known when the model is compiled, end that."};
inline constexpr Code function_without_body{
    "E338", "the function `{0}` has neither an algorithm nor an external body",
    "A partial function must be replaced by a complete one before it can be called."};
inline constexpr Code size_of_local{"E339", "the size of `{0}` in `{1}` cannot be found",
                                    "Locals and outputs with `:` take their size from their binding, or from the first "
                                    "statement that gives them a value as a "
                                    "whole. Give the size by inputs: `output Real y[size(x, 1)]`."};
inline constexpr Code size_depends_on_loop{"E340",
                                           "a size in this loop depends on `{0}`, whose range is not known at compile time",
                                           "Arrays have fixed sizes. Slices such as `x[1:i]` in a loop over i need a loop "
                                           "whose range is known, so that it can be written out."};
inline constexpr Code not_in_function{"E341", "this cannot be used inside a function",
                                      "A function knows its inputs, its own variables and constants; time, derivatives and "
                                      "variables of the model have to be passed as arguments."};
inline constexpr Code not_assignable{"E342", "this cannot be assigned to",
                                     "On the left of `:=` comes an output or a local variable of the function, or a "
                                     "variable of the model in an algorithm section."};

inline constexpr Code conditional_in_expression{
    "W226", "`{0}` has a condition, and is used in an expression",
    "The language lets a component `C c if b;` be connected and modified only, as it may not be there. Where it is there "
    "the "
    "expression has a meaning, and others let it pass; `--strict` refuses it. Use a component without a condition, and "
    "connect it to the conditional one."};
inline constexpr Code derivative_of_expression{
    "E350", "`der` of this expression is not supported",
    "In equations `der` takes every expression of Reals that changes continuously, also calls of functions. In algorithms, "
    "constraints and objectives it takes variables, and sums, products, quotients, powers, if-expressions and smooth "
    "functions of them; records have no derivative. Give the expression a variable of its own: `y = …; … der(y)`."};
inline constexpr Code derivative_of_discrete{
    "E351", "`{0}` is not a continuous Real, it has no derivative",
    "Only Real variables that are not `discrete` change continuously. What changes at events keeps its value in between."};
inline constexpr Code branches_differ{"E352", "the branches of this if-equation have {0} and {1} scalar equations",
                                      "When the condition can change while the model runs, every branch (also `else`) must "
                                      "have equally many equations. With a condition of parameters "
                                      "only, the branch is chosen when the model is compiled and the branches may differ."};
inline constexpr Code not_in_open_branch{
    "E353", "{0} is not allowed in an if-equation whose condition can change",
    "The structure of a model is fixed while it runs. Make the condition depend on parameters only."};
inline constexpr Code call_without_effect{
    "W307", "the result of `{0}` is not used, so the call has no effect",
    "Functions have no side effects: what a call gives counts only where it is assigned. Write `y = f(x)`."};
inline constexpr Code connect_not_connector{
    "E355", "`connect` needs two connectors, this is `{0}`",
    "Both arguments of connect are components of a connector class, or members of one."};
inline constexpr Code connect_mismatch{
    "E356", "`{0}` and `{1}` cannot be connected, their members differ",
    "Connected connectors have the same members with the same types, sizes and prefixes (flow with flow)."};

inline constexpr Code connect_parameters_differ{"E357", "the connected parameters `{0}` and `{1}` differ: {2} and {3}",
                                                "Parameters and constants of connected connectors must have equal values: "
                                                "they say what the connection is (a number of phases, "
                                                "a medium)."};
inline constexpr Code two_sources{"E358", "the connection has two sources: `{0}` and `{1}`",
                                  "A signal comes from one place: one output of a component, or one input of the class "
                                  "itself. Every further source would have to be equal by "
                                  "chance. Add the signals in a block, or remove a connection."};

inline constexpr Code timed_argument{"E360", "`{0}` at a time needs one scalar parameter expression as the time",
                                     "`x(t1)` is the value of x at time t1. The time may depend on parameters, `startTime` "
                                     "and `finalTime`, not on variables."};
inline constexpr Code timed_in_equation{"E361", "timed variables are not allowed in equations",
                                        "`x(finalTime)` may stand in the objective and in constraints. An equation holds at "
                                        "every time; put the relation into the `constraint` section."};
inline constexpr Code objective_at_end{
    "W362", "the objective varies with time: its value at the final time is taken",
    "The objective is one number, and what is written varies with time. `objective = x*y` is read as `objective = "
    "x(finalTime)*y(finalTime)`, as OpenModelica reads it, and as where its `annotation(isMayer = true)` marks a variable. "
    "What is summed over the horizon is an `objectiveIntegrand`. An expression with a control in it is not read so "
    "(E362): more often than not it was meant to be summed."};
inline constexpr Code phase_without_end{
    "E389", "the phase `{0}` has no end",
    "A component of an optimization class that is of an optimization class itself, or that is given a startTime or "
    "finalTime, is a phase, and needs an end:\n\n  Ascent climb(finalTime(free = true, initialGuess = 100));\n  Coast "
    "coast(finalTime = climb.finalTime + 30);\n\nIts start may be left out: then it is the end of the phase before it, or "
    "0."};
inline constexpr Code horizon_of_phases{
    "E390", "`{0}` of `{1}` means nothing: each of its phases has its own",
    "A class whose components are phases has no horizon itself. Give the times to the phases, `climb(finalTime = 100)`, and "
    "name "
    "them where they are needed: `climb.finalTime`. A problem of phases cannot be static."};
inline constexpr Code static_phase{
    "E396", "the phase `{0}` cannot be static: a phase has a horizon",
    "A static problem is one point, and what holds at one point beside phases is made of parameters of the class around:\n"
    "    parameter Real area(free = true);   constraint area*first.x(finalTime) <= 3;"};
inline constexpr Code objective_variability{"E362", "the objective varies with time, and nothing says when it is read",
                                            "The objective is one number. A variable has to be taken at a time, `objective "
                                            "= cost(finalTime)`; what is summed over time goes into "
                                            "`objectiveIntegrand`."};
inline constexpr Code two_objectives{"E363", "the problem has two objectives",
                                     "Either `objective` and `objectiveIntegrand` in the head, or one `minimize` or "
                                     "`maximize`, or variables annotated isMayer and isLagrange. Put "
                                     "everything into one of them."};
inline constexpr Code integral_misplaced{
    "E364", "`integral(…)` is a number of the whole horizon, for objectives and constraints",
    "An integral over the horizon may stand in objectives and constraints: `minimize x(finalTime)^2 + "
    "sqrt(integral(u^2))`,\n"
    "`constraint integral(u^2) <= 1`. It is the value at the end of a state that starts at 0. An equation holds at every\n"
    "time and needs the state itself; so does an integrand of another integral:\n"
    "    Real J(start = 0, fixed = true);   equation der(J) = u^2;\n"
    "What is integrated may not be taken at one time, and a static problem has no time to integrate over."};
inline constexpr Code integrand_is_timed{
    "E365", "what is integrated must not be a timed value",
    "The integrand is a function of time. A term that is one number belongs into `objective`."};
inline constexpr Code extremum_not_monotone{
    "E367", "a maximum over time can be minimised or bounded from above here, a minimum maximised or bounded from below",
    "`maxOverTime(e)` becomes a free parameter m with the path constraint e <= m, which is the maximum only where m is "
    "pressed "
    "down: where it is\nminimised, or bounded from above. It may stand in sums, in products with numbers, in `exp`, `sqrt`, "
    "`log`, `max` and `min`.\n    minimize peak = maxOverTime(abs(u));   constraint maxOverTime(T) - minOverTime(T) <= 5;"};
inline constexpr Code extremum_of_number{
    "E368", "this does not vary with time, so that it has no maximum or minimum over it",
    "`maxOverTime(e)` and `minOverTime(e)` are of expressions of states, controls, algebraic variables or `time`."};
inline constexpr Code extremum_outside{
    "E394", "`{0}` is a number of the whole horizon, for objectives and constraints",
    "An equation holds at every time, and the largest value that will be is not known there. It may be minimised or bounded "
    "instead,\n`minimize peak = maxOverTime(x)`, or be a free parameter of the equation that a path constraint keeps "
    "above:\n"
    "    parameter Real peak(free = true);   constraint x <= peak;"};
inline constexpr Code one_time_in_a_part{
    "E369", "this constraint is of single times, and the condition around it varies with time",
    "A constraint below `if time <= t1 then` holds in that part of the horizon, so it needs something that varies with "
    "time:\n    if time <= t1 then v <= 1; end if;\nA constraint of x(t2) holds once, whatever the time; give it a "
    "condition of "
    "parameters, or none."};
inline constexpr Code switching_arguments{
    "E391", "`{0}` needs {1}",
    "These constraints are of controls with few values:\n    allowedValues(u, {0, 0.5, 1});   // u takes these values "
    "only\n    "
    "minDwellTime(u, 2);              // and keeps each for 2 s at least\n    maxSwitches(u, 3);                // and "
    "changes three times at most\nThe first argument is a control, or an array of controls; the second is known before the "
    "problem is solved."};
inline constexpr Code switching_without_values{
    "E392", "`{0}` of `{1}` needs to know which values `{1}` has",
    "A Real or an Integer control has a dwell time and a number of switches where it has few values:\n    "
    "allowedValues(u, {0, 0.5, 1});   minDwellTime(u, 2);\nA Boolean control needs nothing more."};
inline constexpr Code switching_twice{"E393", "`{0}` of `{1}` is stated twice",
                                      "Each of `allowedValues`, `minDwellTime` and `maxSwitches` is stated once of a "
                                      "control: keep the one that is meant."};
inline constexpr Code solver_option{"E366", "the value of the option `{0}` is neither a number nor a text",
                                    "Options in `annotation(solver = …)` and `experiment` are literals: numbers, Booleans "
                                    "or strings, or lists of nested options."};

inline constexpr Code experiment_text{
    "E398", "`{0}` is a number, not {1}",
    "`StartTime`, `StopTime`, `Interval` and `Tolerance` of `annotation(experiment(...))` are numbers, "
    "without quotes: `annotation(experiment(StopTime = 10))`."};

inline constexpr Code not_discrete{
    "E370", "this {0} changes continuously, but only events may change it",
    "Booleans, Integers and enumerations, and the condition of `when`, change at events only. A relation "
    "outside `noEvent` makes an event when its value changes; inside "
    "`noEvent` and in a function it does not. Take the `noEvent` away; call a function of what changes continuously inside "
    "`when`."};
inline constexpr Code when_inside{
    "E388", "`when` sets `{0}`, which belongs to the component `{1}`",
    "What a model computes is computed by its own equations: a when-clause sets variables of its own class, of records in "
    "it and "
    "of its connectors. Put the clause into the class of the component, or make the variable an input of it."};
inline constexpr Code when_place{
    "E371", "`when` is not allowed in {0}",
    "A when-clause says what happens at the moment a condition becomes true. It belongs among the equations or "
    "statements of a model, not in another `when`, not where the initial values are found, and not in a "
    "function. Join nested conditions with `and`."};
inline constexpr Code when_left{
    "E372", "an equation inside `when` has a variable on its left",
    "At an event the variable on the left gets the value on the right, so that nothing has to be solved: write "
    "`v = …` or `(a, b) = f(…)`. Parameters and inputs cannot be set."};
inline constexpr Code when_branches_differ{
    "E373", "`{0}` is not set in every branch",
    "All branches of a when-clause with `elsewhen`, and of an if-equation between discrete values, set "
    "the same variables, so that it is clear what happens to each. Add `v = pre(v)` to the branches where "
    "a variable keeps its value."};
inline constexpr Code set_twice{
    "E374", "`{0}` is set by two when-equations",
    "If both fired at once the value would be ambiguous. Put both into one clause with `elsewhen`:\n\n  when a "
    "then\n    v = 1;\n  elsewhen b then\n    v = 2;\n  end when;"};
inline constexpr Code discrete_not_set{
    "E375", "`{0}` is discrete, but nothing sets it at events",
    "A discrete Real gets its value in a when-clause, or from an equation in which everything changes at "
    "events only. An equation with continuous variables cannot determine it: take `discrete` away, or put "
    "the equation into `when`."};
inline constexpr Code pre_argument{
    "E376", "`{0}` needs a variable that changes at events, this is {1}",
    "`pre(v)` is the value of v before an event, `edge(b)` and `change(v)` compare with it. Outside when-clauses "
    "they need a discrete variable; `edge` needs a Boolean."};
inline constexpr Code reinit_argument{
    "E377", "`reinit` needs a Real variable that changes continuously, this is {0}",
    "`reinit(x, e)` gives the state x a new value at an event. Variables that are set in when-clauses, parameters and "
    "expressions are not states."};
inline constexpr Code only_in_when{
    "E378", "`{0}` is allowed in a when-equation only",
    "It happens at a moment, so the moment has to be given:\n\n  when x < 0 then\n    reinit(v, -e*pre(v));\n  end "
    "when;"};
inline constexpr Code no_message{
    "E379", "the message must be made of texts and values",
    "A message is a literal, a String parameter, `String(x)`, a function of these that gives a String, a choice by `if`, or "
    "a sum of these with `+`. Strings in records that are passed have to be known when the model is compiled."};
inline constexpr Code bad_table{
    "E380", "the table `{0}` cannot be used: {1}",
    "Tables of the Modelica library have abscissas in the first column (tables of two variables also in the first row), "
    "in increasing order; `columns` names columns of the table. Only time tables may have an abscissa twice, for a jump."};

inline constexpr Code data_outside_horizon{"W302", "the data in `{0}` reach from {1} to {2}, the horizon from {3} to {4}",
                                           "Part of the data lies outside [startTime, finalTime] and has no influence. "
                                           "Probably finalTime is wrong, or in another unit."};
inline constexpr Code duplicate_knots{
    "W303", "the abscissa {1} appears twice in `{0}`",
    "The first column of a table must increase. Of two rows with the same abscissa only one can hold."};

inline constexpr Code print_ignored{
    "W304", "this call does nothing but print or act outside: it is left out while the model runs",
    "Calls for their effect are made where it is defined when that happens: in `when`, as "
    "equations (at the start and at events) and in functions called so. Inside functions that "
    "compute, in loops of when-statements and among other statements it is not: an integrator "
    "evaluates these as often as it likes."};

inline constexpr Code free_parameter_set{"W359", "`{0}` is a free parameter: it is fixed at the value set for it",
                                         "What is set on the command line (`--set k=2`) is the parameter's value, so the "
                                         "optimiser does not choose it in this run. To give it a\n"
                                         "guess and leave it free: `--set \"k(initialGuess=2)\"`."};
inline constexpr Code annotation_not_used{
    "W305", "the `{0}` annotation of `{1}` is not used: {2}",
    "`derivative = df` needs a function with the inputs of the function, then one for the derivative of every Real input "
    "(those named by `zeroDerivative` and `noDerivative` left out), and one output for every Real output. "
    "`inverse(x = g(y, a))` needs a function of the output and other inputs that gives the input x back. Bolza then "
    "differentiates the algorithm itself and solves by iteration.\n\n"
    "  function f\n    input Real x;\n    output Real y;\n  algorithm\n    y := x^2;\n"
    "    annotation(derivative = df, inverse(x = g(y)));\n  end f;\n  function df\n    input Real x, der_x;\n"
    "    output Real der_y;\n  algorithm\n    der_y := 2*x*der_x;\n  end df;"};
inline constexpr Code delay_too_long{
    "E381", "the delay of {0} s is longer than the longest one stated, {1} s",
    "`delay(e, delayTime, delayMax)` keeps the past of e for delayMax seconds, so delayTime must not exceed it."};
inline constexpr Code never_holds{
    "E382", "the assertion never holds: {0}",
    "The condition of this `assert` is false whatever the variables are. The message is the one of the model's author: it "
    "says which choice of parameters or which use of the component is not allowed."};
inline constexpr Code binding_type{
    "E383", "`{0}` is {1}, its value is {2}",
    "A value has the type of what it is given to. An Integer is taken for a Real, everything else has to be converted: "
    "`integer(x)` rounds a Real down, `Integer(e)` gives the number of a literal, `E(2)` the literal of a number. The "
    "quotient and the power of two Integers are Real."};
inline constexpr Code constant_varies{
    "E384", "the constant `{0}` depends on {1}",
    "The value of a constant follows from literals and other constants. Declare `parameter` what may differ between runs."};
inline constexpr Code several_outputs_over_arrays{
    "E385", "`{0}` has {1} outputs and is called element by element",
    "Only a function with one output can be called with arrays in the place of scalars. Call it in a for-loop: "
    "`for i in 1:n loop (a[i], b[i]) = f(x[i]); end for;`."};
inline constexpr Code connect_too_deep{
    "E386", "`{0}` lies too deep inside to be connected here",
    "`connect` joins connectors of the class itself (`c`) and of its components (`m.c`), not of what these are made of: "
    "that "
    "is their own affair. Give the component a connector that is connected to the inner one."};
inline constexpr Code difference_quotients{
    "W306", "derivatives of the external function `{0}` are difference quotients",
    "Bolza differentiates exactly, but cannot look into C. Without `annotation(derivative = df)` it evaluates the function "
    "twice for each direction: derivatives lose a third of the digits, second derivatives two thirds, and convergence may "
    "suffer. Give a derivative:\n\n  function f\n    input Real x;\n    output Real y;\n    external \"C\" y = f(x);\n"
    "    annotation(Library = \"mine\", derivative = df);\n  end f;"};

inline constexpr std::array all_codes{&unsupported,
                                      &sizes_differ,
                                      &types_differ,
                                      &operand_type,
                                      &expected_type,
                                      &subscript_out_of_range,
                                      &not_known_at_compile_time,
                                      &too_many_subscripts,
                                      &chain_too_long,
                                      &iterator_is_scalar,
                                      &range_not_implied,
                                      &ranges_differ,
                                      &step_is_zero,
                                      &not_a_value,
                                      &not_a_function,
                                      &not_a_variable,
                                      &removed_component,
                                      &no_such_member,
                                      &record_in_expression,
                                      &string_in_expression,
                                      &value_size,
                                      &free_differs,
                                      &too_many_scalars,
                                      &too_many_elements,
                                      &too_many_terms,
                                      &too_few_dimensions,
                                      &value_varies,
                                      &guess_varies,
                                      &argument_count,
                                      &no_such_argument,
                                      &argument_twice,
                                      &argument_missing,
                                      &argument_type,
                                      &no_output,
                                      &too_many_outputs,
                                      &recursive_function,
                                      &function_without_body,
                                      &size_of_local,
                                      &size_depends_on_loop,
                                      &not_in_function,
                                      &not_assignable,
                                      &conditional_in_expression,
                                      &derivative_of_expression,
                                      &derivative_of_discrete,
                                      &branches_differ,
                                      &not_in_open_branch,
                                      &call_without_effect,
                                      &connect_not_connector,
                                      &connect_mismatch,
                                      &connect_parameters_differ,
                                      &two_sources,
                                      &timed_argument,
                                      &timed_in_equation,
                                      &objective_at_end,
                                      &objective_variability,
                                      &phase_without_end,
                                      &horizon_of_phases,
                                      &static_phase,
                                      &two_objectives,
                                      &integral_misplaced,
                                      &extremum_not_monotone,
                                      &extremum_of_number,
                                      &extremum_outside,
                                      &one_time_in_a_part,
                                      &integrand_is_timed,
                                      &switching_arguments,
                                      &switching_without_values,
                                      &switching_twice,
                                      &solver_option,
                                      &experiment_text,
                                      &not_discrete,
                                      &when_inside,
                                      &when_place,
                                      &when_left,
                                      &when_branches_differ,
                                      &set_twice,
                                      &discrete_not_set,
                                      &pre_argument,
                                      &reinit_argument,
                                      &only_in_when,
                                      &no_message,
                                      &bad_table,
                                      &data_outside_horizon,
                                      &duplicate_knots,
                                      &print_ignored,
                                      &free_parameter_set,
                                      &annotation_not_used,
                                      &difference_quotients,
                                      &delay_too_long,
                                      &never_holds,
                                      &binding_type,
                                      &constant_varies,
                                      &several_outputs_over_arrays,
                                      &connect_too_deep,
                                      &not_a_stream,
                                      &open_bus_member,
                                      &bus_member_not_written,
                                      &no_root,
                                      &two_roots,
                                      &branches_in_loop,
                                      &graph_needs_itself,
                                      &not_overconstrained,
                                      &not_in_branch};

}  // namespace bolza::flatten
