import { type Arguments, usage } from "../arguments/mod.ts";

/**
 * The lowest share of covered items, in percent, that `--min-coverage` accepts.
 *
 * @throws {UsageError} `usage`.
 */
export function readMinCoverage(args: Arguments): number | undefined {
  if (args.text("min-coverage") === undefined) return undefined;
  const part = ["grep", "tag", "scenario", "shard"].find((flag) => args.texts(flag).length > 0);
  if (part !== undefined)
    throw usage(`--min-coverage needs the calls of all scenarios, and --${part} selects some`, `Leave out --${part}`);
  return args.number("min-coverage");
}
