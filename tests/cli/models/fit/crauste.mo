model Crauste "CD8 T cells: naive, early and late effectors, memory, and the pathogen [Crauste et al., Cell Systems 2017]"
  parameter Real delta_EL = 0.5, delta_LM = 0.02, delta_NE = 0.01, mu_EE = 4e-5, mu_LE = 1e-9, mu_LL = 8e-6, mu_N = 0.7,
    mu_P = 2e-5, mu_PE = 2e-10, mu_PL = 4e-5, rho_E = 0.5, rho_P = 0.12;
  Real N(start = 8090, fixed = true) "naive", E(start = 0, fixed = true) "early effectors";
  Real L(start = 0, fixed = true) "late effectors", M(start = 0, fixed = true) "memory", P(start = 1, fixed = true) "pathogen";
equation
  der(N) = -N*(mu_N + delta_NE*P);
  der(E) = delta_NE*N*P + E*(rho_E*P - mu_EE*E - delta_EL);
  der(L) = delta_EL*E - L*(mu_LL*L + mu_LE*E + delta_LM);
  der(M) = delta_LM*L;
  der(P) = P*(rho_P*P - mu_PE*E - mu_PL*L - mu_P);
end Crauste;
