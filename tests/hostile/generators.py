# SPDX-License-Identifier: Apache-2.0
"""Texts of hostile models that are too long to write down. Each gives the whole text of a file."""


def make(expression):
    """The text of an expression such as `functions(2000)`."""
    return eval(expression, {"__builtins__": {}}, {name: f for name, f in globals().items() if callable(f)} | {"range": range, "str": str})


def functions(n):
    """f1 calls f2, which calls f3, …"""
    parts = [f"function f{k} input Real x; output Real y; algorithm y := {'x' if k == n else f'f{k + 1}(x) + 1'}; end f{k};" for k in range(1, n + 1)]
    return "\n".join(parts) + "\nmodel M Real x(start = 1, fixed = true); equation der(x) = -f1(x); end M;\n"


def doubled(n):
    """2^n components: each class has two of the one before."""
    parts = ["model A0 Real x = 1; end A0;"] + [f"model A{k} A{k - 1} a, b; end A{k};" for k in range(1, n + 1)]
    return "\n".join(parts) + f"\nmodel M A{n} a; end M;\n"


def nested_loops(n, turns=10):
    head = " ".join(f"for i{k} in 1:{turns} loop" for k in range(n))
    return f"model M Real x; equation x = time; {head} x = i0; {'end for; ' * n}end M;\n"


def nested_statements(n, turns=10):
    head = " ".join(f"for i{k} in 1:{turns} loop" for k in range(n))
    return (f"function f input Real x; output Real y; algorithm y := 0; {head} y := y + x; {'end for; ' * n}end f;\n"
            "model M parameter Real p = f(1); Real x = p; end M;\n")


def long_name(n):
    return f"model M Real x = {'a' * n}; end M;\n"


def long_names(n):
    """A name that nearly fits another one as long."""
    return f"model M Real {'ab' * (n // 2)} = 1; Real x = {'ba' * (n // 2)}; end M;\n"


def chained_constants(n):
    parts = ["constant Real c0 = 1;"] + [f"constant Real c{k} = c{k - 1} + 1;" for k in range(1, n)]
    return "model M\n" + "\n".join(parts) + f"\nReal x = c{n - 1};\nend M;\n"


def constants_backwards(n):
    parts = [f"constant Real c{k} = c{k + 1} + 1;" for k in range(n - 1)] + [f"constant Real c{n - 1} = 1;"]
    return "model M\n" + "\n".join(parts) + "\nReal x = c0;\nend M;\n"


def chained_aliases(n):
    parts = [f"Real x{k};" for k in range(n)]
    equations = ["x0 = time;"] + [f"x{k} = x{k - 1};" for k in range(1, n)]
    return "model M\n" + "\n".join(parts) + "\nequation\n" + "\n".join(equations) + "\nend M;\n"


def twice(n):
    """n modifiers of one component, each a repetition."""
    return "model A Real x; end A; model M A a(" + ", ".join(["x = 1"] * n) + "); end M;\n"


def many_errors(n):
    return "model M\n" + "\n".join(f"Real x{k} = unknown{k};" for k in range(n)) + "\nend M;\n"


def type_aliases(n):
    parts = ["type T0 = Real;"] + [f"type T{k} = T{k - 1};" for k in range(1, n + 1)]
    return "\n".join(parts) + f"\nmodel M T{n} x = 1; end M;\n"


def chained_extends(n):
    parts = ["model A0 Real x = 1; end A0;"] + [f"model A{k} extends A{k - 1}; end A{k};" for k in range(1, n + 1)]
    return "\n".join(parts) + f"\nmodel M extends A{n}; end M;\n"


def diamonds(n):
    """Each class has the one before as a base twice; N looks for a name that none of them has."""
    parts = ["model A0 Real x; equation x = time; end A0;"] + [f"model A{k} extends A{k - 1}; extends A{k - 1}; end A{k};" for k in range(1, n + 1)]
    return "\n".join(parts) + f"\nmodel M extends A{n}; end M;\nmodel N extends A{n}; Real z = none; end N;\n"


def parentheses(n):
    return f"model M Real x = {'(' * n}1{')' * n}; end M;\n"


def nested_calls(n):
    return f"model M Real x = {'sin(' * n}1{')' * n}; end M;\n"


def long_sum(n):
    return "model M Real x = " + " + ".join(["time"] * n) + "; end M;\n"


def nested_ifs(n):
    return f"model M Real x = {'if time > 1 then 1 else ' * n}2; end M;\n"


def nested_packages(n):
    return " ".join(f"package P{k}" for k in range(n)) + " model M Real x = 1; end M; " + " ".join(f"end P{k};" for k in reversed(range(n))) + "\n"


def comment(n):
    return "/*" + "x" * n + "*/ model M Real x = 1; end M;\n"


def matrix_literal(n):
    row = ", ".join(["1.5"] * 100)
    return "model M parameter Real a[:, :] = [" + "; ".join([row] * n) + "]; Real x = a[1, 1]; end M;\n"

def assertions(n):
    """One function with n assertions."""
    checks = " ".join(f'assert(u < {k} + 1e9, "bound {k}");' for k in range(n))
    return f"function f input Real u; output Real x; algorithm {checks} x := u; end f; model M Real x = f(time); end M;\n"


def returns(n):
    """A function that returns in one of n places."""
    parts = " ".join(f"if u > {k + 1} then x := x + {k}; return; end if;" for k in range(n))
    return f"function f input Real u; output Real x; algorithm x := u; {parts} end f; model M Real x = f(time); end M;\n"


def outputs(n):
    """A function with n outputs, all of which one equation takes."""
    names = ", ".join(f"y{k}" for k in range(n))
    sets = " ".join(f"y{k} := {k}*u;" for k in range(n))
    return f"function f input Real u; output Real {names}; algorithm {sets} end f; model M Real {names}; equation ({names}) = f(time); end M;\n"


def whens(n):
    """An algorithm with n clauses."""
    clauses = "\n".join(f"when time > {k + 1} then d := {k}; end when;" for k in range(n))
    return f"model M discrete Real d(start = 0, fixed = true); algorithm {clauses} end M;\n"


def branches(n):
    """An if-equation of n branches over a variable."""
    parts = "\n".join(f"elseif x < {k + 1} then i = {k};" for k in range(n))
    return f"model M Integer i; Real x = time; equation if x < 0 then i = 0; {parts} else i = 1; end if; end M;\n"


def members(n):
    """Two connected connectors of 2 n members."""
    own = "\n".join(f"Real v{k}; flow Real i{k};" for k in range(n))
    equations = "\n".join(f"c.v{k} = c.i{k};" for k in range(n))
    return f"connector C {own} end C; model A C c; equation {equations} end A; model M A a, b; equation connect(a.c, b.c); end M;\n"


def redeclares(n):
    """A base whose n replaceable classes are redeclared."""
    own = "\n".join(f"replaceable model T{k} = B; T{k} t{k};" for k in range(n))
    given = ", ".join(f"redeclare model T{k} = B" for k in range(n))
    return f"model B Real x = 1; end B; model A {own} end A; model M extends A({given}); end M;\n"


def columns(n):
    """A table of measurements with n columns."""
    return "time," + ",".join(f"c{k}" for k in range(n)) + "\n0.5," + ",".join("1" for _ in range(n)) + "\n"


def table(file, name="tab1"):
    """A model that reads a table of a file, as the Modelica library does it: y is its second column at `time`."""
    return f'''model M
  class ExternalCombiTable1D
    extends ExternalObject;
    function constructor
      input String tableName; input String fileName; input Real table[:, :]; input Integer columns[:]; input Integer smoothness;
      output ExternalCombiTable1D id;
      external "C" id = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table);
    end constructor;
  end ExternalCombiTable1D;
  function value
    input ExternalCombiTable1D id; input Integer column; input Real u; output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(id, column, u);
  end value;
  parameter ExternalCombiTable1D id = ExternalCombiTable1D("{name}", "{file}", fill(0.0, 0, 2), {{2}}, 1);
  Real x(start = 1, fixed = true), y = value(id, 1, time);
equation
  der(x) = y;
end M;
'''


def decays(sets, times, n):
    """Measurements of n variables x[i] in many data sets, which no model has made."""
    head = ",".join(f"x[{i + 1}]" for i in range(n))
    rows = [f"{k},{0.1 * j}," + ",".join(f"{(1 + 0.03 * ((i * 7 + j * 3 + k) % 5)) / (1 + 0.1 * j)}" for i in range(n))
            for k in range(sets) for j in range(1, times + 1)]
    return f"condition,time,{head}\n" + "\n".join(rows) + "\n"


def conditions_of(sets):
    rows = [f"{k},{0.5 + 0.37 * (k % 5)},{0.5 + 0.21 * (k % 7)}" for k in range(sets)]
    return "condition,c,d\n" + "\n".join(rows) + "\n"
