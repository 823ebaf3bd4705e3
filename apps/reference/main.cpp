// Writes what is made from the verb tables. Usage: wattflex_docs FOLDER VERSION
#include <filesystem>
#include <iostream>

#include "apps/reference/pages.h"
#include "base/file.h"

namespace {

using namespace wattflex;
using namespace wattflex::app;

struct Page {
  std::string path;  // below FOLDER
  std::string text;
};

std::vector<Page> all_pages(std::string_view version) {
  std::vector<Page> pages{{"reference/README.md", reference_index()},
                          {"man/wattflex.1", program_manual_page(version)},
                          {"completion/wattflex.bash", bash_completion()},
                          {"completion/_wattflex", zsh_completion()},
                          {"completion/wattflex.fish", fish_completion()}};
  for (const Verb* const verb : all_verbs()) {
    const std::string name(verb->name);
    pages.push_back({"reference/" + name + ".md", reference_page(*verb)});
    pages.push_back({"man/wattflex-" + name + ".1", manual_page(*verb, version)});
  }
  return pages;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: wattflex_docs FOLDER VERSION\n";
    return 2;
  }
  for (const Page& page : all_pages(argv[2])) {
    const std::filesystem::path path = std::filesystem::path(argv[1]) / page.path;
    std::error_code ignored;  // write_file says it better
    std::filesystem::create_directories(path.parent_path(), ignored);
    if (const auto written = write_file(path, page.text); !written) {
      std::cerr << "wattflex_docs: " << written.error().message << '\n';
      return 1;
    }
  }
}
