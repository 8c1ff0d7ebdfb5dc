// SPDX-License-Identifier: Apache-2.0
// Enright's second-derivative multistep scheme, implicit.    [GOMEZ, 1.3 and 2.3.2]
#include "runtime/integrate/steps/enright.h"

namespace bolza::integrate {

extern const Method enright;
const Method enright{.name = "enright",
                     .description = "second-derivative multistep, order max_order (3 to 9, else 4), stiff",
                     .algebraics = true,
                     .stiff = true,
                     .order_low = 3,
                     .order_high = enright_order,
                     .dense_order = enright_order,
                     .fixed_steps = true,
                     .available = [] { return true; },
                     .make = [](const Setup& setup) { return make_enright(setup, false); },
                     .tape = true,
                     .multistep = [](const MethodOptions& options) { return make_enright_scheme(options, false); },
                     .curved = true};

}  // namespace bolza::integrate
