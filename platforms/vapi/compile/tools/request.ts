import type { Path } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { choicesAt, limits } from "../../api/mod.ts";
import type { CreateApiRequestToolDTO } from "../../generated/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { HINT_KEY, isEmpty, type LossList } from "../common/mod.ts";

/** Returns the method and timeout of a tool's request, which all platforms keep under the same keys. */
export function requestOf(tool: ToolDefinition) {
  const settings = tool.url ? settingsOf(tool).map(([, each]) => each) : [];
  const methods = choicesAt("CreateApiRequestToolDTO", "method") as CreateApiRequestToolDTO["method"][]; // generated too
  const method = methods.find((name) => settings.some((each) => String(each.method).toUpperCase() === name));
  const [least, most] = limits().requestSeconds;
  const times = settings.map(({ timeout_ms: time }) => (typeof time === "number" ? time / 1000 : Number.NaN));
  const timeoutSeconds = times.find((seconds) => seconds >= least && seconds <= most);
  return { ...(method ? { method } : {}), ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
}

/** Returns settings of a tool for the assistant's metadata, so that an imported graph emits the same tool. */
export function requestHint(tool: ToolDefinition): JsonObject {
  const { method, timeoutSeconds } = requestOf(tool);
  const destinations = tool.type === "transfer_call" ? destinationsFor(tool) : [];
  const hint = {
    ...(method && method !== "POST" ? { method } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeout_ms: timeoutSeconds * 1000 }),
    ...(destinations.length > 0 ? { destinations } : {}),
  };
  return Object.keys(hint).length > 0 ? { metadata: { [HINT_KEY]: hint } } : {};
}

/** Reports a tool's settings for other platforms that Vapi does not support. */
export function reportToolSettings(tool: ToolDefinition, path: Path, losses: LossList): void {
  const { method, timeoutSeconds } = requestOf(tool);
  const held = new Set(["transfer_destination", "lens", method && "method", timeoutSeconds && "timeout_ms"]);
  for (const [owner, settings] of settingsOf(tool)) {
    const keys = Object.entries(settings).flatMap(([key, value]) => (held.has(key) || isEmpty(value) ? [] : [key]));
    if (owner !== HINT_KEY && keys.length > 0) losses.add("tool-settings", [...path, "metadata", owner], keys);
  }
}

/** Returns a tool's settings by platform, except those for Vapi, which are the whole tool. */
function settingsOf({ metadata }: ToolDefinition): readonly (readonly [string, JsonObject])[] {
  return Object.entries(metadata ?? {}).flatMap(([owner, settings]) =>
    owner !== "vapi" && isRecord(settings) ? [[owner, settings] as const] : [],
  );
}
