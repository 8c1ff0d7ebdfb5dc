#pragma once
#include <mutex>

namespace bolza::nlp {

/// MUMPS keeps state in Fortran modules: two solves at once in one process crash. Whoever calls it, by IPOPT or by itself,
/// holds this lock: the one exception to "no mutable globals".
std::mutex& mumps_lock();

}  // namespace bolza::nlp
