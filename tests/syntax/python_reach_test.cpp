// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

namespace {

constexpr Truth kNo = Truth::kNo;
constexpr Truth kMaybe = Truth::kMaybe;
constexpr Truth kYes = Truth::kYes;

TokenIndex token(const File& file, std::string_view text) {
  for (TokenIndex at = 0; at < file.tokens().size(); ++at)
    if (file.text(at) == text) return at;
  ADD_FAILURE() << text << " is not there";
  return 0;
}

// The value of what follows `if` in the last line.
Truth condition(const std::string& before, const std::string& text) {
  const std::string source = before + "if " + text + ": pass\n";
  const File file(source);
  const Statement* last = nullptr;
  for (const Statement& statement : file.statements())
    if (statement.kind == StatementKind::kIf) last = &statement;
  return condition_on_rocm(file, {last->tokens.begin + 1, last->tokens.end});
}

TEST(PythonCondition, IsKnownOnRocm) {
  const struct {
    const char* text;
    Truth expected;
  } cases[] = {
      {"current_platform.is_rocm()", kYes},
      {"is_hip()", kYes},
      {"_is_hip", kYes},
      {"self.is_rocm", kYes},
      {"IS_ROCM", kYes},
      {"torch.version.hip", kYes},
      {"torch.version.hip is not None", kYes},
      {"torch.version.hip is None", kNo},
      {"torch.version.hip != None", kYes},
      {"torch.version.cuda", kNo},
      {"torch.version.cuda is not None", kNo},
      {"torch.version.cuda is None", kYes},
      {"torch.version.cuda == '12.1'", kNo},
      {"torch.version.cuda >= '12.1'", kMaybe},
      {"bool(torch.version.hip)", kYes},
      {"getattr(torch.version, 'hip', None)", kYes},
      {"getattr(torch.version, 'hip', None) is not None", kYes},
      {"getattr(torch.version, 'cuda', None)", kNo},
      {"hasattr(torch.version, 'hip')", kYes},
      {"current_platform.is_cuda()", kNo},
      {"not current_platform.is_cuda()", kYes},
      {"current_platform.is_cuda_alike()", kYes},
      {"is_cuda()", kNo},
      {"_is_cuda", kNo},
      {"x.is_cuda", kMaybe},
      {"tensor.is_cpu", kMaybe},
      {"torch.cuda.is_available()", kYes},
      {"not torch.cuda.is_available()", kNo},
      {"torch.cuda.is_available() and torch.version.cuda", kNo},
      {"torch.xpu.is_available()", kNo},
      {"is_npu()", kNo},
      {"_is_xpu or _is_npu", kNo},
      {"is_cuda() or is_hip()", kYes},
      {"not (is_cuda() or is_hip())", kNo},
      {"is_hip() and x > 3", kMaybe},
      {"is_cuda() and x > 3", kNo},
      {"is_hip() or x > 3", kYes},
      {"x and y", kMaybe},
      {"os.environ.get('USE_ROCM') == '1'", kMaybe},
      {"'AMD' in torch.cuda.get_device_name()", kYes},
      {"'AMD' not in torch.cuda.get_device_name(0)", kNo},
      {"'NVIDIA H' in torch.cuda.get_device_name(0)", kNo},
      {"'H100' not in torch.cuda.get_device_name(0)", kYes},
      {"triton.runtime.driver.active.get_current_target().backend == 'hip'", kYes},
      {"triton.runtime.driver.active.get_current_target().backend == 'cuda'", kNo},
      {"self._enum == PlatformEnum.ROCM", kYes},
      {"is_hip() is True", kYes},
      {"is_hip() == False", kNo},
      {"is_hip() if x else is_rocm()", kYes},
      {"x if is_cuda() else is_hip()", kYes},
      {"(not (is_cuda()))", kYes},
      {"(flag := is_hip())", kYes},
      {"True", kYes},
      {"0", kNo},
      {"TYPE_CHECKING", kNo},
      {"typing.TYPE_CHECKING", kNo},
      {"is_hip", kYes},
      {"is_hip(), x", kMaybe},
      {"[is_hip()]", kMaybe},
      {"lambda: is_hip()", kMaybe},
      {"on_gfx950()", kMaybe},
      {"is_sm90_supported()", kNo},
  };
  for (const auto& c : cases) EXPECT_EQ(condition("", c.text), c.expected) << c.text;
}

TEST(PythonCondition, FollowsNamesOfTheSameFile) {
  const struct {
    const char* before;
    const char* text;
    Truth expected;
  } cases[] = {
      {"amd = torch.version.hip is not None\n", "amd", kYes},
      {"amd: bool = is_hip()\n", "not amd", kNo},
      {"use = is_hip() and get_env('X')\n", "use", kMaybe},
      {"a = is_cuda()\nb = a\nc = b or a\n", "c", kNo},
      {"a = b\nb = a\n", "a", kMaybe},
      {"is_cuda = x.is_cuda\n", "is_cuda", kMaybe},
      {"is_cuda = torch.cuda.is_available()\n", "is_cuda", kYes},
      {"_is_cuda = is_cuda()\n", "_is_cuda", kNo},
      {"from u import is_cuda\n_is_cuda = is_cuda()\n", "_is_cuda", kNo},
      {"flag = is_hip()\nflag = other()\n", "flag", kMaybe},
      {"is_hip = False\nis_hip = detect()\n", "is_hip", kYes},
      {"is_hip = detect()\n", "is_hip", kYes},
      {"def amd():\n    'doc'\n    return torch.version.hip is not None\n", "amd()", kYes},
      {"def is_cuda():\n    return torch.cuda.is_available()\n", "is_cuda()", kYes},
      {"def is_cuda():\n    if a: return False\n    return b\n", "is_cuda()", kNo},
      {"def f(x):\n    amd = is_hip()\n", "amd", kMaybe},
      {"amd, n = is_hip(), 1\n", "amd", kYes},
  };
  for (const auto& c : cases)
    EXPECT_EQ(condition(c.before, c.text), c.expected) << c.before << c.text;
}

TEST(PythonReach, StatementsUnderGuards) {
  const struct {
    const char* text;  // asks for the statement with the name HERE
    Truth expected;
  } cases[] = {
      {"HERE\n", kYes},
      {"def f():\n    HERE\n", kMaybe},
      {"class A:\n    HERE\n", kYes},
      {"if x:\n    HERE\n", kMaybe},
      {"if is_cuda():\n    HERE\n", kNo},
      {"if is_hip():\n    HERE\n", kYes},
      {"def f():\n    if is_hip():\n        HERE\n", kYes},
      {"def f():\n    if is_hip():\n        if x:\n            HERE\n", kYes},
      {"def f():\n    if is_hip() and x:\n        HERE\n", kYes},
      {"def f():\n    if torch.cuda.is_available():\n        HERE\n", kMaybe},
      {"if torch.cuda.is_available():\n    HERE\n", kYes},
      {"if is_hip():\n    pass\nelse:\n    HERE\n", kNo},
      {"if is_cuda():\n    pass\nelse:\n    HERE\n", kYes},
      {"if is_npu():\n    pass\nelse:\n    HERE\n", kYes},
      {"def f():\n    if is_npu():\n        pass\n    else:\n        HERE\n", kMaybe},
      {"if is_hip():\n    pass\nelif x:\n    HERE\n", kNo},
      {"if is_cuda():\n    pass\nelif is_hip():\n    HERE\n", kYes},
      {"if x:\n    pass\nelif is_cuda():\n    HERE\n", kNo},
      {"if not is_hip():\n    HERE\n", kNo},
      {"while is_cuda():\n    HERE\n", kNo},
      {"while True:\n    HERE\n", kYes},
      {"if is_cuda(): HERE\n", kNo},
      {"def f():\n    if is_hip():\n        return 1\n    HERE\n", kNo},
      {"def f():\n    if not is_hip():\n        return 1\n    HERE\n", kYes},
      {"def f():\n    if not is_cuda():\n        raise E()\n    HERE\n", kNo},
      {"def f():\n    if x:\n        return\n    HERE\n", kMaybe},
      {"for i in y:\n    if is_hip():\n        continue\n    HERE\n", kNo},
      {"for i in y:\n    if is_hip():\n        continue\nHERE\n", kYes},
      {"if is_hip():\n    sys.exit(1)\nHERE\n", kNo},
      {"if not current_platform.is_cuda():\n    pytest.skip('x', allow_module_level=True)\nHERE\n",
       kNo},
      {"if is_hip():\n    if x:\n        return\n    else:\n        raise E\nHERE\n", kNo},
      {"def f():\n    if is_hip():\n        y = 1\n    else:\n        return\n    HERE\n", kYes},
      {"def f():\n    if is_cuda():\n        a\n    elif is_hip():\n        return\n    HERE\n",
       kNo},
      {"def f():\n    if is_hip():\n        a\n    HERE\n", kMaybe},
      {"assert is_cuda()\nHERE\n", kNo},
      {"assert x\nHERE\n", kYes},
      {"def f():\n    assert is_hip(), 'm'\n    HERE\n", kYes},
      {"raise E\nHERE\n", kNo},
      {"if is_cuda():\n    def f():\n        HERE\n", kNo},
      {"if is_hip():\n    def f():\n        HERE\n", kYes},
      {"@pytest.mark.skipif(current_platform.is_rocm(), reason='x')\ndef test_a():\n    HERE\n",
       kNo},
      {"@pytest.mark.skipif(not current_platform.is_rocm(), reason='x')\ndef test_a():\n    HERE\n",
       kYes},
      {"@pytest.mark.skipif(not torch.cuda.is_available(), reason='x')\ndef test_a():\n    HERE\n",
       kMaybe},
      {"@unittest.skipIf(is_hip(), 'x')\nclass TestA:\n    def test_b(self):\n        HERE\n", kNo},
      {"@unittest.skipUnless(is_cuda(), 'x')\nclass TestA:\n    def test_b(self):\n        HERE\n",
       kNo},
      {"@skipIfRocm\ndef test_a():\n    HERE\n", kNo},
      {"cuda_only = pytest.mark.skipif(not is_cuda(), reason='x')\n@cuda_only\ndef test_a():\n    "
       "HERE\n",
       kNo},
      {"pytestmark = pytest.mark.skipif(not is_cuda(), reason='x')\ndef test_a():\n    HERE\n",
       kNo},
      {"pytestmark = [a, pytest.mark.skipif(is_hip(), reason='x')]\ndef test_a():\n    HERE\n",
       kNo},
      {"pytestmark = pytest.mark.skipif(not is_cuda(), reason='x')\ndef helper():\n    HERE\n",
       kMaybe},
      {"try:\n    HERE\nexcept E:\n    pass\n", kYes},
      {"try:\n    pass\nexcept E:\n    HERE\n", kMaybe},
      {"try:\n    import a\nexcept E:\n    raise\nHERE\n", kYes},
      {"def f():\n    try:\n        return 1\n    except E:\n        raise\n    HERE\n", kNo},
      {"with a:\n    HERE\n", kYes},
      {"match x:\n    case 1:\n        HERE\n", kMaybe},
      {"def _f():\n    HERE\nif is_cuda():\n    _f()\n", kNo},
      {"def _f():\n    HERE\ndef _g():\n    _f()\nif is_cuda():\n    _g()\n", kNo},
      {"def _f():\n    HERE\nif is_cuda():\n    _f()\nelse:\n    _f()\n", kMaybe},
      {"def f():\n    HERE\nif is_cuda():\n    f()\n", kMaybe},
      {"if TYPE_CHECKING:\n    HERE\n", kNo},
      {"_is_cuda = is_cuda()\ndef f():\n    if _is_cuda:\n        HERE\n", kNo},
      {"class A:\n    def __init__(self):\n        self.amd = is_hip()\n    def f(self):\n        "
       "if not self.amd:\n            HERE\n",
       kNo},
      {"def f(is_cuda):\n    if is_cuda:\n        HERE\n", kNo},
      {"if on_gfx950() and is_hip():\n    HERE\n", kYes},
  };
  for (const auto& c : cases) {
    const File file(c.text);
    EXPECT_EQ(file.runs_on_rocm(file.statement_at(token(file, "HERE"))), c.expected) << c.text;
  }
}

TEST(PythonReach, PartsOfExpressionsUnderGuards) {
  const struct {
    const char* text;
    Truth expected;
  } cases[] = {
      {"x = HERE if is_cuda() else y\n", kNo},
      {"x = y if is_cuda() else HERE\n", kYes},
      {"x = y if is_hip() else HERE\n", kNo},
      {"x = y if z else HERE if is_cuda() else w\n", kNo},
      {"x = is_cuda() and HERE\n", kNo},
      {"x = is_hip() and HERE\n", kYes},
      {"x = is_hip() or HERE\n", kNo},
      {"x = a and (b or (is_cuda() and f(HERE)))\n", kNo},
      {"if is_cuda() and HERE > 3: pass\n", kNo},
      {"f(is_cuda(), HERE)\n", kYes},
      {"f(a=is_cuda() and b, c=HERE)\n", kYes},
      {"f(a=is_cuda() and HERE)\n", kNo},
      {"x = [HERE for y in z if is_cuda()]\n", kNo},
      {"x = [HERE for y in z if w]\n", kYes},
      {"x = {'a': HERE if is_cuda() else 1}\n", kNo},
      {"def f():\n    return HERE if is_hip() else y\n", kYes},
      {"x = HERE\n", kYes},
      {"if is_cuda():\n    x = HERE\n", kNo},
  };
  for (const auto& c : cases) {
    const File file(c.text);
    EXPECT_EQ(file.token_runs_on_rocm(token(file, "HERE")), c.expected) << c.text;
  }
}

TEST(PythonReach, SurvivesAMove) {
  File file("amd = is_hip()\nif not amd:\n    HERE\n");
  EXPECT_EQ(file.runs_on_rocm(2), kNo);
  const File moved(std::move(file));
  EXPECT_EQ(moved.runs_on_rocm(2), kNo);
  EXPECT_EQ(condition_on_rocm(moved, {8, 9}), kYes);
  EXPECT_EQ(moved.text(8), "amd");
}

TEST(PythonTry, ExceptionsAreCaughtInTheBodyOnly) {
  const struct {
    const char* text;
    const char* exception;
    bool expected;
  } cases[] = {
      {"try:\n    HERE\nexcept ImportError:\n    pass\n", "ImportError", true},
      {"try:\n    HERE\nexcept ModuleNotFoundError:\n    pass\n", "ImportError", true},
      {"try:\n    HERE\nexcept Exception as e:\n    pass\n", "ImportError", true},
      {"try:\n    HERE\nexcept:\n    pass\n", "ImportError", true},
      {"try:\n    HERE\nexcept (ValueError, builtins.ImportError):\n    pass\n", "ImportError",
       true},
      {"try:\n    HERE\nexcept ValueError, ImportError:\n    pass\n", "ImportError", true},
      {"try:\n    HERE\nexcept* ImportError:\n    pass\n", "ImportError", true},
      {"try:\n    HERE\nexcept A:\n    pass\nexcept ImportError:\n    pass\n", "ImportError", true},
      {"try:\n    HERE\nexcept ValueError as ImportError:\n    pass\n", "ImportError", false},
      {"try:\n    HERE\nexcept AttributeError:\n    pass\n", "ImportError", false},
      {"try:\n    HERE\nexcept AttributeError:\n    pass\n", "AttributeError", true},
      {"try:\n    HERE\nexcept OSError:\n    pass\n", "FileNotFoundError", true},
      {"try:\n    HERE\nfinally:\n    pass\n", "ImportError", false},
      {"try:\n    pass\nexcept ImportError:\n    HERE\n", "ImportError", false},
      {"try:\n    pass\nexcept ImportError:\n    pass\nelse:\n    HERE\n", "ImportError", false},
      {"try:\n    if x:\n        HERE\nexcept ImportError:\n    pass\n", "ImportError", true},
      {"try:\n    try:\n        HERE\n    except A:\n        pass\nexcept ImportError:\n    pass\n",
       "ImportError", true},
      {"try:\n    def f():\n        HERE\nexcept ImportError:\n    pass\n", "ImportError", false},
      {"with contextlib.suppress(ImportError):\n    HERE\n", "ImportError", true},
      {"with suppress(KeyError, ImportError):\n    HERE\n", "ImportError", true},
      {"with suppress(KeyError):\n    HERE\n", "ImportError", false},
      {"HERE\n", "ImportError", false},
  };
  for (const auto& c : cases) {
    const File file(c.text);
    EXPECT_EQ(file.guarded_by_try(file.statement_at(token(file, "HERE")), c.exception), c.expected)
        << c.text;
  }
}

}  // namespace

}  // namespace hipwright::syntax::python
