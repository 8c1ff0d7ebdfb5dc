within Modelica.Math;
package Matrices "Functions of matrices"
  extends Modelica.Icons.Package;

  function norm "1-norm, Frobenius norm (p = 2) or inf-norm"
    extends Modelica.Icons.Function;
    input Real A[:, :];
    input Real p(min = 1) = 2;
    output Real result;
  algorithm
    if p == 1 then
      result := max(sum(abs(A[i, j]) for i in 1:size(A, 1)) for j in 1:size(A, 2));
    elseif p == Modelica.Constants.inf then
      result := max(sum(abs(A[i, j]) for j in 1:size(A, 2)) for i in 1:size(A, 1));
    else
      result := Modelica.Math.Matrices.frobeniusNorm(A);
    end if;
  end norm;

  function frobeniusNorm "square root of the sum of all squares"
    extends Modelica.Icons.Function;
    input Real A[:, :];
    output Real result;
  algorithm
    result := sqrt(sum(A[i, j]^2 for i in 1:size(A, 1), j in 1:size(A, 2)));
  end frobeniusNorm;

  function trace "sum of the diagonal"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)];
    output Real result;
  algorithm
    result := sum(A[i, i] for i in 1:size(A, 1));
  end trace;

  function solve2 "X with A*X = B, by elimination with row exchange"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)];
    input Real B[size(A, 1), :];
    output Real X[size(A, 1), size(B, 2)];
  protected
    Integer n = size(A, 1);
    Real U[size(A, 1), size(A, 1)] = A;
    Real row[size(A, 1)];
    Real side[size(B, 2)];
    Real factor;
    Integer pivot;
  algorithm
    X := B;
    for k in 1:n loop
      pivot := k;
      for i in k + 1:n loop
        if abs(U[i, k]) > abs(U[pivot, k]) then
          pivot := i;
        end if;
      end for;
      assert(U[pivot, k] <> 0, "the matrix of a linear system is singular");
      row := U[k, :];
      U[k, :] := U[pivot, :];
      U[pivot, :] := row;
      side := X[k, :];
      X[k, :] := X[pivot, :];
      X[pivot, :] := side;
      for i in k + 1:n loop
        factor := U[i, k]/U[k, k];
        U[i, :] := U[i, :] - factor*U[k, :];
        X[i, :] := X[i, :] - factor*X[k, :];
      end for;
    end for;
    for k in n:-1:1 loop
      for j in k + 1:n loop
        X[k, :] := X[k, :] - U[k, j]*X[j, :];
      end for;
      X[k, :] := X[k, :]/U[k, k];
    end for;
  end solve2;

  function solve "x with A*x = b"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1)];
    output Real x[size(A, 1)];
  protected
    Real X[size(A, 1), 1];
  algorithm
    X := Modelica.Math.Matrices.solve2(A, matrix(b));
    x := X[:, 1];
  end solve;

  function inv "inverse matrix"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)];
    output Real invA[size(A, 1), size(A, 1)];
  algorithm
    invA := Modelica.Math.Matrices.solve2(A, identity(size(A, 1)));
  end inv;

  function det "determinant, by elimination with row exchange"
    extends Modelica.Icons.Function;
    input Real A[:, size(A, 1)];
    output Real result;
  protected
    Integer n = size(A, 1);
    Real U[size(A, 1), size(A, 1)] = A;
    Real row[size(A, 1)];
    Integer pivot;
  algorithm
    result := 1;
    for k in 1:n loop
      pivot := k;
      for i in k + 1:n loop
        if abs(U[i, k]) > abs(U[pivot, k]) then
          pivot := i;
        end if;
      end for;
      if pivot <> k then
        row := U[k, :];
        U[k, :] := U[pivot, :];
        U[pivot, :] := row;
        result := -result;
      end if;
      result := result*U[k, k];
      if U[k, k] <> 0 then
        for i in k + 1:n loop
          U[i, :] := U[i, :] - U[i, k]/U[k, k]*U[k, :];
        end for;
      end if;
    end for;
  end det;

  function isEqual "whether all elements agree to eps"
    extends Modelica.Icons.Function;
    input Real M1[:, :];
    input Real M2[:, :];
    input Real eps(min = 0) = 0;
    output Boolean result;
  algorithm
    result := size(M1, 1) == size(M2, 1) and size(M1, 2) == size(M2, 2);
    if result then
      for i in 1:size(M1, 1), j in 1:size(M1, 2) loop
        if abs(M1[i, j] - M2[i, j]) > eps then
          result := false;
        end if;
      end for;
    end if;
  end isEqual;
end Matrices;
