// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>

// The loops of Eigen's products of dense matrices, compiled once: a compiler takes two seconds for them in every batch of
// sources that multiplies matrices. Precompiled headers bring these declarations (cmake/precompiled.cmake), and every room
// then finds the loops in its library; without them each batch has its own.

namespace Eigen::internal {

template <int order>
using ConstMatrix = const_blas_data_mapper<double, Index, order>;

extern template struct gebp_kernel<double, double, Index, blas_data_mapper<double, Index, ColMajor>, 4, 4, false, false>;
extern template struct gemm_pack_rhs<double, Index, ConstMatrix<ColMajor>, 4, ColMajor, false, false>;
extern template struct gemm_pack_lhs<double, Index, ConstMatrix<ColMajor>, 4, 2, Packet2d, ColMajor, false, false>;
extern template struct gemm_pack_lhs<double, Index, ConstMatrix<RowMajor>, 4, 2, Packet2d, RowMajor, false, false>;
extern template struct general_matrix_vector_product<Index, double, ConstMatrix<RowMajor>, RowMajor, false, double,
                                                     ConstMatrix<ColMajor>, false, 0>;
extern template struct general_matrix_vector_product<Index, double, ConstMatrix<ColMajor>, ColMajor, false, double,
                                                     ConstMatrix<RowMajor>, false, 0>;

}  // namespace Eigen::internal
