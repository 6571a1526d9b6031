#include <cusparse.h>

void solve(cusparseHandle_t h, cusparseOperation_t op, float one, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
           cusparseDnMatDescr_t c, cusparseSpSMDescr_t d, void* buffer) {
  cusparseSpSM_analysis(h, op, op, &one, a, b, c, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, d, buffer);
  cusparseSpSM_solve(h, op, op, &one, a, b, c, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, d);
}

void again(cusparseHandle_t h, cusparseOperation_t op, float one, cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
           cusparseDnMatDescr_t c, cusparseSpSMDescr_t d) {
  cusparseSpSM_solve(h, op, op, &one, a, b, c, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, d);  // reports: HP207
}
