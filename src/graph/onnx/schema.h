// SPDX-License-Identifier: MIT
// Field numbers of ONNX's messages, as onnx.proto publishes them.
#pragma once

#include <cstdint>

namespace hipwright::graph::onnx {

namespace model {
constexpr std::uint32_t kIrVersion = 1, kProducerName = 2, kProducerVersion = 3, kGraph = 7,
                        kOpsetImport = 8, kMetadata = 14, kFunctions = 25;
}
namespace opset {
constexpr std::uint32_t kDomain = 1, kVersion = 2;
}
namespace graph_field {
constexpr std::uint32_t kNode = 1, kName = 2, kInitializer = 5, kInput = 11, kOutput = 12,
                        kValueInfo = 13, kSparseInitializer = 15;
}
namespace node_field {
constexpr std::uint32_t kInput = 1, kOutput = 2, kName = 3, kOpType = 4, kAttribute = 5,
                        kDomain = 7;
}
namespace attribute_field {
constexpr std::uint32_t kName = 1, kFloat = 2, kInt = 3, kString = 4, kTensor = 5, kFloats = 7,
                        kInts = 8, kStrings = 9, kType = 20;
}
// AttributeProto.AttributeType
namespace attribute_type {
constexpr std::int64_t kFloat = 1, kInt = 2, kString = 3, kTensor = 4, kGraph = 5, kFloats = 6,
                       kInts = 7, kStrings = 8;
}
namespace value_field {
constexpr std::uint32_t kName = 1, kType = 2;
}
namespace type_field {
constexpr std::uint32_t kTensor = 1;
}
namespace tensor_type {
constexpr std::uint32_t kElement = 1, kShape = 2;
}
namespace shape_field {
constexpr std::uint32_t kDim = 1;
}
namespace dim_field {
constexpr std::uint32_t kValue = 1, kParam = 2;
}
namespace tensor_field {
constexpr std::uint32_t kDims = 1, kDataType = 2, kFloatData = 4, kInt32Data = 5, kInt64Data = 7,
                        kName = 8, kRawData = 9, kDoubleData = 10, kUint64Data = 11,
                        kExternalData = 13, kDataLocation = 14;
}
// StringStringEntryProto
namespace entry {
constexpr std::uint32_t kKey = 1, kValue = 2;
}

}  // namespace hipwright::graph::onnx
