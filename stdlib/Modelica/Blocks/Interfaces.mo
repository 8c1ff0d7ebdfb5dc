within Modelica.Blocks;
package Interfaces "Connectors of signals, and partial blocks that have them"
  extends Modelica.Icons.InterfacesPackage;

  connector RealInput = input Real "a Real signal that comes in";
  connector RealOutput = output Real "a Real signal that goes out";
  connector BooleanInput = input Boolean "a Boolean signal that comes in";
  connector BooleanOutput = output Boolean "a Boolean signal that goes out";
  connector IntegerInput = input Integer "an Integer signal that comes in";
  connector IntegerOutput = output Integer "an Integer signal that goes out";

  partial block SO "one output"
    RealOutput y;
  end SO;

  partial block MO "a vector of outputs"
    parameter Integer nout(min = 1) = 1 "number of outputs";
    RealOutput y[nout];
  end MO;

  partial block SI "one input"
    RealInput u;
  end SI;

  partial block MI "a vector of inputs"
    parameter Integer nin(min = 1) = 1 "number of inputs";
    RealInput u[nin];
  end MI;

  partial block SISO "one input, one output"
    RealInput u;
    RealOutput y;
  end SISO;

  partial block SI2SO "two inputs, one output"
    RealInput u1;
    RealInput u2;
    RealOutput y;
  end SI2SO;

  partial block SIMO "one input, a vector of outputs"
    parameter Integer nout(min = 1) = 1 "number of outputs";
    RealInput u;
    RealOutput y[nout];
  end SIMO;

  partial block MISO "a vector of inputs, one output"
    parameter Integer nin(min = 1) = 1 "number of inputs";
    RealInput u[nin];
    RealOutput y;
  end MISO;

  partial block MIMO "vectors of inputs and outputs"
    parameter Integer nin(min = 1) = 1 "number of inputs";
    parameter Integer nout(min = 1) = 1 "number of outputs";
    RealInput u[nin];
    RealOutput y[nout];
  end MIMO;

  partial block MIMOs "as many outputs as inputs"
    parameter Integer n(min = 1) = 1 "number of inputs and of outputs";
    RealInput u[n];
    RealOutput y[n];
  end MIMOs;

  partial block SignalSource "a source that is shifted upwards and begins at startTime"
    extends SO;
    parameter Real offset = 0 "added to the output";
    parameter Modelica.Units.SI.Time startTime = 0 "before it the output is offset";
  end SignalSource;
end Interfaces;
