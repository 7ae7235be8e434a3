import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, runProgram } from "../surface/cli/_process.ts";

/** A packed package. */
export interface Packed {
  readonly tarball: string;
  /** The paths of its files. */
  readonly paths: ReadonlySet<string>;
}

/** Builds and packs the package as in a clean clone. */
export async function packPackage(folder: string): Promise<Packed> {
  rmSync(join(ROOT, "dist"), { recursive: true, force: true }); // packing is what builds
  const packed = await runProgram("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT });
  assert.equal(packed.code, 0, packed.err);
  const [{ filename, files }]: [{ filename: string; files: { path: string }[] }] = JSON.parse(packed.out);
  return { tarball: join(folder, filename), paths: new Set(files.map(({ path }) => path)) };
}

/** An empty project of ES modules. */
export function createProject(folder: string, dependencies: { readonly [name: string]: string } = {}): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true, dependencies }));
  return folder;
}

/** Puts the packed package into a project, without the registry and without what it depends on. */
export async function unpackPackage(tarball: string, project: string): Promise<void> {
  const own = join(project, "node_modules", "callweave");
  mkdirSync(own, { recursive: true });
  const { code, err } = await runProgram("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  assert.equal(code, 0, err);
}

/** Links what the package declares as dependencies, and nothing else, to the checkout's copies. */
export function linkDependencies(project: string): void {
  const modules = join(project, "node_modules");
  for (const name of dependenciesOf(join(modules, "callweave"))) linkPackage(modules, name);
}

/** Links the package's program as npm does, so that scripts of a project find `callweave`. */
export function linkBinary(project: string): void {
  const folder = join(project, "node_modules", ".bin");
  const { bin } = JSON.parse(readFileSync(join(project, "node_modules", "callweave", "package.json"), "utf8"));
  mkdirSync(folder, { recursive: true });
  symlinkSync(join("..", "callweave", bin.callweave), join(folder, "callweave"));
}

/**
 * Links also what the dependencies need, as npm would install it. For a compiler that does not follow links
 * (`preserveSymlinks`) the project then has what a user's has, and nothing of the checkout's tools.
 */
export function linkTransitively(project: string): void {
  const modules = join(project, "node_modules");
  const found = new Set([join(modules, "callweave")]);
  for (const folder of found)
    for (const name of dependenciesOf(folder)) found.add(nested(folder, modules, name) ?? linkPackage(modules, name));
}

function linkPackage(modules: string, name: string): string {
  const link = join(modules, name);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(join(ROOT, "node_modules", name), link, "junction");
  return link;
}

/** A package's copy of its own of a dependency, where it needs another version than others do. */
function nested(folder: string, modules: string, name: string): string | undefined {
  for (let at = folder; at !== modules; at = dirname(at)) {
    const path = join(at, "node_modules", name);
    if (existsSync(path)) return path;
  }
  return undefined;
}

/** What npm installs for a package: its dependencies, and the peers that it cannot do without. */
function dependenciesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys(dependencies), ...peers];
}
