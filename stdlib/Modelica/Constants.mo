within Modelica;
package Constants "Numbers of mathematics, of the machine and of nature (CODATA 2018)"
  extends Modelica.Icons.Package;

  // mathematics
  final constant Real e = 2.718281828459045 "base of the natural logarithm";
  final constant Real pi = 3.141592653589793;
  final constant Real D2R = pi/180 "degrees to radians";
  final constant Real R2D = 180/pi "radians to degrees";
  final constant Real gamma = 0.5772156649015329 "Euler-Mascheroni constant";

  // the machine: IEEE 754 double precision, 32-bit integers
  final constant Real eps = 2.220446049250313e-16 "distance from 1 to the next number";
  final constant Real small = 2.2250738585072014e-308 "smallest normal number";
  final constant Real inf = 1.7976931348623157e308 "largest number";
  final constant Integer Integer_inf = 2147483647 "largest integer that all tools have";

  // nature
  final constant Modelica.Units.SI.Velocity c = 299792458 "speed of light in vacuum";
  final constant Modelica.Units.SI.Acceleration g_n = 9.80665 "standard acceleration of gravity";
  final constant Real G(final unit = "m3/(kg.s2)") = 6.67430e-11 "constant of gravitation";
  final constant Modelica.Units.SI.ElectricCharge q = 1.602176634e-19 "elementary charge";
  final constant Real F(final unit = "C/mol") = q*N_A "Faraday constant";
  final constant Real h(final unit = "J.s") = 6.62607015e-34 "Planck constant";
  final constant Real k(final unit = "J/K") = 1.380649e-23 "Boltzmann constant";
  final constant Real R(final unit = "J/(mol.K)") = k*N_A "molar gas constant";
  final constant Real sigma(final unit = "W/(m2.K4)") = 5.670374419e-8 "Stefan-Boltzmann constant";
  final constant Real N_A(final unit = "1/mol") = 6.02214076e23 "Avogadro constant";
  final constant Real mu_0(final unit = "N/A2") = 1.25663706212e-6 "magnetic constant";
  final constant Real epsilon_0(final unit = "F/m") = 1/(mu_0*c*c) "electric constant";
  final constant Modelica.Units.NonSI.Temperature_degC T_zero = -273.15 "absolute zero";
end Constants;
