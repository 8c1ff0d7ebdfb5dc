#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

void translate_annotations(Model& model);

}  // namespace bolza::flatten
