import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Figure } from "../figure.ts";
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
    const program = runtime === "node" ? await javascript() : PROGRAM;
    const { stdout } = await promisify(execFile)(command, [...args, program], { timeout: LIMIT_MS });
    const measured: readonly Measured[] = JSON.parse(stdout.trim().split("\n").at(-1) ?? "[]");
    yield* figures(runtime, measured);
  }
}

/**
 * The program compiled to JavaScript, as Node runs the package. tsx wraps every function of a request in a call that sets
 * its name, which the AI SDK's functions do not have.
 */
async function javascript(): Promise<string> {
  const outfile = "node_modules/.cache/callweave/bench_harness.mjs";
  await build({
    entryPoints: [PROGRAM],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}
