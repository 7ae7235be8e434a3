import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { createProject, packPackage } from "../package/_pack.ts";
import { ROOT, runProgram } from "../surface/cli/_process.ts";

/** Versions of Node that the package is installed with, and what starts them. */
export type NodeVersions = { readonly [major in "20" | "22" | "24"]: string };

const PINNED = { "20": "20.20.2", "24": "24.21.0" };
const QUIET = ["--no-audit", "--no-fund", "--prefer-offline"];

/** A temporary folder with the packed package and Node 20, 22 and 24 in it. */
export interface Workbench {
  readonly folder: string;
  readonly tarball: string;
  readonly nodes: NodeVersions;
}

/** Packs the package and installs the versions of Node that users have. */
export async function createWorkbench(): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), "callweave-install-"));
  const { tarball } = await packPackage(folder);
  const tools = createProject(join(folder, "tools"));
  const own = join(ROOT, "node_modules", "node", "bin", "node");
  const binary = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const wanted = Object.entries(PINNED).map(([major, version]) => `node-${major}@npm:${binary}@${version}`);
  await npm(own, ["install", ...QUIET, ...wanted], tools);
  const installed = (major: keyof typeof PINNED) => join(tools, "node_modules", `node-${major}`, "bin", "node");
  return { folder, tarball, nodes: { "20": installed("20"), "22": own, "24": installed("24") } };
}

/**
 * Runs npm on a version of Node.
 *
 * @returns All that it printed.
 */
export async function npm(node: string, args: readonly string[], cwd: string): Promise<string> {
  const program = process.env.npm_execpath; // npm's own JavaScript file
  assert.ok(program, "start these tests with npm run test:install");
  // the registry is asked; what a package's script starts as "node" is the same version
  const env = { PATH: `${dirname(node)}:${process.env.PATH}`, npm_config_offline: "false" };
  const { code, out, err } = await runProgram(node, [program, ...args], { cwd, env });
  assert.equal(code, 0, `npm ${args.join(" ")}: ${err}${out}`);
  return `${out}${err}`;
}

/** Installs the packed package; `options` go to npm. */
export function installPackage(
  bench: Workbench,
  major: keyof NodeVersions,
  project: string,
  ...options: readonly string[]
) {
  return npm(bench.nodes[major], ["install", ...QUIET, ...options, bench.tarball], project);
}
