import { COMMANDS } from "./commands/mod.ts";
import { formatOverview, isHelp } from "./help.ts";
import { VERSION } from "./version.ts";

/** Answers `--help` and `--version` without loading a command; `undefined` for every other command line. */
export function quickAnswer([first = ""]: readonly string[]): string | undefined {
  if (isHelp(first)) return formatOverview(COMMANDS).trimEnd();
  return first === "--version" || first === "-v" ? VERSION : undefined;
}
