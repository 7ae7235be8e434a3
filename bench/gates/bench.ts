import { needsProgram } from "../../tests/programs.ts";
import { judgeGates } from "../../tests/run/summary/_gates.ts";
import { startRedis } from "../../tests/run/worker/_redis.ts";
import { type Figure, sized } from "../figure.ts";

const SEQUENCES = sized(2_000, 20);

/** Random runs, made in every way, against every place that decides by a run. */
export async function bench(): Promise<readonly Figure[]> {
  await using redis = needsProgram("redis-server").skip ? undefined : await startRedis();
  const { sequences, wholes, byWay, wrong } = await judgeGates(SEQUENCES, redis ? { redis: redis.url } : {});
  const made = [...byWay].map(([way, count]) => `${count} by ${way}`).join(", ");
  const against = `${sequences} random runs (${made}), ${wholes} of them whole`;
  for (const words of wrong.slice(0, 10)) console.error(words);
  return [
    { name: "gates_sequences", value: sequences, unit: "runs", against },
    { name: "gates_wrong", value: wrong.length, unit: "decisions", against, bound: 0 },
  ];
}
