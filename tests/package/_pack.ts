import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, runProgram } from "../cli/_process.ts";

/**
 * Builds and packs the package as in a clean clone.
 *
 * @returns The tarball's path.
 */
export async function packPackage(folder: string): Promise<string> {
  rmSync(join(ROOT, "dist"), { recursive: true, force: true }); // packing is what builds
  const packed = await runProgram("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT });
  assert.equal(packed.code, 0, packed.err);
  return join(folder, JSON.parse(packed.out)[0].filename);
}

/** An empty project of ES modules. */
export function createProject(folder: string, dependencies: { readonly [name: string]: string } = {}): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true, dependencies }));
  return folder;
}

/**
 * Puts the packed package into a project as an installation does, without the registry. Beside it is what the package
 * declares as dependencies and nothing else: links to the checkout's copies, which find their own dependencies there.
 */
export async function unpackPackage(tarball: string, project: string): Promise<void> {
  const modules = join(project, "node_modules");
  const own = join(modules, "callweave");
  mkdirSync(own, { recursive: true });
  const { code, err } = await runProgram("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  assert.equal(code, 0, err);
  const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    const link = join(modules, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link, "junction");
  }
}
