#include "ingest/logs/job_shape.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "ingest/logs/log_text.h"

namespace wattflex::logs {
namespace {

// A word that names a figure of the job, in any of the frameworks. Case matters; '-' and '_' are the same.
struct Declaration {
  std::string_view word;
  Count JobShape::* member;
};

constexpr Declaration kDeclarations[] = {
    {"Total train batch size (w. parallel, distributed & accumulation)", &JobShape::global_batch},
    {"Instantaneous batch size per device", &JobShape::micro_batch},
    {"Gradient Accumulation steps", &JobShape::accumulation},
    {"global batch size", &JobShape::global_batch},
    {"local batch size", &JobShape::micro_batch},
    {"gradient accumulation steps", &JobShape::accumulation},
    {"sequence length", &JobShape::seq_len},
    {"tokens per iteration will be", &JobShape::step_tokens},
    {"total desired batch size", &JobShape::step_tokens},
    {"train_batch_size", &JobShape::global_batch},
    {"global_batch_size", &JobShape::global_batch},
    {"global_batch_size_to_train_on", &JobShape::global_batch},
    {"train_micro_batch_size_per_gpu", &JobShape::micro_batch},
    {"per_device_train_batch_size", &JobShape::micro_batch},
    {"micro_batch_size", &JobShape::micro_batch},
    {"gradient_accumulation_steps", &JobShape::accumulation},
    {"seq_length", &JobShape::seq_len},
    {"max_seq_len", &JobShape::seq_len},
    {"max_seq_length", &JobShape::seq_len},
    {"max_target_length", &JobShape::seq_len},
    {"data_parallel_size", &JobShape::data_parallel},
    {"tensor_model_parallel_size", &JobShape::tensor_parallel},
    {"tensor_model_parallel size", &JobShape::tensor_parallel},
    {"pipeline_model_parallel_size", &JobShape::pipeline_parallel},
    {"pipeline_model_parallel size", &JobShape::pipeline_parallel},
    {"context_parallel_size", &JobShape::context_parallel},
    {"world_size", &JobShape::gpus},
    {"world size", &JobShape::gpus},
};

constexpr char same_dash(char c) {
  return c == '-' ? '_' : c;
}

// What may stand between a word and its number: " ....... ", ": ", " = ", "', '", "\": ".
bool is_between(char c) {
  return std::strchr(" .:='\",>\t", c) != nullptr && c != '\0';
}

Count whole_number(std::string_view text, std::size_t at) {
  const auto number = scan_number(text, at);
  if (!number || number->value < 1 || number->value > 1e15) return std::nullopt;
  const auto value = static_cast<std::int64_t>(number->value);
  if (static_cast<double>(value) != number->value) return std::nullopt;
  if (number->end < text.size() && is_word(text[number->end])) return std::nullopt;  // "8x", "2gb"
  return value;
}

// `plain` is the line with '_' for '-'.
Count declared_by(std::string_view line, std::string_view plain, std::string_view word) {
  for (std::size_t at = find_text(plain, word); at != std::string_view::npos;
       at = find_text(plain, word, at + 1)) {
    if (at > 0 && is_word(line[at - 1])) continue;  // within a longer word; "--seq-length" is none
    std::size_t behind = at + word.size();
    if (behind >= line.size() || !is_between(line[behind])) continue;
    while (behind < line.size() && is_between(line[behind])) ++behind;
    if (const auto number = whole_number(line, behind)) return number;
  }
  return std::nullopt;
}

// torchtitan: "Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]".
bool read_mesh(std::string_view line, JobShape& shape) {
  const std::size_t mesh = find_text(line, "device mesh with [");
  if (mesh == std::string_view::npos) return false;
  const std::size_t sizes = find_text(line, "], [", mesh);
  if (sizes == std::string_view::npos) return false;
  std::string_view names = line.substr(mesh + 18, sizes - mesh - 18);
  std::size_t at = sizes + 4;
  std::int64_t replicas = 1;
  std::int64_t all = 1;
  JobShape read = shape;
  while (!names.empty()) {
    const std::size_t quote = names.find('\'');
    if (quote == std::string_view::npos) break;
    const std::size_t end = names.find('\'', quote + 1);
    if (end == std::string_view::npos) break;
    const std::string_view name = names.substr(quote + 1, end - quote - 1);
    names.remove_prefix(end + 1);
    const auto size = scan_number(line, at);
    if (!size || size->value < 1 || size->value > 1e6) return false;
    at = size->end + 1;
    const auto count = static_cast<std::int64_t>(size->value);
    all *= count;
    if (all > 100'000'000) return false;
    if (name == "tp") read.tensor_parallel = count;
    if (name == "cp") read.context_parallel = count;
    if (name == "pp") read.pipeline_parallel = count;
    if (name.starts_with("dp")) replicas *= count;
  }
  read.gpus = all;
  read.data_parallel = replicas;
  shape = read;
  return true;
}

// nanochat: "Total batch size 524,288 => gradient accumulation steps: 4", in tokens. Elsewhere these words
// count sequences, or nobody knows what.
bool read_token_batch(std::string_view line, JobShape& shape) {
  constexpr std::string_view kWords = "Total batch size ";
  const std::size_t at = find_text(line, kWords);
  if (at == std::string_view::npos || !has_text(line.substr(at), " => gradient accumulation")) return false;
  const Count tokens = whole_number(line, at + kWords.size());
  if (!tokens) return false;
  shape.step_tokens = tokens;
  return true;
}

Count product(std::initializer_list<Count> factors) {
  std::int64_t all = 1;
  for (const Count factor : factors) {
    if (!factor || *factor > 1'000'000'000'000 / all) return std::nullopt;
    all *= *factor;
  }
  return all;
}

}  // namespace

const std::vector<ShapeField>& shape_fields() {
  static const std::vector<ShapeField> kFields = {{"seq_len", &JobShape::seq_len},
                                                  {"global_batch", &JobShape::global_batch},
                                                  {"micro_batch", &JobShape::micro_batch},
                                                  {"accumulation", &JobShape::accumulation},
                                                  {"data_parallel", &JobShape::data_parallel},
                                                  {"tensor_parallel", &JobShape::tensor_parallel},
                                                  {"context_parallel", &JobShape::context_parallel},
                                                  {"pipeline_parallel", &JobShape::pipeline_parallel},
                                                  {"gpus", &JobShape::gpus},
                                                  {"step_tokens", &JobShape::step_tokens}};
  return kFields;
}

Count JobShape::replicas() const {
  if (data_parallel) return data_parallel;
  // Layouts that the log does not mention are 1: a framework prints those it uses.
  const Count split =
      product({tensor_parallel.value_or(1), context_parallel.value_or(1), pipeline_parallel.value_or(1)});
  if (!gpus || !split || *gpus % *split != 0) return std::nullopt;
  return *gpus / *split;
}

Count JobShape::samples_per_step() const {
  if (global_batch) return global_batch;
  return product({micro_batch, accumulation.value_or(1), replicas()});
}

Count JobShape::tokens_per_step() const {
  const Count by_samples = product({samples_per_step(), seq_len});
  return by_samples ? by_samples : step_tokens;
}

Count JobShape::job_gpus() const {
  if (gpus) return gpus;
  if (!data_parallel) return std::nullopt;
  return product({data_parallel, tensor_parallel.value_or(1), context_parallel.value_or(1),
                  pipeline_parallel.value_or(1)});
}

JobShape JobShape::overridden_by(const JobShape& given) const {
  JobShape shape = *this;
  // A batch that options put together stands above a declared one.
  if (!given.global_batch && given.micro_batch && given.samples_per_step()) shape.global_batch = std::nullopt;
  for (const ShapeField& field : shape_fields()) {
    if (given.*field.member) shape.*field.member = given.*field.member;
  }
  return shape;
}

bool read_declarations(std::string_view line, JobShape& shape) {
  std::string plain(line);
  std::ranges::transform(plain, plain.begin(), same_dash);
  bool found = read_mesh(line, shape);
  found = read_token_batch(line, shape) || found;
  for (const Declaration& declaration : kDeclarations) {
    if (const Count number = declared_by(line, plain, declaration.word)) {
      shape.*declaration.member = number;
      found = true;
    }
  }
  return found;
}

std::string declaration_words() {
  return "(?i:batch.size|seq.?len|max_target_length|tokens per "
         "iteration|accumulation.steps|parallel.size|world.size|"
         "sequence length|device mesh)";
}

std::vector<std::string> contradictions(const JobShape& declared, const JobShape& given) {
  std::vector<std::string> sentences;
  for (const ShapeField& field : shape_fields()) {
    const Count says = declared.*field.member;
    const Count option = given.*field.member;
    if (says && option && *says != *option) {
      sentences.push_back("the log says " + std::string(field.name) + " " + std::to_string(*says) +
                          ", the option " + std::to_string(*option) + "; the option counts");
    }
  }
  const JobShape shape = declared.overridden_by(given);
  const Count parts = product({shape.micro_batch, shape.accumulation, shape.replicas()});
  if (shape.global_batch && parts && *parts != *shape.global_batch) {
    sentences.push_back("global_batch " + std::to_string(*shape.global_batch) +
                        " is not micro_batch x accumulation x data_parallel = " + std::to_string(*parts));
  }
  return sentences;
}

}  // namespace wattflex::logs
