#include "ingest/sweep_template.h"

#include <fmt/format.h>

#include <string_view>

#include "ingest/finding.h"
#include "ingest/sweep_columns.h"
#include "ingest/telemetry_names.h"

namespace wattflex::ingest {
namespace {

// Invented, of the size 8 and 16 GPUs of 700 W would give.
constexpr std::string_view kExampleRows = R"(
group,gpus,cap_w,power_w,throughput,accelerator,arch,task,model,enforced_w,dram_active,tensor_active
sft-70b,8,700,5410,10250,H200 141GB,dense,fine-tuning,Llama-3.1-70B,700,0.31,0.52
sft-70b,8,600,4710,9930,H200 141GB,dense,fine-tuning,Llama-3.1-70B,600,0.30,0.50
sft-70b,8,500,3935,9270,H200 141GB,dense,fine-tuning,Llama-3.1-70B,500,0.28,0.47
sft-70b,8,400,3160,8120,H200 141GB,dense,fine-tuning,Llama-3.1-70B,400,0.25,0.41
pretrain-moe,16,700,10120,182000,H200 141GB,moe,pretraining,gpt-oss-20b,700,0.42,0.33
pretrain-moe,16,600,9280,179500,H200 141GB,moe,pretraining,gpt-oss-20b,600,0.41,0.32
pretrain-moe,16,500,7850,171300,H200 141GB,moe,pretraining,gpt-oss-20b,500,0.39,0.31
pretrain-moe,16,400,6310,155200,H200 141GB,moe,pretraining,gpt-oss-20b,400,0.36,0.28
)";

std::string plain_number(double value) {
  return fmt::format("{:.15g}", value);
}

// "1 / 1048576" reads better than 9.53674e-07.
std::string factor_text(double factor) {
  if (factor == 1) return "";
  return factor < 1e-4 ? fmt::format(" / {:.0f}", 1 / factor) : fmt::format(" x {}", plain_number(factor));
}

}  // namespace

std::string sweep_table_template() {
  std::string text =
      "# A Wattflex sweep table: one row for each power cap a job configuration ran at.\n"
      "# Comma-separated (semicolons and tabs work too), a point as decimal mark, rows in any order.\n"
      "# Lines that begin with '#' are comments. Columns, in any order; * marks the required ones:\n#\n";
  for (const SweepColumnText& column : sweep_columns()) {
    text += fmt::format("#  {} {:<18} {} [{}]\n", column.required ? '*' : ' ', column.name, column.meaning,
                        column.unit);
  }
  text += "#\n# Telemetry, mean over the run, one column each where you have it:\n";
  for (const TelemetryName& name : telemetry_names()) {
    text += fmt::format("#    {:<22} {} [{}]\n", name.name, name.meaning, name.unit);
  }
  text += "#\n# The numbers below are invented.\n";
  return text + std::string(kExampleRows.substr(1));
}

std::string columns_markdown() {
  std::string text = "| column | required | unit or words | meaning |\n|---|---|---|---|\n";
  for (const SweepColumnText& column : sweep_columns()) {
    std::string unit;
    for (const char c : column.unit) unit += c == '|' ? "," : std::string(1, c);
    text += fmt::format("| `{}` | {} | {} | {} |\n", column.name, column.required ? "yes" : "", unit,
                        column.meaning);
  }
  return text;
}

std::string telemetry_markdown() {
  std::string text =
      "| column | unit | range | meaning | DCGM (id) | since DCGM 4.6 | NVML or GPM "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const TelemetryName& name : telemetry_names()) {
    text +=
        fmt::format("| `{}` | {} | {} to {} | {} | {} | {} | {} |\n", name.name, name.unit,
                    plain_number(name.lowest), plain_number(name.highest), name.meaning,
                    name.dcgm.empty() ? "" : fmt::format("`{}` ({})", name.dcgm, name.dcgm_id),
                    name.dcgm_4_6.empty() ? "" : fmt::format("`{}`", name.dcgm_4_6),
                    name.nvml.empty() ? "" : fmt::format("`{}`{}", name.nvml, factor_text(name.nvml_factor)));
  }
  return text;
}

std::string findings_markdown() {
  std::string text = "| kind | severity | what to do |\n|---|---|---|\n";
  for (int i = 0; i < static_cast<int>(FindingKind::count_); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    text += fmt::format("| `{}` | {} | {} |\n", to_string(kind), to_string(severity_of(kind)),
                        remedy_of(kind, FileKind::sweep));
  }
  return text;
}

}  // namespace wattflex::ingest
