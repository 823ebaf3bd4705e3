#include "ingest/text_source.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace wattflex::ingest {
namespace {

std::unexpected<Error> io_error(const std::string& what, int code, std::string remedy) {
  return fail(ErrorKind::io, what + ": " + std::strerror(code), std::move(remedy));  // NOLINT(concurrency-*)
}

Result<std::size_t> read_block(std::FILE* file, std::span<char> into, const std::string& name) {
  const std::size_t count = std::fread(into.data(), 1, into.size(), file);
  if (count == 0 && std::ferror(file) != 0) return io_error(name, errno, "check the disk and try again");
  return count;
}

bool can_rewind(std::FILE* file) {
  struct stat status{};
  return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

Result<ScratchFile> ScratchFile::create() {
  const char* const directory = std::getenv("TMPDIR");
  std::string path = std::string(directory != nullptr && *directory != '\0' ? directory : "/tmp");
  path += "/wattflex-XXXXXX";
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return io_error(path, errno, "set TMPDIR to a directory with free space");
  unlink(path.c_str());
  std::FILE* const file = fdopen(descriptor, "w+b");
  if (file == nullptr) {
    const int code = errno;
    close(descriptor);
    return io_error(path, code, "too many open files?");
  }
  return ScratchFile(File(file, &std::fclose));
}

Result<void> ScratchFile::append(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
  return io_error("scratch file", errno, "set TMPDIR to a directory with free space");
}

Result<void> ScratchFile::rewind() {
  if (std::fseek(file_.get(), 0, SEEK_SET) == 0) return {};
  return io_error("scratch file", errno, "set TMPDIR to a directory with free space");
}

Result<std::size_t> ScratchFile::read(std::span<char> into) {
  return read_block(file_.get(), into, "scratch file");
}

Result<TextSource> TextSource::open(const std::string& path) {
  const bool standard_input = path == "-";
  TextSource source(standard_input ? "standard input" : path);
  std::error_code ignored;
  if (!standard_input && std::filesystem::is_directory(path, ignored)) {
    return fail(ErrorKind::io, path + ": is a directory", "name the CSV file in it");
  }
  source.file_.reset(standard_input ? stdin : std::fopen(path.c_str(), "rb"));
  if (!source.file_) return io_error(path, errno, "check the path and its permissions");
  if (!standard_input && can_rewind(source.file_.get())) {
    std::setvbuf(source.file_.get(), nullptr, _IONBF, 0);  // we read in large blocks ourselves
    return source;
  }
  Result<ScratchFile> scratch = ScratchFile::create();
  if (!scratch) return std::unexpected(scratch.error());
  source.read_before_ = std::make_unique<ScratchFile>(*std::move(scratch));
  return source;
}

TextSource TextSource::of_text(std::string_view text, std::string name) {
  TextSource source(std::move(name));
  source.text_ = text;
  return source;
}

Result<std::size_t> TextSource::read(std::span<char> into) {
  if (read_before_) return read_pipe(into);
  if (file_) return read_block(file_.get(), into, name_);
  const std::size_t count = std::min(into.size(), text_.size() - text_offset_);
  std::copy_n(text_.data() + text_offset_, count, into.data());
  text_offset_ += count;
  return count;
}

// After a rewind first what was read before, then the rest.
Result<std::size_t> TextSource::read_pipe(std::span<char> into) {
  if (rewound_) {
    const auto again = read_before_->read(into);
    if (!again || *again > 0) return again;
    rewound_ = false;
  }
  const auto count = read_block(file_.get(), into, name_);
  if (!count) return count;
  piped_bytes_ += *count;
  if (piped_bytes_ > kMostPipedBytes)
    return fail(ErrorKind::refused,
                fmt::format("{}: more than {} GiB from a pipe", name_, kMostPipedBytes >> 30),
                "write it to a file first");
  if (const auto kept = read_before_->append({into.data(), *count}); !kept)
    return std::unexpected(kept.error());
  return count;
}

Result<void> TextSource::rewind() {
  text_offset_ = 0;
  rewound_ = true;
  if (read_before_) return read_before_->rewind();
  if (file_ && std::fseek(file_.get(), 0, SEEK_SET) != 0) {
    return io_error(name_, errno, "give a plain file, or '-' for standard input");
  }
  return {};
}

std::string table_name(const std::string& path) {
  return path == "-" || path == "standard input" ? "stdin" : std::filesystem::path(path).stem().string();
}

}  // namespace wattflex::ingest
