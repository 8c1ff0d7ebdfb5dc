// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza::workflow {

/// The name without its subscripts, `tank.k` of `tank[2].k[1]`: what a modification can be about, and so what is freed
/// together where one element is to be estimated or differentiated by.
std::string whole_array(std::string_view name);

}  // namespace bolza::workflow
