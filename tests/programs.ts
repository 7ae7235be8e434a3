import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Installed programs that some tests start. Debian's packages have the same names; `.ci/run` installs them. */
export type Program =
  | "baresip"
  | "chromium"
  | "espeak-ng"
  | "git"
  | "pocketsphinx"
  | "redis-server"
  | "sip-tester"
  | "tmux";

/** Commands of a package, where they differ from its name. */
const COMMANDS = new Map<Program, readonly string[]>([
  ["pocketsphinx", ["pocketsphinx_continuous", "pocketsphinx"]],
  ["sip-tester", ["sipp"]],
]);

/**
 * The options of a test that starts programs. If one is missing, the test is skipped with the reason; in CI
 * it runs, and fails at {@link programPath}.
 *
 * @example
 * test("the page opens", { ...needsProgram("chromium"), timeout: 120_000 }, async () => {});
 */
export function needsProgram(...names: readonly Program[]): { readonly skip: string | false } {
  const lacking = process.env.CI === "true" ? undefined : names.find((name) => findProgram(name) === undefined);
  return { skip: lacking === undefined ? false : missing(lacking) };
}

/** The path of a program. Throws where it is not installed. */
export function programPath(name: Program): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(missing(name));
  return path;
}

function findProgram(name: Program): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const commands = COMMANDS.get(name) ?? [name];
  return folders.flatMap((folder) => commands.map((command) => join(folder, command))).find(isExecutable);
}

function missing(name: Program): string {
  const packages = name === "pocketsphinx" ? "pocketsphinx pocketsphinx-en-us" : name;
  return `${name} is not installed; on Debian: apt-get install ${packages}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
