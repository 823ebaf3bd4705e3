// Computes one index with the installed library; the exit status says whether it is the right one.
#include <cmath>
#include <cstdio>

#include "elasticity/flexibility.h"
#include "ingest/sweep_table.h"

int main() {
  // 20 % less power costs 5 %, 40 % less costs 20 %: ratios 4 and 2, index 3.
  const auto table = wattflex::parse_sweep_table(
      "group,gpus,cap_w,power_w,throughput\n"
      "job,1,1000,1000,100\n"
      "job,1,800,800,95\n"
      "job,1,600,600,80\n",
      "example.csv");
  if (!table) {
    std::puts(table.error().message.c_str());
    return 1;
  }
  const auto flexibility = wattflex::elasticity::measure_flexibility(table->groups.front());
  const double index = flexibility.published.value.value_or(0);
  std::printf("PFI %.3f\n", index);
  return std::abs(index - 3) < 1e-12 ? 0 : 1;
}
