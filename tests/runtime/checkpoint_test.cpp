// SPDX-License-Identifier: MIT
#include "hipwright/checkpoint.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "hipwright/backend.h"

namespace hipwright {

namespace {

using ::testing::HasSubstr;

AMDBackend backend_on(const char* device) {
  ::setenv("HIPWRIGHT_DEVICE", device, 1);
  AMDBackend backend;
  ::unsetenv("HIPWRIGHT_DEVICE");
  return backend;
}

std::string pattern(std::size_t bytes, unsigned seed) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i)
    text[i] = static_cast<char>((i * 2654435761U + seed) >> 13);
  return text;
}

Tensor make_tensor(Backend& backend, DataType type, std::vector<std::int64_t> shape,
                   unsigned seed) {
  Tensor tensor{.type = type, .shape = std::move(shape)};
  tensor.memory = backend.memory().allocate(tensor.bytes());
  const std::string content = pattern(tensor.bytes(), seed);
  if (tensor.bytes() > 0)
    backend.utilities().copy_to_device(tensor.memory.data(), content.data(), content.size());
  backend.synchronize();
  return tensor;
}

std::string content_of(Backend& backend, const Tensor& tensor) {
  std::string content(tensor.bytes(), '\0');
  if (!content.empty())
    backend.utilities().copy_to_host(content.data(), tensor.memory.data(), content.size());
  backend.synchronize();
  return content;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const AMDBackendError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class CheckpointFile : public ::testing::Test {
 protected:
  TemporaryDirectory folder_ = TemporaryDirectory::create().value();
  std::filesystem::path path_ = folder_.path() / "model.safetensors";
};

constexpr DataType kTypes[] = {DataType::kBool,   DataType::kU8,  DataType::kI8,  DataType::kF8E4M3,
                               DataType::kF8E5M2, DataType::kI16, DataType::kU16, DataType::kF16,
                               DataType::kBF16,   DataType::kI32, DataType::kU32, DataType::kF32,
                               DataType::kI64,    DataType::kU64, DataType::kF64};

// What is saved from one device is there on the other.
void expect_round_trip(const std::filesystem::path& path, Backend& from, Backend& to) {
  Checkpoint saved{.metadata = {{"step", "1200"}, {"format", "pt"}}};
  unsigned seed = 0;
  for (const DataType type : kTypes)
    saved.tensors.emplace(std::string(to_string(type)), make_tensor(from, type, {3, 5}, ++seed));
  saved.tensors.emplace("scalar", make_tensor(from, DataType::kF32, {}, 90));
  saved.tensors.emplace("empty", make_tensor(from, DataType::kF32, {4, 0}, 91));
  save_checkpoint(path, saved, from);

  const Checkpoint loaded = load_checkpoint(path, to);
  EXPECT_EQ(loaded.metadata, saved.metadata);
  ASSERT_EQ(loaded.tensors.size(), saved.tensors.size());
  for (const auto& [name, tensor] : saved.tensors) {
    const Tensor& other = loaded.tensors.at(name);
    EXPECT_EQ(other.type, tensor.type) << name;
    EXPECT_EQ(other.shape, tensor.shape) << name;
    EXPECT_EQ(content_of(to, other), content_of(from, tensor)) << name;
  }
}

TEST_F(CheckpointFile, TensorsOfEveryTypeRoundTrip) {
  AMDBackend cpu = backend_on("cpu");
  expect_round_trip(path_, cpu, cpu);
}

TEST_F(CheckpointFile, MovesFromTheCpuToAGpuAndBack) {
  AMDBackend cpu = backend_on("cpu");
  AMDBackend gpu = backend_on("soft:gfx942");
  expect_round_trip(path_, cpu, gpu);
  expect_round_trip(path_, gpu, cpu);
}

TEST_F(CheckpointFile, LargeTensorsAreMovedInPieces) {
  AMDBackend cpu = backend_on("cpu");
  Checkpoint saved;
  saved.tensors.emplace("a", make_tensor(cpu, DataType::kU8, {(33 << 20) + 1}, 1));
  saved.tensors.emplace("b", make_tensor(cpu, DataType::kU8, {16 << 20}, 2));
  save_checkpoint(path_, saved, cpu);
  const Checkpoint loaded = load_checkpoint(path_, cpu);
  EXPECT_TRUE(content_of(cpu, loaded.tensors.at("a")) == pattern((33 << 20) + 1, 1));
  EXPECT_TRUE(content_of(cpu, loaded.tensors.at("b")) == pattern(16 << 20, 2));
}

TEST_F(CheckpointFile, SavingWaitsForPendingWork) {
  AMDBackend cpu = backend_on("cpu");
  Checkpoint saved;
  Tensor& tensor =
      saved.tensors.emplace("w", make_tensor(cpu, DataType::kU8, {8 << 20}, 1)).first->second;
  const Stream stream = cpu.utilities().create_stream("work");
  for (int i = 0; i < 20; ++i)
    cpu.utilities().fill(tensor.memory.data(), static_cast<unsigned char>(i), tensor.bytes(),
                         stream);
  save_checkpoint(path_, saved, cpu);
  EXPECT_TRUE(read_file(path_).value().ends_with(std::string(8 << 20, '\x13')));
}

TEST_F(CheckpointFile, ASaveThatFailsLeavesTheOldFile) {
  AMDBackend cpu = backend_on("cpu");
  Checkpoint saved;
  saved.tensors.emplace("w", make_tensor(cpu, DataType::kF32, {4}, 1));
  save_checkpoint(path_, saved, cpu);
  const std::string before = read_file(path_).value();

  saved.tensors.at("w").shape = {5};
  EXPECT_THAT(message_of([&] { save_checkpoint(path_, saved, cpu); }),
              ::testing::AllOf(HasSubstr("model.safetensors"), HasSubstr("tensor 'w'"),
                               HasSubstr("16 bytes"), HasSubstr("F32 [5] needs 20")));
  saved.tensors.at("w").shape = {-1};
  EXPECT_THAT(message_of([&] { save_checkpoint(path_, saved, cpu); }), HasSubstr("negative"));
  EXPECT_EQ(read_file(path_).value(), before);
  EXPECT_THAT(message_of([&] { save_checkpoint(folder_.path() / "no" / "f", saved, cpu); }),
              HasSubstr("negative"));
  saved.tensors.at("w").shape = {4};
  EXPECT_THAT(message_of([&] { save_checkpoint(folder_.path() / "no" / "f", saved, cpu); }),
              HasSubstr("No such file"));
}

TEST_F(CheckpointFile, AnInvalidFileIsNamedWithTheReason) {
  AMDBackend cpu = backend_on("cpu");
  EXPECT_THAT(message_of([&] { load_checkpoint(path_, cpu); }),
              ::testing::AllOf(HasSubstr("model.safetensors"), HasSubstr("No such file")));
  Checkpoint saved;
  saved.tensors.emplace("w", make_tensor(cpu, DataType::kF32, {4}, 1));
  save_checkpoint(path_, saved, cpu);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 1);
  EXPECT_THAT(message_of([&] { load_checkpoint(path_, cpu); }),
              ::testing::AllOf(HasSubstr("model.safetensors"), HasSubstr("truncated file"),
                               HasSubstr("16 bytes, but there are 15")));
  std::ofstream(path_, std::ios::trunc);
  EXPECT_THAT(message_of([&] { load_checkpoint(path_, cpu); }), HasSubstr("shorter than 8 bytes"));
}

}  // namespace

}  // namespace hipwright
