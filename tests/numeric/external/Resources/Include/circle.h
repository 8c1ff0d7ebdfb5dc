// SPDX-License-Identifier: Apache-2.0
/* Included by the C text of a model. */
static const double circle_constant = 6.28318530717958647692;
