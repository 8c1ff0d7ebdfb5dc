within;
package Modelica "What optimisation models import from the Modelica library, written for Bolza. The Modelica Standard Library itself takes its place when it is on MODELICAPATH"
  annotation(version = "4.1.0-bolza");
end Modelica;
