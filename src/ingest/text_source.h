// Where a table's bytes come from: a file, a pipe or a text in memory, read in blocks and from the start as
// often as needed. What cannot be rewound (standard input, pipes) is copied to an unnamed scratch file while
// it is read, so that its first blocks can be refused before the rest has come. Plain read() rather than
// mmap: as fast here, and a file cut while we read is an error, not a SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace wattflex::ingest {

// Largest input taken from a pipe: beyond it the scratch directory, not the table, would be the problem.
inline constexpr std::uint64_t kMostPipedBytes = std::uint64_t{64} << 30;

// A temporary file without a name, in $TMPDIR or /tmp: written once, then read; gone with the object.
class ScratchFile {
 public:
  static Result<ScratchFile> create();

  Result<void> append(std::string_view bytes);
  Result<void> rewind();
  // Bytes read; 0 at the end.
  Result<std::size_t> read(std::span<char> into);

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  explicit ScratchFile(File file) : file_(std::move(file)) {}
  File file_;
};

class TextSource {
 public:
  // `path` "-" is standard input.
  static Result<TextSource> open(const std::string& path);
  // `text` must outlive the source.
  static TextSource of_text(std::string_view text, std::string name);

  // The path as given, "standard input" for "-".
  const std::string& name() const { return name_; }
  Result<std::size_t> read(std::span<char> into);
  Result<void> rewind();

 private:
  // Standard input is not ours to close.
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdin) (void)std::fclose(file);
    }
  };

  explicit TextSource(std::string name) : name_(std::move(name)) {}
  Result<std::size_t> read_pipe(std::span<char> into);

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<ScratchFile> read_before_;  // of a pipe
  std::uint64_t piped_bytes_ = 0;
  bool rewound_ = false;
  std::string_view text_;
  std::size_t text_offset_ = 0;
};

// "runs/phoenix.csv" -> "phoenix"; standard input -> "stdin".
std::string table_name(const std::string& path);

}  // namespace wattflex::ingest
