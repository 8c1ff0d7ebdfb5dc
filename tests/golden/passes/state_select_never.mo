// class: Coil
// What stands for a state that may not be one is differentiated.
model Coil
  parameter Real l = 2, r = 3;
  Real flux(stateSelect = StateSelect.never);
  Real i(start = 1, fixed = true);
equation
  flux = l*i + i^3;
  der(flux) = -r*i;
end Coil;
//| problem Coil
//|   states (1): i
//|   algebraics (0):
//|   controls (0):
//|   shared (4): startTime finalTime l r
//|   integrals: 0, path constraints: 0, point constraints: 0, point residuals: 0
//|   rates: 1 rows, 1 shapes
//|     row 0 += -r*i/(l + 3*i^2)
//|   outputs: 2 rows, 1 shapes
//|     row 0 += i^3 + l*i
//|     row 1 += -r*i
//| end Coil
