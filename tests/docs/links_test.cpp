// Every verb has its pages, and every link between files of the documentation leads somewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "apps/wattflex/verb.h"

namespace wattflex {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  const fs::path root = WATTFLEX_SOURCE_DIR;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator();
       ++entry) {
    const std::string name = entry->path().filename();
    if (entry->is_directory() && (name == "build" || name == "out" || name.starts_with('.'))) {
      entry.disable_recursion_pending();
    } else if (entry->path().extension() == ".md") {
      found.push_back(entry->path());
    }
  }
  return found;
}

// As GitHub makes anchors of headings: lower case, spaces to dashes, other punctuation dropped.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80)
      anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_in(const std::string& text) {
  std::set<std::string> anchors;
  static const std::regex kHeading(R"((?:^|\n)#+ ([^\n]+))");
  for (std::sregex_iterator match(text.begin(), text.end(), kHeading), end; match != end; ++match) {
    anchors.insert(anchor_of((*match)[1].str()));
  }
  return anchors;
}

TEST(Documentation, HasAGuideAndAReferencePageForEveryVerb) {
  const fs::path docs = WATTFLEX_SOURCE_DIR "/docs";
  for (const app::Verb* const verb : app::all_verbs()) {
    const std::string name(verb->name);
    EXPECT_TRUE(fs::exists(docs / "verbs" / (name + ".md"))) << name;
    EXPECT_TRUE(fs::exists(docs / "reference" / (name + ".md")))
        << name << ": run scripts/check_docs.sh --fix";
  }
}

TEST(Documentation, HasNoLinkThatLeadsNowhere) {
  static const std::regex kLink(R"(\]\(([^)\s]+)\))");
  for (const fs::path& page : pages()) {
    const std::string text = text_of(page);
    for (std::sregex_iterator match(text.begin(), text.end(), kLink), end; match != end; ++match) {
      const std::string link = (*match)[1];
      if (link.find("://") != std::string::npos || link.starts_with("mailto:")) continue;
      const std::size_t hash = std::min(link.find('#'), link.size());
      const fs::path target = hash == 0 ? page : page.parent_path() / link.substr(0, hash);
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << link;
      if (hash == link.size() || target.extension() != ".md" || !fs::exists(target)) continue;
      EXPECT_TRUE(anchors_in(text_of(target)).contains(link.substr(hash + 1)))
          << page << " links to " << link;
    }
  }
}

}  // namespace
}  // namespace wattflex
