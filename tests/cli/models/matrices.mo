// Matrices that are written to MATLAB files while a model runs, and read when another is compiled.
package Matrices
  function write
    input String file;
    input String name;
    input Real matrix[:, :];
    input Boolean append = false;
    input String version = "4";
    output Boolean done;
    external "C" done = ModelicaIO_writeRealMatrix(file, name, matrix, size(matrix, 1), size(matrix, 2), append, version);
  end write;
  function sizes
    input String file;
    input String name;
    output Integer sizes[2];
    external "C" ModelicaIO_readMatrixSizes(file, name, sizes);
  end sizes;
  function read
    input String file;
    input String name;
    input Integer m, n;
    output Real matrix[m, n];
    external "C" ModelicaIO_readRealMatrix(file, name, matrix, size(matrix, 1), size(matrix, 2), false);
  end read;
  impure function save "As functions of libraries do: a matrix is made, written, and told about"
    input Real t;
    input String file;
    input String version;
    input Real x[:];
  protected
    Real rows[size(x, 1), 2];
    Boolean done;
  algorithm
    for i in 1:size(x, 1) loop
      rows[i, :] := {t, x[i]};
    end for;
    done := write(file, "rows", rows, version = version);
    done := write(file, "more", 2*rows, true);
    Modelica.Utilities.Streams.print(file + ": " + String(done));
  end save;
  model Writes
    parameter String file, version;
    Real x[3](start = {1, 2, 3}, each fixed = true);
    Boolean late(start = false);
  equation
    der(x) = {1, 0, -1};
  algorithm
    when time > 0.5 then
      late := true;
      save(time, file, version, x);
    end when;
  end Writes;
  model Reads
    parameter String file;
    final parameter Integer n[2] = sizes(file, "more");
    final parameter Real a[:, :] = read(file, "more", n[1], n[2]);
    final parameter Real b[3, 2] = read(file, "rows", 3, 2);
    Real x = sum(a)*time, y = sum(b[:, 2])*time;
  end Reads;
end Matrices;
