// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/library/codes.h"
#include "compiler/instance/library/refusal_internal.h"

namespace bolza::instance {

Reported refuse_untrusted(const TrustRules& trust, const std::string& name, const std::string& what, Span at,
                          Diagnostics& d) {
  if (!trust.runs())
    return d.error(codes::foreign_refused, at, {name, what + ", and this command runs none"},
                   {{{}, "`bolza simulate` and `bolza solve` run it where the model is trusted"}});
  if (trust.is_closed()) return d.error(codes::foreign_refused, at, {name, what + ", and `--trust none` runs none"});
  return d.error(codes::foreign_refused, at, {name, what + " that is not trusted"},
                 {{{},
                   "if you know what it does, give --trust, or put a line `trust = FOLDER` with the folder of the model "
                   "into the settings (`bolza explain E257`)"}});
}

}  // namespace bolza::instance
