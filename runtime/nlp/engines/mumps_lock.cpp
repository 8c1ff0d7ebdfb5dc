#include "runtime/nlp/engines/mumps_lock.h"

namespace bolza::nlp {

std::mutex& mumps_lock() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace bolza::nlp
