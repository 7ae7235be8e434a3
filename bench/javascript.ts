import { basename, dirname, resolve } from "node:path";
import { build } from "esbuild";

/**
 * Compiles a program to JavaScript, as Node runs the package, and returns its path. tsx wraps every function in a call
 * that sets its name, which the AI SDK's functions do not have, and compiles files while they are loaded.
 */
export async function javascript(program: string): Promise<string> {
  const name = `bench_${basename(dirname(program))}_${basename(program, ".ts")}.mjs`;
  const outfile = resolve("node_modules/.cache/callweave", name);
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}
