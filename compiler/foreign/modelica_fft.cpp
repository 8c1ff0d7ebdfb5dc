// SPDX-License-Identifier: Apache-2.0
// ModelicaFFT_kiss_fftr [Modelica.Math.FastFourierTransform], which the library keeps in C: amplitudes and phases of the
// discrete Fourier transform of real samples.
#include "compiler/foreign/library_functions.h"

#include <cmath>
#include <complex>
#include <cstddef>
#include <unsupported/Eigen/FFT>
#include <vector>

extern "C" {

/// @param amplitudes, phases  [nu/2 + 1]; amplitudes over nu/2 + 1, phases in rad
/// Gives 0; 1 when nu is odd, 2 when the work array is too short for the library's own code. Cost: O(nu log nu).
int ModelicaFFT_kiss_fftr(const double* u, std::size_t nu, double*, std::size_t n_work, double* amplitudes, double* phases) {
  if (nu % 2 != 0) return 1;
  std::size_t n = nu / 2 + 1;
  if (n_work < 3 * nu + 2 * n) return 2;
  Eigen::FFT<double> transform;
  std::vector<double> samples(u, u + nu);
  std::vector<std::complex<double>> spectrum;
  transform.fwd(spectrum, samples);
  for (std::size_t k = 0; k < n; ++k) {
    amplitudes[k] = std::abs(spectrum[k]) / static_cast<double>(n);
    phases[k] = std::arg(spectrum[k]);
  }
  return 0;
}

}  // extern "C"
