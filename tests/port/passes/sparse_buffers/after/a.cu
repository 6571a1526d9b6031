#include <hip/hip_runtime.h>
#include <hipsparse/hipsparse.h>

void solve(hipsparseHandle_t h, hipsparseOperation_t op, float one, hipsparseSpMatDescr_t a, hipsparseDnMatDescr_t b,
           hipsparseDnMatDescr_t c, hipsparseSpSMDescr_t d, void* buffer) {
  hipsparseSpSM_analysis(h, op, op, &one, a, b, c, HIP_R_32F, HIPSPARSE_SPSM_ALG_DEFAULT, d, buffer);
  hipsparseSpSM_solve(h, op, op, &one, a, b, c, HIP_R_32F, HIPSPARSE_SPSM_ALG_DEFAULT, d, buffer);
}

void again(hipsparseHandle_t h, hipsparseOperation_t op, float one, hipsparseSpMatDescr_t a, hipsparseDnMatDescr_t b,
           hipsparseDnMatDescr_t c, hipsparseSpSMDescr_t d) {
  hipsparseSpSM_solve(h, op, op, &one, a, b, c, HIP_R_32F, HIPSPARSE_SPSM_ALG_DEFAULT, d);  // reports: HP207
}
