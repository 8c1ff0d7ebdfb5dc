within Modelica.Utilities;
package Streams "Text for a person while a model runs"
  impure function print "A line on the terminal or at the end of a file"
    input String string = "" "What to print";
    input String fileName = "" "Where to; the terminal when empty";
  external "C" ModelicaInternal_print(string, fileName);
  end print;

  impure function error "Ends the run with a message"
    input String string "What to say";
  algorithm
    assert(false, string);
  end error;
end Streams;
