import process from "node:process";
import { READERS } from "../../tests/call/models/long_readers.ts";
import { seeded } from "../../tests/platforms/mutate.ts";
import { type Figure, sized } from "../figure.ts";

const TEXTS = sized(30, 1);
const SHORT = sized(25_000, 500);
const TIMES = 8;
/** Shorter measurements are dominated by noise. */
const LEAST_MS = 60;
const PARTS = [
  ..."aA1 \n!?.,-\"“'{}[]<>`:@…é\\",
  "<think>",
  "</think>",
  "```",
  '{"event":',
  "agent: ",
  "I am ",
  "no, ",
  "one ",
];

/** Feeds random repetitive texts to all readers of model output, and measures how their time grows. */
export async function fuzzGrowth(): Promise<readonly Figure[]> {
  const random = seeded(5);
  const part = () => PARTS[Math.floor(random() * PARTS.length)] ?? "a";
  let worst = 0;
  let measured = 0;
  let which = "none took long enough";
  for (const [what, read] of Object.entries(READERS)) {
    for (let count = 0; count < TEXTS; count++) {
      const [head, pump, tail] = [part(), Array.from({ length: 1 + Math.floor(random() * 3) }, part).join(""), part()];
      const text = (length: number) => head + pump.repeat(length / pump.length) + tail;
      const longMs = cpuMs(() => read(text(SHORT * TIMES)));
      measured += 1;
      if (longMs < LEAST_MS) continue;
      const again = (length: number) => Math.min(...[1, 2, 3].map(() => cpuMs(() => read(text(length)))));
      // the fastest of several attempts: garbage collection may slow others down
      const shortMs = Math.max(2, again(SHORT));
      const bestMs = Math.min(longMs, longMs > 2 * TIMES * shortMs ? again(SHORT * TIMES) : longMs);
      const exponent = Math.log(bestMs / shortMs) / Math.log(TIMES);
      if (exponent > worst) [worst, which] = [exponent, `${what}: ${JSON.stringify(pump)}`];
    }
  }
  const against = `${measured} texts of ${SHORT} and ${SHORT * TIMES} characters; the worst: ${which}`;
  return [{ name: "growth_worst_exponent", value: worst, unit: "exponent", against, bound: 1.5 }];
}

/** CPU time, which other processes affect less than wall time. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
