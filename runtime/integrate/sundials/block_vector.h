#pragma once
#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

/// A serial vector of n numbers and, behind them, a block of n × m by rows (of states and their sensitivities along m
/// directions). Its norm is the largest root mean square of the first n and, if `tested`, of each column of the block.
/// Operations are loops over all numbers; clones have them as well.
Vector make_block_vector(std::size_t n, std::size_t m, bool tested, SUNContext context);

}  // namespace bolza::integrate
