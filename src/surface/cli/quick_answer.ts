import { COMMANDS } from "./commands/mod.ts";
import { formatOverview, isHelp, VERSION } from "./help.ts";

/** Answers `--help` and `--version` without loading a command; `undefined` for every other command line. */
export function quickAnswer([first = ""]: readonly string[]): string | undefined {
  if (isHelp(first)) return formatOverview(COMMANDS).trimEnd();
  return first === "--version" || first === "-v" ? VERSION : undefined;
}
