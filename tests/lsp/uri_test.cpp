// SPDX-License-Identifier: MIT
#include "lsp/uri.h"

#include <gtest/gtest.h>

namespace hipwright::lsp {
namespace {

TEST(Uri, NamesFiles) {
  EXPECT_EQ(path_of("file:///a/b.cu"), "/a/b.cu");
  EXPECT_EQ(path_of("file:///a%20b/%C3%A4%2b.cu"), "/a b/ä+.cu");
  EXPECT_EQ(path_of("file://localhost/a.cu"), "/a.cu");
  EXPECT_EQ(path_of("file:///a/../b/./c.cu#L1"), "/b/c.cu");
}

TEST(Uri, OtherUrisNameNoFile) {
  for (const char* uri : {"", "untitled:Untitled-1", "https://x/a.cu", "file://host/a.cu", "file:a",
                          "file:///a%0", "file:///a%zz", "file:///a%00b"})
    EXPECT_EQ(path_of(uri), std::nullopt) << uri;
}

TEST(Uri, RoundTrip) {
  for (const char* path : {"/a/b.cu", "/with blank/ä/100%/a#b?c:d.cu"})
    EXPECT_EQ(path_of(uri_of(path)), path);
}

}  // namespace
}  // namespace hipwright::lsp
