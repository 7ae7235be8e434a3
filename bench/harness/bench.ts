import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Figure } from "../figure.ts";
import { javascript } from "../javascript.ts";
import { figures, type Measured } from "./figures.ts";

const RUNTIMES = {
  bun: ["node_modules/.bin/bun", "--expose-gc"],
  node: ["node", "--expose-gc"],
  deno: ["node_modules/.bin/deno", "run", "-A", "--no-check", "--v8-flags=--expose-gc"],
} as const;

const PROGRAM = "bench/harness/measure.ts";
const LIMIT_MS = 1_200_000;

/** Overhead of a turn with a model that answers immediately, compared with the bare AI SDK calls in it. */
export async function* bench(): AsyncGenerator<Figure> {
  for (const [runtime, [command, ...args]] of Object.entries(RUNTIMES)) {
    const program = runtime === "node" ? await javascript(PROGRAM) : PROGRAM;
    const { stdout } = await promisify(execFile)(command, [...args, program], { timeout: LIMIT_MS });
    const measured: readonly Measured[] = JSON.parse(stdout.trim().split("\n").at(-1) ?? "[]");
    yield* figures(runtime, measured);
  }
}
