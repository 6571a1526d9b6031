// SPDX-License-Identifier: MIT
#include "github/client/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "github/repository.h"
#include "github/time.h"

namespace hipwright::github {
namespace {

using testing::HasSubstr;
using testing::Not;

// Answers in order, and remembers what was asked.
struct FakeTransport {
  std::vector<HttpResponse> answers;
  std::vector<HttpRequest> asked;
  std::vector<double> waited;

  Client client(std::string secret = "secret-token") {
    ClientOptions options;
    options.token = Token(std::move(secret), "GH_TOKEN");
    options.transport = [this](const HttpRequest& request) -> Result<HttpResponse> {
      asked.push_back(request);
      HW_ASSERT(asked.size() <= answers.size());
      return answers[asked.size() - 1];
    };
    options.wait = [this](double seconds, const std::string&) -> Status {
      waited.push_back(seconds);
      return {};
    };
    options.now = [] { return std::int64_t{1000}; };
    return Client(std::move(options));
  }
};

TEST(Client, ReadsPagesUntilTheLast) {
  FakeTransport fake{.answers = {{200,
                                  {{"link",
                                    "<https://api.github.com/x?page=1>; rel=\"prev\", "
                                    "<https://api.github.com/x?page=2>; rel=\"next\""}},
                                  "[1,2]"},
                                 {200, {}, "[3]"}}};
  const auto items = fake.client().get_pages("/x");
  ASSERT_TRUE(items) << items.error().message();
  EXPECT_EQ(items->size(), 3U);
  EXPECT_EQ(fake.asked[1].url, "https://api.github.com/x?page=2");
}

TEST(Client, DoesNotFollowAPageToAnotherHost) {
  FakeTransport fake{
      .answers = {{200, {{"link", "<https://evil.example/x>; rel=\"next\""}}, "[]"}}};
  EXPECT_FALSE(fake.client().get_pages("/x"));
  EXPECT_EQ(fake.asked.size(), 1U);
}

TEST(Client, ACommentIsSentOnce) {
  FakeTransport fake{.answers = {{502, {}, "bad"}}};
  const auto posted = fake.client().post("/repos/a/b/issues/1/comments", {{"body", "x"}});
  ASSERT_FALSE(posted);
  EXPECT_THAT(posted.error().fix, HasSubstr("may have been posted"));
  EXPECT_EQ(fake.asked.size(), 1U);
}

TEST(Client, WaitsLongerWithEachFailure) {
  FakeTransport fake{.answers = {{502, {}, ""}, {503, {}, ""}, {500, {}, ""}, {200, {}, "[]"}}};
  EXPECT_TRUE(fake.client().get_pages("/x"));
  EXPECT_THAT(fake.waited, testing::ElementsAre(1, 2, 4));
}

TEST(Client, WaitsForTheResetOfTheLimit) {
  FakeTransport fake{
      .answers = {{403, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1030"}}, ""},
                  {200, {}, "[]"}}};
  EXPECT_TRUE(fake.client().get_pages("/x"));
  EXPECT_THAT(fake.waited, testing::ElementsAre(30));
}

TEST(Client, NoErrorRepeatsTheToken) {
  for (const int status : {401, 403, 404, 422, 500}) {
    const std::string body = R"({"message": "you sent secret-token"})";
    FakeTransport fake{.answers = std::vector<HttpResponse>(4, {status, {}, body})};
    const auto got = fake.client().get_json("/x");
    ASSERT_FALSE(got);
    EXPECT_THAT(got.error().message(), Not(HasSubstr("secret-token"))) << status;
  }
}

TEST(Client, KnowsTheEndpointsOfAnEnterprise) {
  const auto found = find_endpoints("https://git.example.com/api/v3/", "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rest, "https://git.example.com/api/v3");
  EXPECT_EQ(found->graphql, "https://git.example.com/api/graphql");
  EXPECT_FALSE(find_endpoints("http://git.example.com", ""));
  EXPECT_FALSE(find_endpoints("https://user:password@git.example.com", ""));
  EXPECT_FALSE(find_endpoints("git.example.com", ""));
  EXPECT_FALSE(find_endpoints("http://localhost.evil.example", ""));
  EXPECT_TRUE(find_endpoints("http://127.0.0.1:8080", ""));
}

TEST(Client, AsksOneHost) {
  EXPECT_TRUE(find_endpoints("https://git.example.com/api/v3", "https://git.example.com/graphql"));
  EXPECT_FALSE(find_endpoints("https://git.example.com/api/v3", "https://evil.example/graphql"));
  EXPECT_FALSE(find_endpoints("", "https://evil.example/graphql"));
  EXPECT_FALSE(find_endpoints(R"(https://evil.example\.ghe.com)", ""));
  EXPECT_FALSE(find_endpoints("https://evil.example%2f.ghe.com", ""));
}

// The variables whose token a host may see, as `gh` has it.
TEST(Token, IsForOneHost) {
  const std::vector<std::string> githubs = {"GH_TOKEN", "GITHUB_TOKEN"};
  const std::vector<std::string> others = {"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"};
  std::vector<std::string> all = others;
  all.insert(all.end(), githubs.begin(), githubs.end());
  const auto names = [](const char* url) {
    const auto found = token_variables(url);
    return std::vector<std::string>(found.begin(), found.end());
  };
  ASSERT_EQ(unsetenv("GITHUB_API_URL"), 0);
  EXPECT_EQ(names("https://api.github.com"), githubs);
  EXPECT_EQ(names("https://API.GitHub.com"), githubs);
  EXPECT_EQ(names("https://api.octocorp.ghe.com"), all);
  EXPECT_EQ(names("https://git.example.com/api/v3"), others);
  EXPECT_EQ(names("https://api.github.com.evil.example"), others);
  EXPECT_EQ(names("https://evilghe.com"), others);
  EXPECT_EQ(names("http://127.0.0.1:8080"), others);
  ASSERT_EQ(setenv("GITHUB_API_URL", "https://git.example.com/api/v3", 1), 0);
  EXPECT_EQ(names("https://git.example.com/api/v3"), all);
  EXPECT_EQ(names("https://git.example.com:8443/api/v3"), others);
  ASSERT_EQ(unsetenv("GITHUB_API_URL"), 0);
}

TEST(Cache, ADamagedFileIsNoAnswer) {
  const std::string text = cache_text("GET x", {.etag = "e", .body = "b", .saved = 3});
  ASSERT_TRUE(parse_cache(text, "GET x"));
  EXPECT_EQ(parse_cache(text, "GET x")->etag, "e");
  EXPECT_FALSE(parse_cache(text, "GET y"));
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_FALSE(parse_cache(text.substr(0, size), "GET x"));
}

TEST(Time, IsReadAsGitHubWritesIt) {
  EXPECT_EQ(parse_time("1970-01-02T00:00:00Z"), 86400);
  EXPECT_EQ(parse_time("yesterday"), 0);
  EXPECT_EQ(time_text(86400), "1970-01-02T00:00:00Z");
  EXPECT_EQ(age_text(59 * 60), "59 min");
  EXPECT_EQ(age_text(3 * 86400), "3 d");
  EXPECT_EQ(age_text(-5), "0 min");
}

TEST(Repository, IsReadFromNamesAndRemotes) {
  for (const char* text : {"a/b", "https://github.com/a/b.git", "https://github.com/a/b"})
    EXPECT_EQ(parse_repository(text).value().text(), "a/b") << text;
  EXPECT_EQ(repository_of_remote("git@github.com:a/b.git\n")->text(), "a/b");
  EXPECT_EQ(repository_of_remote("ssh://git@github.com/a/b")->text(), "a/b");
  for (const char* text : {"", "a", "a/b/c", "a/b\"", "a b/c", "../x", "a/.."})
    EXPECT_FALSE(parse_repository(text)) << text;
}

}  // namespace
}  // namespace hipwright::github
