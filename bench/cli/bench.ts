import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Figure, sized } from "../figure.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUN = join(ROOT, "node_modules", ".bin", "bun");
const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");
const FLOW = join(ROOT, "examples", "help-desk", "flow.ts");

const ROUNDS = sized(15, 1);
const HELP_BOUND = 3;
const AGAINST = "bun -e 0, started in turn with it";

/** Start-up time of the command line, compared with a runtime that does nothing. */
export async function bench(): Promise<readonly Figure[]> {
  const commands = { bare: ["-e", "0"], help: [MAIN, "--help"], emit: [MAIN, "emit", FLOW, "--to", "retell"] };
  const times = { bare: [] as number[], help: [] as number[], emit: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ["bare", "help", "emit"] as const) {
      const ms = timeOf(commands[name]);
      // the first round fills the file system's caches
      if (round > 0) times[name].push(ms);
    }
  }
  const bare = median(times.bare);
  return [
    {
      name: "help_over_bare",
      value: round2(median(times.help) / bare),
      unit: "ratio",
      against: AGAINST,
      bound: HELP_BOUND,
    },
    { name: "emit_over_bare", value: round2(median(times.emit) / bare), unit: "ratio", against: AGAINST },
    { name: "bare_ms", value: round2(bare), unit: "ms", against: "nothing" },
  ];
}

function timeOf(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(BUN, args, { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`bun ${args.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
