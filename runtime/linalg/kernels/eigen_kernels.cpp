// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/kernels/eigen_kernels.h"

namespace Eigen::internal {

template struct gebp_kernel<double, double, Index, blas_data_mapper<double, Index, ColMajor>, 4, 4, false, false>;
template struct gemm_pack_rhs<double, Index, ConstMatrix<ColMajor>, 4, ColMajor, false, false>;
template struct gemm_pack_lhs<double, Index, ConstMatrix<ColMajor>, 4, 2, Packet2d, ColMajor, false, false>;
template struct gemm_pack_lhs<double, Index, ConstMatrix<RowMajor>, 4, 2, Packet2d, RowMajor, false, false>;
template struct general_matrix_vector_product<Index, double, ConstMatrix<RowMajor>, RowMajor, false, double,
                                              ConstMatrix<ColMajor>, false, 0>;
template struct general_matrix_vector_product<Index, double, ConstMatrix<ColMajor>, ColMajor, false, double,
                                              ConstMatrix<RowMajor>, false, 0>;

}  // namespace Eigen::internal
