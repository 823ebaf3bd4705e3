#include "apps/wattflex/row_file.h"

#include <fmt/core.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace wattflex::app {
namespace {

struct Closer {
  void operator()(std::FILE* file) const {
    if (file != stdout) std::fclose(file);
  }
};

std::unexpected<Error> failed(const std::string& path, const char* what) {
  return fail(ErrorKind::io, fmt::format("{}: {}: {}", path, what, std::strerror(errno)),
              "name a file in a folder that can be written, on a disk with room");
}

class PlainFile : public RowFile {
 public:
  PlainFile(std::FILE* file, std::string path) : file_(file), path_(std::move(path)) {}

  Result<void> write(std::string_view text) override {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
      return failed(path_, "write failed");
    return {};
  }
  Result<void> flush() override {
    if (std::fflush(file_.get()) != 0) return failed(path_, "write failed");
    return {};
  }
  Result<void> close() override {
    const auto flushed = flush();
    std::FILE* const file = file_.release();
    if (file != stdout && std::fclose(file) != 0 && flushed) return failed(path_, "closing failed");
    return flushed;
  }

 private:
  std::unique_ptr<std::FILE, Closer> file_;
  std::string path_;
};

class GzipFile : public RowFile {
 public:
  explicit GzipFile(std::unique_ptr<PlainFile> file) : file_(std::move(file)) {}
  ~GzipFile() override { deflateEnd(&stream_); }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  bool start() {
    constexpr int kGzip = 15 + 16;  // the largest window, in a gzip wrapper
    return deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  Result<void> write(std::string_view text) override { return deflate_all(text, Z_NO_FLUSH); }
  Result<void> flush() override {
    if (const auto done = deflate_all("", Z_SYNC_FLUSH); !done) return done;
    return file_->flush();
  }
  Result<void> close() override {
    const auto done = deflate_all("", Z_FINISH);
    const auto closed = file_->close();
    return done ? closed : done;
  }

 private:
  Result<void> deflate_all(std::string_view text, int mode) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    char out[16384];
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out);
      stream_.avail_out = sizeof out;
      const int state = deflate(&stream_, mode);
      if (state == Z_STREAM_ERROR) return fail(ErrorKind::internal, "gzip failed", "please report this");
      const auto written = file_->write(std::string_view(out, sizeof out - stream_.avail_out));
      if (!written) return written;
    } while (stream_.avail_out == 0);
    return {};
  }

  std::unique_ptr<PlainFile> file_;
  z_stream stream_{};
};

}  // namespace

Result<std::unique_ptr<RowFile>> RowFile::create(const std::string& path) {
  std::FILE* const file = path == "-" ? stdout : std::fopen(path.c_str(), "wbe");
  if (file == nullptr) return failed(path, "can't be written");
  auto plain = std::make_unique<PlainFile>(file, path);
  if (!path.ends_with(".gz")) return plain;
  auto gzip = std::make_unique<GzipFile>(std::move(plain));
  if (!gzip->start()) return fail(ErrorKind::internal, path + ": gzip can't start", "is memory short?");
  return gzip;
}

}  // namespace wattflex::app
