import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { ROOT, runProgram } from "../surface/cli/_process.ts";
import { succeed } from "./_project.ts";

/** How a runtime starts the program of the package, and the scripts of a project. */
export interface NewProject {
  readonly runtime: "node" | "bun" | "deno";
  /** Starts a JavaScript file. */
  readonly start: readonly string[];
  /** Runs the script `test` of a project. */
  readonly test: readonly string[];
}

const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);

/** The three runtimes; `node` starts a JavaScript file. */
export function newProjects(node: readonly string[]): readonly NewProject[] {
  return [
    { runtime: "node", start: node, test: ["npm", "test", "--silent"] },
    { runtime: "bun", start: [bin("bun")], test: [bin("bun"), "run", "test"] },
    { runtime: "deno", start: [bin("deno"), "run", "-A", "--quiet"], test: [bin("deno"), "task", "test"] },
  ];
}

/**
 * Writes a project with `callweave init` and runs its scenarios, which is what a user does next.
 *
 * @param modules The folder `node_modules` with the installed package, in place of `npm install`.
 * @returns The project's folder.
 */
export async function useNewProject(
  { runtime, start }: NewProject,
  folder: string,
  modules: string,
  flags: readonly string[] = [],
): Promise<string> {
  const program = join(modules, "callweave", "dist", "src", "surface", "cli", "main.js");
  const written = await succeed([...start, program, "init", folder, ...flags], join(modules, ".."));
  assert.match(written.out, /^wrote .*flow\.ts$/m);
  const manifest = runtime === "deno" ? "deno.json" : "package.json";
  assert.ok(existsSync(join(folder, manifest)), `init finds that it runs on ${runtime}`);
  symlinkSync(modules, join(folder, "node_modules"), "junction");
  const { $schema } = JSON.parse(readFileSync(join(folder, "callweave.config.json"), "utf8"));
  assert.ok(existsSync(join(folder, $schema)), $schema);

  const first = await succeed([...start, program, "run", "--json"], folder);
  const { counts, offline } = JSON.parse(first.out);
  assert.equal(offline, true);
  assert.equal(counts.fail + counts.error, 0, first.out);
  assert.ok(counts.pass > 0);
  return folder;
}

/** Runs the script `test` of a new project, which checks the agent and runs the scenarios. */
export async function testNewProject(folder: string, [command = "", ...args]: readonly string[]): Promise<void> {
  const PATH = `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env.PATH}`;
  const { code, out, err } = await runProgram(command, args, { cwd: folder, env: { PATH } });
  assert.equal(code, 0, `${err}${out}`);
  assert.match(out, /no findings[\s\S]*✓ books an appointment[\s\S]*✓ asks a question[\s\S]*2 passed/);
}

/** Runs the lines of the project's CI workflow that need no network. */
export async function runWorkflow(folder: string, start: readonly string[], modules: string): Promise<void> {
  const workflow = readFileSync(join(folder, ".github", "workflows", "callweave.yml"), "utf8");
  const lines = [...workflow.matchAll(/^ +- run: .*?callweave (.+)$/gm)].map(([, args = ""]) => args.split(" "));
  assert.equal(lines.length, 2, workflow);
  const program = join(modules, "callweave", "dist", "src", "surface", "cli", "main.js");
  for (const args of lines) await succeed([...start, program, ...args], folder);
  const kept = /path: \|\n((?: +\S+\n)+)/.exec(workflow)?.[1]?.trim().split(/\s+/) ?? [];
  assert.equal(kept.length, 3);
  for (const path of kept) assert.ok(existsSync(join(folder, path)), `${path} is kept by the workflow`);
}
