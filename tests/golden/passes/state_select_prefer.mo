// class: Tank
// A gas: mass and energy are balanced, pressure and temperature are integrated.
model Tank
  parameter Real V = 1, R = 287, cv = 718;
  Real m, U, rho;
  Real p(start = 1e5, fixed = true, stateSelect = StateSelect.prefer);
  Real T(start = 300, fixed = true, stateSelect = StateSelect.prefer);
equation
  m = rho*V;
  U = m*cv*T;
  p = rho*R*T;
  der(m) = 0.01;
  der(U) = 0.01*(cv + R)*350;
end Tank;
//| problem Tank
//|   states (2): p T
//|   algebraics (2): rho der(T)
//|   controls (0):
//|   shared (5): startTime finalTime V R cv
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 2 rows, 1 shapes
//|     row 0 += 0.01/V*R*T + der(T)*(rho*R)
//|     row 1 += der(T)
//|   residuals: 2 rows, 1 shapes
//|     row 0 += p - T*(rho*R)
//|     row 1 += 0.01*(cv + R)*350 - (der(T)*(cv*(rho*V)) + T*(cv*0.01))
//|   outputs: 5 rows, 1 shapes
//|     row 0 += rho*V
//|     row 1 += T*(cv*(rho*V))
//|     row 2 += 0.01
//|     row 3 += 0.01*(cv + R)*350
//|     row 4 += 0.01/V
//| end Tank
