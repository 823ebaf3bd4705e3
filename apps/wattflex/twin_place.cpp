#include "apps/wattflex/twin_place.h"

#include <filesystem>

namespace wattflex::app {

Result<std::string> twin_library() {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  const fs::path folder = program.parent_path();
  for (const fs::path& place : {fs::path(WATTFLEX_TWIN_INSTALLED), fs::path("../../twin")}) {
    const fs::path library = (folder / place / "libnvidia-ml.so.1").lexically_normal();
    if (fs::exists(library, problem)) return library.string();
  }
  return fail(ErrorKind::unsupported, folder.string() + ": the twin's library is not with this program",
              "build all of Wattflex, or install it with 'cmake --install'");
}

}  // namespace wattflex::app
