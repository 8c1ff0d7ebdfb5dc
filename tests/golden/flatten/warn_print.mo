// class: M
model M
  function squared
    input Real x;
    output Real y;
  algorithm
    y := x^2;
    Modelica.Utilities.Streams.print("y is " + String(y));
  end squared;
  Real x(start = 0);
equation
  der(x) = squared(x);
end M;
//| warn_print.mo:8:5: warning: this call does nothing but print or act outside: it is left out while the model runs [W304]
//|   8 |     Modelica.Utilities.Streams.print("y is " + String(y));
//|     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
