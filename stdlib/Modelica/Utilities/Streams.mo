within Modelica.Utilities;
package Streams "Text for a person while a model runs"
  impure function print "A line on the terminal or in a file; compiled equations leave it out"
    input String string = "" "What to print";
    input String fileName = "" "Where to; the terminal when empty";
  algorithm
  end print;

  impure function error "Ends the run with a message"
    input String string "What to say";
  algorithm
    assert(false, string);
  end error;
end Streams;
