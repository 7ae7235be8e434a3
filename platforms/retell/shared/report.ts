import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import type { Report } from "../../platform.ts";
import { isRetellName } from "./names.ts";
import { retellTables } from "./tables.ts";
import { isSet, isString } from "./values.ts";

export const NAME_HINT = "Use at most 64 letters, digits, underscores and dashes";

/** Checks a tool of a flow or an LLM, except for its destination. */
export function checkTool(tool: JsonObject, path: Path, report: Report): void {
  const { name, type, timeout_ms: timeout } = tool;
  if (!isRetellName(name))
    report("tool-name", [...path, "name"], `Retell does not accept the tool name "${String(name)}"`, NAME_HINT);
  if (type === "custom" && !isSet(tool.url))
    report("tool-url", [...path, "url"], "A custom tool needs a URL", 'Set "url"');
  if (type === "custom" && typeof timeout === "number" && (timeout < 1000 || timeout > 600_000))
    report("tool-timeout", [...path, "timeout_ms"], "A timeout is 1,000 to 600,000 ms", "Change the timeout");
}

/** Warns about models that Retell's types do not list; its API may accept more. */
export function checkModels(settings: JsonObject, path: Path, report: Report): void {
  for (const [key, known] of Object.entries(retellTables().models)) {
    const { [key]: name } = settings;
    const message = `Retell does not list the model "${String(name)}"`;
    if (isString(name) && !known.includes(name))
      report("unknown-model", [...path, key], message, `Use one of ${known.join(", ")}`, "warning");
  }
}

/**
 * Returns the missing key of a transfer's destination, which needs a number, or a prompt that finds one.
 *
 * @returns `undefined` if the destination is complete.
 */
export function missingDestination({ transfer_destination: destination }: JsonObject): "number" | "prompt" | undefined {
  const key = isRecord(destination) && destination.type === "inferred" ? "prompt" : "number";
  return isRecord(destination) && isSet(destination[key]) ? undefined : key;
}
