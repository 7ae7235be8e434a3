import type { Path } from "../../../../src/errors.ts";
import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/values/mod.ts";
import { limits } from "../../api/mod.ts";
import { HINT_KEY, isEmpty, type LossList } from "../common/mod.ts";
import { findDestination } from "../plan/mod.ts";

/** Vapi's `CreateApiRequestToolDTO.method`. */
const METHODS = ["POST", "GET", "PUT", "PATCH", "DELETE"] as const;

/** The method and timeout of a tool's request: all platforms keep them with the tool under the same keys. */
export function requestOf(tool: ToolDefinition) {
  const settings = tool.url ? settingsOf(tool).map(([, each]) => each) : [];
  const method = METHODS.find((name) => settings.some((each) => String(each.method).toUpperCase() === name));
  const [least, most] = limits().requestSeconds;
  const times = settings.map(({ timeout_ms: time }) => (typeof time === "number" ? time / 1000 : Number.NaN));
  const timeoutSeconds = times.find((seconds) => seconds >= least && seconds <= most);
  return { ...(method ? { method } : {}), ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
}

/** The settings of a tool that an assistant's metadata repeats, so that a graph that is read back emits the same tool. */
export function requestHint(tool: ToolDefinition): JsonObject {
  const { method, timeoutSeconds } = requestOf(tool);
  const destination = tool.type === "transfer_call" ? findDestination(tool.metadata, tool) : undefined;
  const hint = {
    ...(method && method !== "POST" ? { method } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeout_ms: timeoutSeconds * 1000 }),
    ...(destination ? { destination } : {}),
  };
  return Object.keys(hint).length > 0 ? { metadata: { [HINT_KEY]: hint } } : {};
}

/** Reports settings of a tool for other platforms that Vapi does not have. */
export function reportToolSettings(tool: ToolDefinition, path: Path, losses: LossList): void {
  const { method, timeoutSeconds } = requestOf(tool);
  const held = new Set(["transfer_destination", "lens", method && "method", timeoutSeconds && "timeout_ms"]);
  for (const [owner, settings] of settingsOf(tool)) {
    const keys = Object.entries(settings).flatMap(([key, value]) => (held.has(key) || isEmpty(value) ? [] : [key]));
    if (owner !== HINT_KEY && keys.length > 0) losses.add("tool-settings", [...path, "metadata", owner], keys);
  }
}

/** A tool's settings by platform, without those of Vapi's formats: there the whole tool is Vapi's. */
function settingsOf({ metadata }: ToolDefinition): readonly (readonly [string, JsonObject])[] {
  return Object.entries(metadata ?? {}).flatMap(([owner, settings]) =>
    owner !== "vapi" && isRecord(settings) ? [[owner, settings] as const] : [],
  );
}
