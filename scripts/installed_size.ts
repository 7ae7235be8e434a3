/**
 * Prints what a project gets that installs the packed package: megabytes on disk, in all and by package. The exit code is
 * 1 above the limit.
 */
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";

/** Megabytes that an installation may have. */
const MOST_MB = 100;
/** Packages below this size are counted together. */
const WORTH_A_LINE_MB = 0.5;

const folder = mkdtempSync(join(tmpdir(), "callweave-size-"));
try {
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
  npm(["pack", "--pack-destination", folder], resolve(import.meta.dirname ?? ".", ".."));
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  npm(["install", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline", join(folder, tarball ?? "")], project);
  report(join(project, "node_modules"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(modules: string): void {
  const sizes = packagesIn(modules).map((name) => [name, megabytes(join(modules, name))] as const);
  const large = sizes.filter(([, size]) => size >= WORTH_A_LINE_MB).toSorted(([, a], [, b]) => b - a);
  const small = sizes.filter(([, size]) => size < WORTH_A_LINE_MB);
  for (const [name, size] of large) print(size, name);
  print(
    small.reduce((sum, [, size]) => sum + size, 0),
    `${small.length} smaller packages`,
  );
  const total = megabytes(modules);
  print(total, `in all, of at most ${MOST_MB}`);
  if (total > MOST_MB) process.exitCode = 1;
}

/** Names of the installed packages; a scope's are `@scope/name`. */
function packagesIn(modules: string): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
    );
}

/** What a path takes on disk, with everything below it: small files take whole blocks. */
function megabytes(path: string): number {
  const { size, blocks } = lstatSync(path);
  const own = (blocks === undefined ? size : blocks * 512) / 1e6;
  if (!lstatSync(path).isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + megabytes(join(path, name)), own);
}

function print(size: number, what: string): void {
  console.log(`${size.toFixed(1).padStart(7)} MB  ${what}`);
}

function npm(args: readonly string[], cwd: string): void {
  const windows = process.platform === "win32";
  const { status, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8", shell: windows });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
}
