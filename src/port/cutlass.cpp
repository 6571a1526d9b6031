// SPDX-License-Identifier: MIT
#include "port/cutlass.h"

#include <array>

namespace hipwright::port {

namespace {

struct Pair {
  std::string_view last;  // the last part of the name; with a final '*', how it begins
  std::string_view counterpart;
};

// The first match wins. A rewrite, not a renaming: tile shapes and pipelines must be chosen again.
constexpr std::array kPairs = {
    Pair{"GemmUniversalAdapter", "ck_tile::GemmKernel"},
    Pair{"GemmShape", "ck_tile::TileGemmShape"},
    Pair{"GemmCoord", "M, N and K as ck::index_t"},
    Pair{"GemmIdentityThreadblockSwizzle", "ck_tile::GemmTile1DPartitioner"},
    Pair{"GemmUniversal", "ck::tensor_operation::device::DeviceGemm_Xdl_CShuffleV3"},
    Pair{"GemmGrouped", "ck::tensor_operation::device::DeviceGroupedGemm_Xdl"},
    Pair{"GemmBatched", "ck::tensor_operation::device::DeviceBatchedGemmXdl"},
    Pair{"GemmArray", "ck::tensor_operation::device::DeviceGroupedGemm_Xdl"},
    Pair{"GemmSplitK*", "ck::tensor_operation::device::DeviceGemmXdlSplitK"},
    Pair{"GemmSparse*", ""},
    Pair{"Gemm", "ck::tensor_operation::device::DeviceGemm_Xdl_CShuffle"},
    Pair{"ImplicitGemmConvolution",
         "ck::tensor_operation::device::DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle"},
    Pair{"DefaultConv2dFprop*",
         "ck::tensor_operation::device::DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle"},
    Pair{"CollectiveBuilder", "ck_tile::GemmPipelineAgBgCrCompV3 and an epilogue of ck_tile"},
    Pair{"CollectiveMma", "ck_tile::GemmPipelineAgBgCrCompV3"},
    Pair{"CollectiveEpilogue", "ck_tile::CShuffleEpilogue"},
    Pair{"LinearCombination*", "ck::tensor_operation::element_wise::Bilinear and its siblings"},
    Pair{"RowMajor", "ck::tensor_layout::gemm::RowMajor"},
    Pair{"ColumnMajor", "ck::tensor_layout::gemm::ColumnMajor"},
    Pair{"TensorNHWC*", "ck::tensor_layout::convolution::NHWGC"},
    Pair{"half_t", "ck::half_t"},
    Pair{"bfloat16_t", "ck::bhalf_t"},
    Pair{"float_e4m3_t", "ck::f8_t"},
    Pair{"float_e5m2_t", "ck::bf8_t"},
    Pair{"NumericArrayConverter*", "ck::type_convert"},
    Pair{"NumericConverter", "ck::type_convert"},
    Pair{"Array", "ck::vector_type"},
    Pair{"TensorRef", "ck::TensorDescriptor"},
    Pair{"TensorView", "ck::TensorDescriptor"},
    Pair{"HostTensor", "ck::Tensor and ck::DeviceMem"},
    Pair{"make_tensor", "ck_tile::make_naive_tensor_view"},
    Pair{"make_layout", "ck_tile::make_naive_tensor_descriptor"},
    Pair{"Layout", "ck_tile::tensor_descriptor"},
    Pair{"Shape", "ck_tile::sequence"},
    Pair{"Tensor", "ck_tile::tensor_view"},
    Pair{"TiledCopy", "ck_tile::tile_window"},
    Pair{"TiledMMA", "ck_tile::WarpGemmDispatcher"},
    Pair{"TiledMma", "ck_tile::WarpGemmDispatcher"},
    Pair{"copy", "ck_tile::load_tile and ck_tile::store_tile"},
    Pair{"gemm", "ck_tile::BlockGemmARegBRegCRegV1"},
    Pair{"Int", "ck_tile::number"},
    Pair{"tuple", "ck_tile::tuple"},
    Pair{"make_tuple", "ck_tile::make_tuple"},
    Pair{"make_shape", "ck_tile::make_tuple"},
    Pair{"make_stride", "ck_tile::make_tuple"},
    Pair{"make_coord", "ck_tile::make_tuple"},
    Pair{"ceil_div", "ck_tile::integer_divide_ceil"},
    Pair{"is_same_v", "std::is_same_v"},
    Pair{"conditional_t", "std::conditional_t"},
    Pair{"forward", "std::forward"},
    Pair{"move", "std::move"},
    Pair{"Status", "hipError_t"},
    Pair{"kSuccess", "hipSuccess"},
    Pair{"KernelHardwareInfo", "hipDeviceProp_t"},
    Pair{"query_device_multiprocessor_count", "hipDeviceProp_t::multiProcessorCount"},
};

}  // namespace

std::string_view composable_kernel_counterpart(std::string_view cutlass_name) {
  const std::size_t at = cutlass_name.rfind("::");
  const std::string_view last =
      at == std::string_view::npos ? cutlass_name : cutlass_name.substr(at + 2);
  for (const Pair& pair : kPairs) {
    const bool is_family = pair.last.ends_with('*');
    if (is_family ? last.starts_with(pair.last.substr(0, pair.last.size() - 1)) : last == pair.last)
      return pair.counterpart;
  }
  return {};
}

}  // namespace hipwright::port
