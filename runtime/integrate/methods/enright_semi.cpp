// SPDX-License-Identifier: Apache-2.0
// Enright's second-derivative multistep scheme, semi-implicit.    [GOMEZ, 1.3 and 2.3.2]
#include "runtime/integrate/steps/enright.h"

namespace bolza::integrate {

extern const Method enright_semi;
const Method enright_semi{
    .name = "enright_semi",
    .description = "second-derivative multistep, semi-implicit: predictor, corrector, recorrector; order 3 to 9, else 4",
    .algebraics = true,
    .stiff = false,
    .order_low = 3,
    .order_high = enright_order,
    .dense_order = enright_order,
    .fixed_steps = true,
    .available = [] { return true; },
    .make = [](const Setup& setup) { return make_enright(setup, true); },
    .tape = true,
    .multistep = [](const MethodOptions& options) { return make_enright_scheme(options, true); },
    .curved = true};

}  // namespace bolza::integrate
