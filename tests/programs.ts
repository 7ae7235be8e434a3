import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Programs of the machine that some tests start. Debian's packages have the same names; `.ci/run` installs them. */
export type Program = "chromium" | "git" | "redis-server" | "tmux";

/**
 * The options of a test that starts a program. Where the program is missing, the test is skipped with the reason; in CI
 * it runs, and fails at {@link programPath}.
 *
 * @example
 * test("the page opens", { ...needsProgram("chromium"), timeout: 120_000 }, async () => {});
 */
export function needsProgram(name: Program): { readonly skip: string | false } {
  return { skip: process.env.CI !== "true" && findProgram(name) === undefined ? missing(name) : false };
}

/** The path of a program. Throws where it is not installed. */
export function programPath(name: Program): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(missing(name));
  return path;
}

function findProgram(name: Program): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function missing(name: Program): string {
  return `${name} is not installed; on Debian: apt-get install ${name}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
