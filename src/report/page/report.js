// Draws the figures of a Wattflex report with Chart.js and keeps them in step with the reader's theme.
// `?theme=dark` (or light) at the end of the address overrides the theme. When every figure is drawn the root
// element says data-figures="drawn".
"use strict";
(() => {
  const root = document.documentElement;
  const theme = new URLSearchParams(location.search).get("theme");
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;

  const ink = (name) => getComputedStyle(root).getPropertyValue(`--ink-${name}`).trim();
  const ground = () => getComputedStyle(root).getPropertyValue("--ground").trim();
  const faded = (colour, opacity) => colour + Math.round(opacity * 255).toString(16).padStart(2, "0");
  const dashes = { dashed: [7, 5], dotted: [2, 4], solid: [], thin: [] };
  const font = "12px " + getComputedStyle(root).fontFamily;

  const written = (axis, value) =>
    axis.share ? `${(value * 100).toFixed(1)} %` : Number(value.toPrecision(4)).toLocaleString("en");

  // What Chart.js has no type for: bands, stems from zero, whiskers and the labels beside the lines.
  const marks = {
    id: "marks",
    beforeDatasetsDraw(chart, _, { panel }) {
      const { ctx, scales: { x, y }, chartArea: area } = chart;
      ctx.save();
      ctx.beginPath();
      ctx.rect(area.left - 4, area.top - 4, area.width + 8, area.height + 8);
      ctx.clip();
      for (const series of panel.series) {
        ctx.strokeStyle = ink(series.ink);
        if (series.mark === "band") {
          const edge = (side) => series.samples.map((s) => [x.getPixelForValue(s.x), y.getPixelForValue(s.yr[side])]);
          ctx.beginPath();
          for (const [px, py] of [...edge(0), ...edge(1).reverse()]) ctx.lineTo(px, py);
          ctx.fillStyle = faded(ink(series.ink), 0.18);
          ctx.fill();
          continue;
        }
        for (const s of series.samples) {
          const px = x.getPixelForValue(s.x), py = y.getPixelForValue(s.y);
          const stroke = (width, x0, y0, x1, y1) => {
            ctx.lineWidth = width;
            ctx.beginPath();
            ctx.moveTo(x0, y0);
            ctx.lineTo(x1, y1);
            ctx.stroke();
          };
          if (series.mark === "stems") stroke(4, x.getPixelForValue(0), py, px, py);
          if (s.xr) stroke(1.6, x.getPixelForValue(s.xr[0]), py, x.getPixelForValue(s.xr[1]), py);
          if (s.yr) stroke(1.2, px, y.getPixelForValue(s.yr[0]), px, y.getPixelForValue(s.yr[1]));
        }
      }
      ctx.restore();
    },
    afterDatasetsDraw(chart, _, { panel }) {
      const { ctx, scales: { x, y } } = chart;
      ctx.save();
      ctx.font = font;
      ctx.textBaseline = "middle";
      for (const label of panel.labels) {
        // Inside the panel a label stands above its line, beyond the axis beside it.
        const inside = label.x < panel.x.high;
        const px = x.getPixelForValue(label.x) + 8, py = y.getPixelForValue(label.y) - (inside ? 9 : 0);
        ctx.lineWidth = 3;
        ctx.strokeStyle = ground();
        ctx.strokeText(label.text, px, py);
        ctx.fillStyle = ink(label.ink);
        ctx.fillText(label.text, px, py);
      }
      ctx.restore();
    },
  };

  // Chart.js draws low orders last: what a figure lists last lies on top.
  const dataset = (series, index, small) => ({
    label: series.name,
    order: -index,
    data: series.samples,
    ink: series.ink,
    showLine: series.mark === "line" || series.mark === "line_and_points",
    borderWidth: series.stroke === "thin" || series.ink === "faint" ? 1 : 2,
    borderDash: dashes[series.stroke],
    pointRadius: series.mark === "line" || series.mark === "band" ? 0 : series.ink === "faint" ? 2 : small ? 2.5 : 3.5,
    pointHitRadius: series.mark === "band" ? 0 : 6,
  });

  const scale = (axis, small) => ({
    type: "linear",
    min: axis.low,
    max: axis.high,
    afterBuildTicks: (s) => { s.ticks = axis.ticks.map(([value]) => ({ value })); },
    ticks: { callback: (value, index) => axis.ticks[index][1], maxRotation: 0, autoSkip: false, font: { size: small ? 10 : 12 } },
    grid: { drawBorder: true, tickLength: 5 },
  });

  const configuration = (panel, small) => {
    const measure = document.createElement("canvas").getContext("2d");
    measure.font = font;
    const reach = Math.max(0, ...panel.labels.map((l) =>
      measure.measureText(l.text).width + 12 - (panel.x.high - l.x) / (panel.x.high - panel.x.low) * 500));
    return {
      type: "scatter",
      data: { datasets: panel.series.map((series, index) => dataset(series, index, small)) },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        normalized: true,
        layout: { padding: { right: reach + 8, top: 6 } },
        interaction: { mode: "nearest", intersect: true },
        scales: {
          x: { ...scale(panel.x, small), title: { display: panel.x.title !== "", text: panel.x.title, font: { size: small ? 10 : 12 } } },
          y: scale(panel.y, small),
        },
        plugins: {
          legend: { display: false },
          marks: { panel },
          tooltip: {
            displayColors: false,
            callbacks: {
              label: ({ raw, dataset: { label } }) => [
                ...(raw.note ? [raw.note] : label ? [label] : []),
                `${panel.x.title}: ${written(panel.x, raw.x)}`,
                ...(panel.y.title ? [`${panel.y.title}: ${written(panel.y, raw.y)}`] : []),
              ],
            },
          },
        },
      },
      plugins: [marks],
    };
  };

  const paint = (chart) => {
    for (const each of chart.data.datasets) {
      const colour = ink(each.ink);
      Object.assign(each, { borderColor: colour, backgroundColor: colour, pointBackgroundColor: colour, pointBorderColor: colour });
    }
    for (const axis of [chart.options.scales.x, chart.options.scales.y]) {
      axis.ticks.color = axis.title && (axis.title.color = ink("muted")) || ink("muted");
      axis.grid.color = faded(ink("faint"), 0.5);
      axis.grid.borderColor = ink("faint");
    }
    Object.assign(chart.options.plugins.tooltip, {
      backgroundColor: ink("text"), titleColor: ground(), bodyColor: ground(),
    });
    chart.update("none");
  };

  try {
    const figures = JSON.parse(document.getElementById("figures").textContent);
    const charts = [];
    for (const canvas of document.querySelectorAll("canvas[data-figure]")) {
      const figure = figures.find((f) => f.id === canvas.dataset.figure);
      const chart = new Chart(canvas, configuration(figure.panels[canvas.dataset.panel], figure.panels.length > 2));
      paint(chart);
      charts.push(chart);
    }
    const repaint = () => charts.forEach(paint);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    new MutationObserver(repaint).observe(root, { attributeFilter: ["data-theme"] });
    addEventListener("beforeprint", () => charts.forEach((chart) => chart.resize()));
    root.dataset.figures = "drawn";
    root.dataset.charts = charts.length;
  } catch (error) {
    root.dataset.figures = "failed: " + error;
    throw error;
  }
})();
