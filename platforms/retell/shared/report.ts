import type { Path } from "../../../src/errors.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import type { Finding } from "../../platform.ts";
import { isRetellName } from "./names.ts";
import { isSet } from "./values.ts";

/** Adds a finding at a place; all of Retell's known refusals are errors unless they say otherwise. */
export type Report = (code: string, path: Path, message: string, hint: string, severity?: Finding["severity"]) => void;

export const NAME_HINT = "Use at most 64 letters, digits, underscores and dashes";

/** What Retell refuses in a tool of a flow or an LLM, its destination aside. */
export function checkTool(tool: JsonObject, path: Path, report: Report): void {
  const { name, type, timeout_ms: timeout } = tool;
  if (!isRetellName(name))
    report("tool-name", [...path, "name"], `A tool cannot be called "${String(name)}"`, NAME_HINT);
  if (type === "custom" && !isSet(tool.url))
    report("tool-url", [...path, "url"], "A custom tool needs a URL", 'Set "url"');
  if (type === "custom" && typeof timeout === "number" && (timeout < 1000 || timeout > 600_000))
    report("tool-timeout", [...path, "timeout_ms"], "A tool waits 1,000 to 600,000 ms", "Change the timeout");
}
