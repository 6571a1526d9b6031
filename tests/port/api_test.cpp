// SPDX-License-Identifier: MIT
#include "port/api/api.h"

#include <gmock/gmock.h>

#include "port/api/table.h"

namespace hipwright::port::api {

namespace {

TEST(PortApi, TheTablesOfThisBinaryParse) {
  const auto tables = read_tables(embedded_tables());
  ASSERT_TRUE(tables) << tables.error().message();
  EXPECT_GT(tables->entries.size(), 8000u);
}

}  // namespace

}  // namespace hipwright::port::api
