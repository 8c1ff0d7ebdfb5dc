// External functions whose outputs and work arrays begin with values, and that take texts.
package Lapack
  pure function solve "A*x = b"
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1)];
    output Real x[size(A, 1)] = b;
    output Integer info;
  protected
    Integer n = size(A, 1), one = 1, lda = max(1, n);
    Integer pivots[size(A, 1)];
    Real work[size(A, 1), size(A, 2)] = A;
    external "FORTRAN 77" dgesv(n, one, work, lda, pivots, x, lda, info) annotation(Library = "lapack");
  end solve;
  pure function norm "the largest sum of a column's magnitudes"
    input Real A[:, :];
    input String kind;
    output Real value;
  protected
    Integer m = size(A, 1), n = size(A, 2);
    Real work[size(A, 1)];
    external "FORTRAN 77" value = dlange(kind, m, n, A, m, work) annotation(Library = "lapack");
  end norm;
  pure function wrong
    input Real A[:, size(A, 1)];
    output Real x[size(A, 1)];
    output Integer info;
  protected
    Integer n = size(A, 1), one = 1, lda = 0;
    Integer pivots[size(A, 1)];
    external "FORTRAN 77" dgesv(n, one, A, lda, pivots, x, lda, info) annotation(Library = "lapack");
  end wrong;
  function padded "b behind zeros, through a function of Modelica"
    input Real b[:];
    output Real x[3];
  protected
    Integer info;
  algorithm
    (x, info) := solve([2, 0, 0; 0, 4, 1; 0, 0, 5], cat(1, zeros(3 - size(b, 1)), b));
  end padded;
  model Solves "x = A^(-1)*(t, 1): x[1] = (3*t - 1)/5, x[2] = (2 - t)/5"
    Real x[2], y[3], largest = norm([1, -7; time, 2], "1");
    Integer info;
  equation
    (x, info) = solve([2, 1; 1, 3], {time, 1});
    y = padded({8*time, 5});
  end Solves;
  model Constant
    parameter Real n = norm([1, -7; 3, 2], "I");
    constant Boolean none[0] = fill(true, 0);
    constant Boolean all = min(none), any = max(none);
    Real x[if all and not any then 1 else 2](each start = n, each fixed = true);
  equation
    der(x) = zeros(size(x, 1));
  end Constant;
  model Wrong
    Real x[2];
    Integer info;
  equation
    (x, info) = wrong([time, 1; 1, 3]);
  end Wrong;
  function named
    input Real x;
    output Real y;
  protected
    String name;
  algorithm
    name := "a";
    y := 2*x;
  end named;
  model Named
    Real y = named(time);
  end Named;
  model Sized "2 + 2"
    parameter Integer n = integer(sum(solve([2, 0; 0, 4], {4, 8})) + 0.5);
    Real x[n] = fill(time, n);
  end Sized;
  pure function short
    input Real A[:, size(A, 1)];
    output Real x[1];
    output Integer info;
  protected
    Integer n = size(A, 1), one = 1;
    Integer pivots[size(A, 1)];
    external "FORTRAN 77" dgesv(n, one, A, n, pivots, x, n, info) annotation(Library = "lapack");
  end short;
  model Short
    parameter Integer n = integer(sum(short([2, 0; 0, 4])));
    Real x[n] = fill(time, n);
  end Short;
  pure function least_squares
    input Real A[:, :];
    input Real b[size(A, 1)];
    output Real x[max(size(A, 1), size(A, 2))] = cat(1, b, zeros(max(size(A, 2) - size(A, 1), 0)));
    output Integer info;
    output Integer rank;
  protected
    Integer m = size(A, 1), n = size(A, 2), one = 1, l = max(m, n), length = 3*m + 4*n + 1;
    Real work[3*size(A, 1) + 4*size(A, 2) + 1], copied[size(A, 1), size(A, 2)] = A;
    Integer pivots[size(A, 2)] = zeros(n);
    external "FORTRAN 77" dgelsy(m, n, one, copied, m, x, l, pivots, 1e-12, rank, work, length, info)
      annotation(Library = "lapack");
  end least_squares;
  model Parabola "1 + t^2 through four of its points"
    parameter Real c[4] = least_squares([1, 0, 0; 1, 1, 1; 1, 2, 4; 1, 3, 9], {1, 2, 5, 10});
    parameter Integer n = integer(c[1] + 2*c[3] + 0.5);
    Real x[n] = fill(time, n);
  end Parabola;
end Lapack;
