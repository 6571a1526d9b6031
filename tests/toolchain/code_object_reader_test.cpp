// SPDX-License-Identifier: MIT
#include "code_object_fixture.h"

#include <elf.h>
#include <fmt/format.h>

namespace hipwright::toolchain {
namespace {

using namespace testing_fixture;
using ::testing::HasSubstr;

constexpr const char* kAxpy = "_Z4axpyIfEvT_PKS0_PS0_i";

struct Case {
  std::string target;
  unsigned version;
  unsigned wave_size;
};

class CodeObjectOf : public ::testing::TestWithParam<Case> {};

TEST_P(CodeObjectOf, TellsARuntimeAllItNeeds) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto object =
      CodeObject::parse(compiled_object(GetParam().target, GetParam().version), "a.co");
  ASSERT_TRUE(object) << object.error().message();
  EXPECT_EQ(object->version(), GetParam().version);
  EXPECT_EQ(object->target().id(), GetParam().target);
  ASSERT_EQ(object->kernels().size(), 2u);

  const Kernel* axpy = object->kernel(kAxpy);
  ASSERT_TRUE(axpy);
  EXPECT_EQ(axpy->symbol, std::string(kAxpy) + ".kd");
  ASSERT_GE(axpy->arguments.size(), 4u);
  const std::vector<std::tuple<unsigned, unsigned, std::string, std::string>> expected = {
      {0, 4, "by_value", ""},
      {8, 8, "global_buffer", "global"},
      {16, 8, "global_buffer", "global"},
      {24, 4, "by_value", ""}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const KernelArgument& argument = axpy->arguments[i];
    EXPECT_EQ(std::tie(argument.offset, argument.size, argument.value_kind, argument.address_space),
              expected[i])
        << i;
    EXPECT_FALSE(argument.hidden());
  }
  EXPECT_GE(axpy->kernarg_size, 28u);
  EXPECT_EQ(axpy->kernarg_align, 8u);
  EXPECT_EQ(axpy->max_workgroup_size, 1024u);

  const Kernel* reverse = object->kernel("reverse");
  ASSERT_TRUE(reverse);
  EXPECT_EQ(reverse->lds_bytes, 512u);
  EXPECT_EQ(reverse->scratch_bytes, 0u);
  EXPECT_EQ(reverse->max_workgroup_size, 128u);
  EXPECT_EQ(reverse->wave_size, GetParam().wave_size);
  EXPECT_GT(reverse->vgprs, 0u);
  EXPECT_GT(reverse->sgprs, 0u);
}

TEST_P(CodeObjectOf, DescriptorAgreesWithTheMetadataAndPointsAtTheCode) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto object =
      CodeObject::parse(compiled_object(GetParam().target, GetParam().version), "a.co");
  ASSERT_TRUE(object) << object.error().message();
  const auto symbols = object->elf().symbols(*object->elf().section(".symtab")).value();
  for (const Kernel& kernel : object->kernels()) {
    const KernelDescriptor& descriptor = kernel.descriptor;
    EXPECT_EQ(descriptor.group_segment_fixed_size, kernel.lds_bytes);
    EXPECT_EQ(descriptor.private_segment_fixed_size, kernel.scratch_bytes);
    EXPECT_EQ(descriptor.kernarg_size, kernel.kernarg_size);
    EXPECT_EQ(descriptor.wave32, kernel.wave_size == 32);
    EXPECT_GE(descriptor.allocated_vgprs, kernel.vgprs);
    EXPECT_EQ(descriptor.allocated_sgprs == 0, kernel.wave_size == 32);  // gfx10+: fixed
    if (descriptor.allocated_sgprs != 0) {
      EXPECT_GE(descriptor.allocated_sgprs, kernel.sgprs);
    }
    EXPECT_TRUE(descriptor.sgpr_kernarg_segment_ptr);
    EXPECT_GE(descriptor.user_sgprs, 2u);
    EXPECT_EQ(descriptor.workitem_id_dimensions, 1u);
    EXPECT_FALSE(descriptor.uses_dynamic_stack);
    const auto function =
        std::find_if(symbols.begin(), symbols.end(), [&](const ElfSymbol& symbol) {
          return symbol.name == kernel.name && symbol.type == STT_FUNC;
        });
    ASSERT_NE(function, symbols.end());
    EXPECT_EQ(kernel.entry_address, function->value);
    EXPECT_EQ(kernel.code_size, function->size);
    EXPECT_TRUE(object->file_bytes_at(kernel.entry_address, *kernel.code_size));
  }
}

TEST_P(CodeObjectOf, HasVariablesAndWhatALoaderMustRelocate) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto object =
      CodeObject::parse(compiled_object(GetParam().target, GetParam().version), "a.co");
  ASSERT_TRUE(object) << object.error().message();
  const Variable* counter = object->variable("counter");
  const Variable* pointer = object->variable("to_counter");
  const Variable* scale = object->variable("scale");
  ASSERT_TRUE(counter && pointer && scale);
  EXPECT_EQ(counter->size, 4u);
  EXPECT_TRUE(counter->writable);
  EXPECT_EQ(scale->size, 16u);
  EXPECT_FALSE(scale->writable);
  EXPECT_EQ(object->file_bytes_at(counter->address, 4), std::string_view("\x05\0\0\0", 4));
  EXPECT_FALSE(object->variable("reverse.kd"));

  ASSERT_EQ(object->relocations().size(), 1u);
  const Relocation& relocation = object->relocations().front();
  EXPECT_EQ(relocation.type, RelocationType::kRelative64);
  EXPECT_EQ(relocation.address, pointer->address);
  EXPECT_EQ(static_cast<std::uint64_t>(relocation.addend), counter->address);
  EXPECT_GE(object->memory_size(), pointer->address + pointer->size);
}

INSTANTIATE_TEST_SUITE_P(VersionsAndTargets, CodeObjectOf,
                         ::testing::Values(Case{"gfx942", 4, 64}, Case{"gfx942", 5, 64},
                                           Case{"gfx942", 6, 64}, Case{"gfx90a", 4, 64},
                                           Case{"gfx90a", 5, 64}, Case{"gfx950", 6, 64},
                                           Case{"gfx1100", 4, 32}, Case{"gfx1100", 5, 32},
                                           Case{"gfx1100", 6, 32}, Case{"gfx1201", 5, 32},
                                           Case{"gfx1201", 6, 32}),
                         [](const auto& chosen) {
                           return fmt::format("{}_v{}", chosen.param.target, chosen.param.version);
                         });

TEST(CodeObjectTarget, FeaturesAndGenericVersionsComeFromTheHeader) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::vector<std::string> targets = {"gfx942:sramecc+:xnack-", "gfx90a:xnack+",
                                            "gfx906:sramecc-", "gfx9-4-generic:xnack-",
                                            "gfx11-generic"};
  for (const std::string& target : targets) {
    const auto object = CodeObject::parse(compiled_object(target, 6), "a.co");
    ASSERT_TRUE(object) << object.error().message();
    EXPECT_EQ(object->target().id(), target);
    EXPECT_EQ(object->generic_version(), target.find("generic") == std::string::npos ? 0u : 1u);
  }
}

TEST(CodeObjectTarget, AHeaderThatContradictsTheMetadataIsAnError) {
  HIPWRIGHT_NEEDS_CLANG();
  std::string bytes = compiled_object("gfx942", 5);
  bytes[offsetof(Elf64_Ehdr, e_flags)] = 0x3f;  // gfx90a
  const auto object = CodeObject::parse(bytes, "a.co");
  ASSERT_FALSE(object);
  EXPECT_THAT(object.error().message(),
              HasSubstr("the ELF header names gfx90a, but the metadata names gfx942"));
}

TEST(CodeObjectVersion, OldAndUnknownOnesAreRefusedWithAdvice) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string good = compiled_object("gfx942", 5);
  const std::pair<char, const char*> cases[] = {{0, "unsupported version 2"},
                                                {1, "unsupported version 3"},
                                                {9, "newer than code object version 6"}};
  for (const auto& [abi_version, message] : cases) {
    std::string bytes = good;
    bytes[EI_ABIVERSION] = abi_version;
    const auto object = CodeObject::parse(bytes, "old.co");
    ASSERT_FALSE(object);
    EXPECT_THAT(object.error().message(), HasSubstr(message));
    EXPECT_THAT(object.error().message(), HasSubstr("old.co"));
    EXPECT_THAT(object.error().message(), HasSubstr("-mcode-object-version="));
  }
}

// OpenCL keeps names and types of arguments, required sizes and printf formats.
TEST(CodeObjectMetadata, OpenClDetailsAreKept) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string bytes = compiled(
      R"(__kernel __attribute__((reqd_work_group_size(96, 2, 1)))
         void scale(__global const int* restrict from, __global int* to, __local int* line, float4 by) {
           to[0] = from[0] + line[0] + (int)by.x;
           printf("sum %d\n", to[0]);
         })",
      {"-x", "cl", "-cl-std=CL2.0", "-cl-kernel-arg-info", "-target", "amdgcn-amd-amdhsa",
       "-mcpu=gfx90a", "-nogpulib", "-mprintf-kind=buffered", "-Wno-everything", "-O2",
       "-Wl,--unresolved-symbols=ignore-all"},
      "in.cl");
  const auto object = CodeObject::parse(bytes, "a.co");
  ASSERT_TRUE(object) << object.error().message();
  const Kernel* kernel = object->kernel("scale");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->required_workgroup_size, (std::array<std::uint32_t, 3>{96, 2, 1}));
  EXPECT_EQ(kernel->language, "OpenCL C");
  EXPECT_EQ(kernel->arguments[0].name, "from");
  EXPECT_EQ(kernel->arguments[0].type_name, "int*");
  EXPECT_TRUE(kernel->arguments[0].is_const);
  EXPECT_TRUE(kernel->arguments[0].is_restrict);
  EXPECT_EQ(kernel->arguments[2].value_kind, "dynamic_shared_pointer");
  EXPECT_EQ(kernel->arguments[2].pointee_align, 4u);
  EXPECT_EQ(kernel->arguments[3].size, 16u);
  ASSERT_EQ(object->printf_formats().size(), 1u);
  EXPECT_THAT(object->printf_formats()[0], HasSubstr("sum %d"));
}

TEST(CodeObjectMetadata, RecursionAndSpillsShow) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto object = CodeObject::parse(compiled_object("gfx942", 5, R"(
        __attribute__((device)) __attribute__((noinline)) int walk(int n) {
          return n < 2 ? 1 : n * walk(n - 1) + walk(n - 2);
        }
        extern "C" __attribute__((global)) void recursive(int* p) { p[2] = walk(p[1]); })"),
                                        "a.co");
  ASSERT_TRUE(object) << object.error().message();
  EXPECT_TRUE(object->kernels()[0].uses_dynamic_stack);
  EXPECT_TRUE(object->kernels()[0].descriptor.uses_dynamic_stack);
  EXPECT_TRUE(object->kernels()[0].descriptor.uses_scratch);
  EXPECT_GT(object->kernels()[0].scratch_bytes, 0u);
}

TEST(CodeObjectInput, AnUnlinkedObjectIsAnErrorThatSaysSo) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string bytes = compiled(
      "__kernel void k(__global int* p) { *p = 1; }",
      {"-x", "cl", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-c"}, "in.cl");
  const auto object = CodeObject::parse(bytes, "unlinked.o");
  ASSERT_FALSE(object);
  EXPECT_THAT(object.error().message(), HasSubstr("not linked"));
}

TEST(CodeObjectInput, ViewsStayValidInCopies) {
  HIPWRIGHT_NEEDS_CLANG();
  std::optional<CodeObject> copy;
  {
    auto object = CodeObject::parse(compiled_object("gfx1100", 5), "a.co");
    ASSERT_TRUE(object);
    copy = *object;
  }
  EXPECT_TRUE(copy->variable("counter"));
  EXPECT_TRUE(copy->kernel("reverse"));
}

}  // namespace
}  // namespace hipwright::toolchain
