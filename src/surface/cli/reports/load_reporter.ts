import { UsageError } from "../../../base/errors.ts";
import { loadModule } from "../../project/mod.ts";
import { isReporter, REPORTERS, type Reporter } from "../../reporters/mod.ts";
import type { Terminal } from "../io/mod.ts";
import type { ReporterFlag } from "./parse_reporter.ts";

/**
 * Loads the reporter that a flag names: the export `reporter` of a module, or its default export.
 *
 * @throws {UsageError} `no-export`; what `loadModule` throws.
 */
export async function loadReporter(flag: ReporterFlag, { env }: Pick<Terminal, "env">): Promise<Reporter> {
  if ("name" in flag) return REPORTERS[flag.name];
  const exports = await loadModule(flag.module, env);
  for (const each of [exports.reporter, exports.default]) if (isReporter(each)) return each;
  throw new UsageError(`Cannot use "${flag.module}" as a reporter: it exports none`, {
    code: "no-export",
    hint: "Export one by the name reporter: export const reporter = { onEnd: (report) => … }",
  });
}
