import type { Figure } from "../figure.ts";

/** The output of `measure.ts` for a number of concurrent calls. */
export interface Measured {
  readonly conversations: number;
  readonly turns_per_second: number;
  readonly cpu_ms_per_turn: number;
  /** For the same requests, made with the AI SDK alone. */
  readonly bare_cpu_ms_per_turn: number;
  readonly cpu_over_bare: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly kib_per_conversation: number;
}

/** Maximum growth of a turn's CPU time from one call to 1,000, relative to the growth of the AI SDK alone. */
const FLAT = 1.15;
/** Maximum CPU time that 999 other calls add to a turn, relative to the same requests with the AI SDK alone. */
const MOST_ADDED = 0.15;

/** The figures of one runtime. */
export function* figures(runtime: string, measured: readonly Measured[]): Generator<Figure> {
  const suffix = runtime === "bun" ? "" : `_${runtime}`;
  const [one, , thousand] = measured;
  if (!one || !thousand) throw new TypeError("measure.ts prints three measurements");
  const most = Math.max(...measured.map(({ cpu_ms_per_turn }) => cpu_ms_per_turn));
  const ratios = measured.map(({ cpu_over_bare }) => cpu_over_bare);
  const bareGrowth = thousand.bare_cpu_ms_per_turn / one.bare_cpu_ms_per_turn;
  const against = `${runtime}, a model that answers at once`;
  yield {
    name: `cpu_ms_per_turn${suffix}`,
    value: most,
    unit: "ms",
    against,
    ...(runtime === "bun" ? { bound: 2 } : {}),
  };
  yield {
    name: `cpu_over_bare_sdk${suffix}`,
    value: Math.max(...ratios),
    unit: "ratio",
    against: `${runtime}, the same requests with the AI SDK alone, in the same process; the highest of 1, 100 and 1000 calls: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`,
    bound: 0.7,
  };
  yield {
    name: `cpu_per_turn_1000_over_1${suffix}`,
    value: thousand.cpu_ms_per_turn / one.cpu_ms_per_turn,
    unit: "ratio",
    against: `${runtime}, one call at a time. The same requests with the AI SDK alone grow ${bareGrowth.toFixed(2)} times in the same run; flat is at most ${FLAT} times that, or ${FLAT} where they do not grow`,
    bound: FLAT * Math.max(1, bareGrowth),
  };
  yield {
    name: `bare_cpu_per_turn_1000_over_1${suffix}`,
    value: bareGrowth,
    unit: "ratio",
    against: `${runtime}, one call at a time, the same requests with the AI SDK alone`,
  };
  yield {
    name: `growth_over_bare_sdk${suffix}`,
    value: thousand.cpu_over_bare - one.cpu_over_bare,
    unit: "ratio",
    against: `${runtime}, cpu_over_bare_sdk of 1000 calls less that of one call at a time: what the others add to a turn, in requests of the AI SDK alone`,
    bound: MOST_ADDED,
  };
  for (const { conversations, turns_per_second: value, p50_ms, p99_ms, kib_per_conversation: memory } of measured) {
    const beside = `${against}, ${conversations} calls side by side`;
    yield { name: `turns_per_second_${conversations}${suffix}`, value, unit: "1/s", against: beside };
    yield { name: `p50_ms_${conversations}${suffix}`, value: p50_ms, unit: "ms", against: beside };
    yield { name: `p99_over_p50_${conversations}${suffix}`, value: p99_ms / p50_ms, unit: "ratio", against: beside };
    yield { name: `kib_per_conversation_${conversations}${suffix}`, value: memory, unit: "KiB", against: beside };
  }
}
