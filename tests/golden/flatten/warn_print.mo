// class: M
model M
  Real x(start = 0);
equation
  der(x) = 1;
  when x > 1 then
    Modelica.Utilities.Streams.print("x is " + String(x));
  end when;
end M;
//| warn_print.mo:7:5: warning: this call does nothing but print or act outside: it is left out while the model runs [W304]
//|   7 |     Modelica.Utilities.Streams.print("x is " + String(x));
//|     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
