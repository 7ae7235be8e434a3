import { type Arguments, usage } from "../arguments/mod.ts";

/**
 * The lowest share of covered items, in percent, that `--min-coverage` accepts.
 *
 * @throws {UsageError} `usage`.
 */
export function readMinCoverage(args: Arguments): number | undefined {
  const text = args.text("min-coverage");
  if (text === undefined) return undefined;
  const part = ["grep", "tag", "scenario", "shard"].find((flag) => args.texts(flag).length > 0);
  if (part !== undefined)
    throw usage(`--min-coverage needs the calls of all scenarios, and --${part} selects some`, `Leave out --${part}`);
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 100) return value;
  throw usage(`--min-coverage is "${text}"`, "Pass a number of percent from 0 to 100");
}
