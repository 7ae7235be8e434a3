import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { dateText, percent } from "../../../../web/browser/mod.ts";

/** A pass rate at a time. */
export interface TrendPoint {
  readonly at: string;
  readonly rate: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
  readonly label?: string;
}

const HEIGHT = 220;

/** Pass rates over time with their intervals. The same figures stand in the table below it, for those who cannot see it. */
export function TrendChart({
  points,
  onChoose,
}: {
  readonly points: readonly TrendPoint[];
  readonly onChoose?: (index: number) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    const element = place.current;
    if (!element || points.length === 0) return;
    const colours = coloursOf(element);
    // runs in their order: a night without runs is no gap
    const data: uPlot.AlignedData = [
      points.map((_, index) => index),
      points.map(({ low, rate }) => share(low ?? rate)),
      points.map(({ high, rate }) => share(high ?? rate)),
      points.map(({ rate }) => share(rate)),
    ];
    const chart = new uPlot(
      {
        width: element.clientWidth || 600,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false, range: [-0.5, points.length - 0.5] }, y: { range: [0, 100] } },
        axes: [
          {
            stroke: colours.soft,
            grid: { show: false },
            ticks: { show: false },
            values: (_, splits) => splits.map((at) => shortDate(points[at]?.at)),
          },
          {
            stroke: colours.soft,
            grid: { stroke: colours.line, width: 1 },
            ticks: { show: false },
            values: (_, splits) => splits.map((at) => `${at} %`),
          },
        ],
        series: [
          {},
          { stroke: "transparent", points: { show: false } },
          { stroke: "transparent", points: { show: false } },
          { stroke: colours.accent, width: 2, points: { show: true, size: 8, fill: colours.accent } },
        ],
        bands: [{ series: [2, 1], fill: colours.band }],
      },
      data,
      element,
    );
    element.querySelector("canvas")?.setAttribute("aria-hidden", "true");
    const click = () => {
      const at = chart.cursor.idx;
      if (typeof at === "number") choose.current?.(at);
    };
    chart.over.addEventListener("click", click);
    const move = () => {
      const point = points[chart.cursor.idx ?? -1];
      chart.over.title = point
        ? `${point.label ?? dateText(point.at)}: ${point.rate === null ? "none" : percent(point.rate)}`
        : "";
    };
    chart.over.addEventListener("mousemove", move);
    const size = new ResizeObserver(() => chart.setSize({ width: element.clientWidth || 600, height: HEIGHT }));
    size.observe(element);
    return () => {
      size.disconnect();
      chart.destroy();
    };
  }, [points]);
  return <div ref={place} class="chart" />;
}

function share(rate: number | null | undefined): number | null {
  return rate === null || rate === undefined ? null : rate * 100;
}

function shortDate(iso: string | undefined): string {
  const date = new Date(iso ?? "");
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

/** The colours of the theme as the canvas needs them. */
function coloursOf(element: HTMLElement) {
  const probe = document.createElement("span");
  element.append(probe);
  const read = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const colours = {
    soft: read("var(--soft)"),
    line: read("var(--line)"),
    accent: read("var(--accent)"),
    band: read("color-mix(in srgb, var(--accent) 18%, transparent)"),
  };
  probe.remove();
  return colours;
}
