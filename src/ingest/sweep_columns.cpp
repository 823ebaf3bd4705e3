#include "ingest/sweep_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>
#include <string>

#include "ingest/cell_text.h"
#include "ingest/csv_cells.h"

namespace wattflex::ingest {
namespace {

using enum SweepColumn;

constexpr SweepColumnText kColumns[] = {
    {group, "group", true, "text", "one job configuration; its rows are the caps it ran at"},
    {gpus, "gpus", true, "count", "GPUs of the job"},
    {cap, "cap_w", true, "W per GPU", "power cap; the largest of a group is its uncapped point"},
    {power, "power_w", true, "W of the whole job", "mean draw"},
    {throughput, "throughput", true, "any, one per group", "mean throughput of the whole job, e.g. tokens/s"},
    {accelerator, "accelerator", false, "text", "GPU model; the same group on two models is two groups"},
    {architecture, "arch", false, "dense | moe", "architecture of the model"},
    {task, "task", false, "pretraining | fine-tuning | training | inference", "what the job does"},
    {model, "model", false, "text", "name of the model"},
    {power_stderr, "power_stderr", false, "W of the whole job", "standard error of power_w"},
    {throughput_stderr, "throughput_stderr", false, "as throughput", "standard error of throughput"},
    {power_kind, "power_kind", false, "mean | p95 | peak | instant",
     "which statistic power_w is; mean when absent"},
    {requested, "requested_w", false, "W per GPU", "cap asked of the driver"},
    {enforced, "enforced_w", false, "W per GPU", "limit the driver reported in force"},
    {limited_by, "limited_by", false, "none | power_cap | thermal | other", "what held the clocks back"},
    {pedigree, "pedigree", false, "measured | simulated | predicted",
     "where the row comes from; measured when absent"},
    {aborted, "aborted", false, "0 | 1", "1: the run ended early; its numbers are no reference"},
};
static_assert(std::size(kColumns) == static_cast<std::size_t>(SweepColumn::end_));
static_assert(std::ranges::is_sorted(kColumns, {}, &SweepColumnText::column));

constexpr std::string_view kSeparators = ",;\t";

std::string plain(std::string_view cell) {
  std::string name;
  for (const char c : cell) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

const SweepColumnText* find_column(std::string_view name) {
  if (name == "source") name = "pedigree";  // as the metrics label calls it
  const auto* const found = std::ranges::find(kColumns, name, &SweepColumnText::name);
  return found == std::end(kColumns) ? nullptr : found;
}

// Names of the header's cells, by the separator that gives the most known ones.
std::vector<std::string> header_names(std::string_view line, char& separator) {
  std::vector<std::string> best;
  std::ptrdiff_t most_known = -1;
  for (const char candidate : kSeparators) {
    CellSplitter splitter(candidate);
    if (!splitter.split(line)) continue;
    std::vector<std::string> names;
    for (const std::string_view cell : splitter.cells()) names.push_back(plain(cell));
    const auto known =
        std::ranges::count_if(names, [](const std::string& n) { return find_column(n) != nullptr; });
    if (known > most_known) {
      most_known = known;
      best = std::move(names);
      separator = candidate;
    }
  }
  return best;
}

// What other tables call a column of ours, as normalized() writes it.
struct OtherName {
  std::string_view name;
  SweepColumn column;
};
constexpr OtherName kOtherNames[] = {
    {"cap", cap},
    {"cap_watts", cap},
    {"power_cap", cap},
    {"power_cap_w", cap},
    {"power_limit", cap},
    {"power_limit_w", cap},
    {"limit_w", cap},
    {"power", power},
    {"power_watts", power},
    {"mean_power_w", power},
    {"avg_power_w", power},
    {"draw", power},
    {"draw_w", power},
    {"tokens_s", throughput},
    {"tokens_per_s", throughput},
    {"tok_s", throughput},
    {"tokens_sec", throughput},
    {"tokens_per_second", throughput},
    {"samples_s", throughput},
    {"samples_per_s", throughput},
    {"tps", throughput},
    {"name", group},
    {"n_gpus", gpus},
    {"num_gpus", gpus},
    {"gpu_count", gpus},
    {"gpu_model", accelerator},
    {"gpu_type", accelerator},
};

// "Cap (W)" and "cap / W" as "cap_w".
std::string normalized(std::string_view name) {
  std::string plain_name;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      plain_name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!plain_name.empty() && plain_name.back() != '_') {
      plain_name += '_';
    }
  }
  while (plain_name.ends_with('_')) plain_name.pop_back();
  return plain_name;
}

// The column a header of another name seems to mean; null when none.
const SweepColumnText* meant_column(std::string_view name) {
  std::string plain_name = normalized(name);
  if (plain_name.ends_with("_w_w")) plain_name.resize(plain_name.size() - 2);  // "cap_w (W)"
  if (const auto* const other = std::ranges::find(kOtherNames, plain_name, &OtherName::name);
      other != std::end(kOtherNames)) {
    return &kColumns[static_cast<std::size_t>(other->column)];
  }
  if (plain_name.starts_with("throughput_") && plain_name != "throughput_stderr")
    return &kColumns[static_cast<std::size_t>(throughput)];
  return find_column(plain_name);
}

// What the user should call a column we do not know, when the name is a monitoring system's.
std::string advice_for(const std::string& name) {
  const TelemetryName* const ours = find_foreign_telemetry_name(name);
  const SweepColumnText* const meant = meant_column(name);
  if (ours == nullptr) return meant == nullptr ? "" : fmt::format("; did you mean {}?", meant->name);
  return fmt::format("; its name here is {} ({}, {:g} to {:g})", ours->name, ours->unit, ours->lowest,
                     ours->highest);
}

void note_unknown(const std::string& name, std::size_t cell, std::size_t row, Findings& findings) {
  findings.add(FindingKind::unknown_column, row, name, [&] {
    return name.empty() ? fmt::format("column {} has no name and is ignored", cell + 1)
                        : fmt::format("unknown column '{}' is ignored{}", shown(name), advice_for(name));
  });
}

void place_columns(const std::vector<std::string>& names, std::size_t row, SweepLayout& layout,
                   Findings& findings) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::span before(names.data(), i);
    const bool doubled = !names[i].empty() && std::ranges::find(before, names[i]) != before.end();
    if (doubled) {
      findings.add(FindingKind::duplicate_column, row, names[i], [] { return "this column is there twice"; });
    } else if (const SweepColumnText* const known = find_column(names[i])) {
      layout.at[static_cast<std::size_t>(known->column)] = i;
    } else if (const TelemetryName* const telemetry = find_telemetry_name(names[i])) {
      layout.telemetry.push_back({i, telemetry});
    } else {
      note_unknown(names[i], i, row, findings);
    }
  }
}

// Of a missing column: the header's cell that seems to be it under another name.
std::string missing_text(const SweepColumnText& column, const std::vector<std::string>& names) {
  const auto other = std::ranges::find_if(names, [&](const std::string& name) {
    return find_column(name) == nullptr && meant_column(name) == &column;
  });
  return other == names.end() ? "this column is missing"
                              : fmt::format("this column is missing; rename '{}' to it?", shown(*other));
}

void require_columns(std::string_view line, std::size_t row, const std::vector<std::string>& names,
                     const SweepLayout& layout, Findings& findings) {
  const auto absent = [&](const SweepColumnText& text) {
    return text.required && !layout.cell_of(text.column);
  };
  const auto missing = std::ranges::count_if(kColumns, absent);
  const bool names_are_there = line.contains("cap_w") && line.contains("power_w");
  if (missing > 0 && layout.cell_count <= 2 && names_are_there) {
    findings.add(FindingKind::wrong_separator, row, "", [&] {
      return fmt::format("the header is {} for commas, semicolons and tabs",
                         layout.cell_count == 1 ? "one single cell" : "two cells");
    });
    return;
  }
  for (const SweepColumnText& text : kColumns) {
    if (!absent(text)) continue;
    findings.add(FindingKind::missing_column, row, text.name, [&] { return missing_text(text, names); });
  }
}

}  // namespace

std::span<const SweepColumnText> sweep_columns() {
  return kColumns;
}

std::string_view to_string(SweepColumn column) {
  return kColumns[static_cast<std::size_t>(column)].name;
}

std::optional<SweepLayout> read_sweep_header(std::string_view line, std::size_t row, Findings& findings) {
  const std::size_t errors_before = findings.errors();
  SweepLayout layout;
  const std::vector<std::string> names = header_names(line, layout.separator);
  if (names.empty()) {
    findings.add(FindingKind::open_quote, row, "", [] { return "a quote in the header is not closed"; });
    return std::nullopt;
  }
  layout.cell_count = names.size();
  place_columns(names, row, layout, findings);
  require_columns(line, row, names, layout, findings);
  if (findings.errors() > errors_before) return std::nullopt;
  return layout;
}

}  // namespace wattflex::ingest
