within Modelica;
package Utilities "Functions beside the equations: output"
end Utilities;
