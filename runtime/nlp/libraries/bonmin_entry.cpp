#include "runtime/nlp/engine_library.h"

namespace bolza::nlp {
extern const Engine bonmin;
}

extern "C" __attribute__((visibility("default"))) const bolza::nlp::Engine* bolza_engine() { return &bolza::nlp::bonmin; }
