import type { Path } from "../../../../src/errors.ts";
import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/values/mod.ts";
import { limits } from "../../api/mod.ts";
import type { LossList } from "../common/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { findDestination } from "../plan/mod.ts";

/** Vapi's `CreateApiRequestToolDTO.method`. */
const METHODS = ["POST", "GET", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

/** How a tool's request is made, as far as other platforms say it and an API request of Vapi's can. */
export interface RequestSettings {
  readonly method?: Method;
  readonly timeoutSeconds?: number;
}

/** Reads how a tool's request is made: other platforms keep it with the tool under the same keys. */
export function requestOf(tool: ToolDefinition): RequestSettings {
  const settings = settingsOf(tool).map(([, each]) => each);
  const method = METHODS.find((name) => settings.some((each) => String(each.method).toUpperCase() === name));
  const seconds = settings.map(({ timeout_ms }) => secondsOf(timeout_ms)).find((each) => each !== undefined);
  return { ...(method ? { method } : {}), ...(seconds === undefined ? {} : { timeoutSeconds: seconds }) };
}

/** What an assistant's metadata repeats of a tool's settings, so that the same tool is emitted of the graph read back. */
export function requestHint(tool: ToolDefinition): JsonObject {
  const { method, timeoutSeconds } = tool.url ? requestOf(tool) : {};
  const destination = tool.type === "transfer_call" ? findDestination(tool.metadata, tool) : undefined;
  const hint = {
    ...(method && method !== "POST" ? { method } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeout_ms: timeoutSeconds * 1000 }),
    ...(destination ? { destination } : {}),
  };
  return Object.keys(hint).length > 0 ? { metadata: { [HINT_KEY]: hint } } : {};
}

/** Says which settings of a tool's other platforms Vapi does not get. */
export function reportToolSettings(tool: ToolDefinition, path: Path, losses: LossList): void {
  const held = new Set(["transfer_destination", "lens", ...(tool.url ? heldKeys(tool) : [])]);
  for (const [owner, settings] of settingsOf(tool)) {
    if (owner === HINT_KEY) continue;
    const keys = Object.entries(settings).flatMap(([key, value]) => (held.has(key) || isEmpty(value) ? [] : [key]));
    if (keys.length === 0) continue;
    losses.dropped(
      "tool-settings",
      [...path, "metadata", owner],
      `Vapi has no place for what the tool keeps under ${keys.map((key) => `"${key}"`).join(", ")}`,
      undefined,
      "Give the tool as Vapi has it under metadata.vapi of the tool",
    );
  }
}

function heldKeys(tool: ToolDefinition): readonly string[] {
  const { method, timeoutSeconds } = requestOf(tool);
  return [...(method ? ["method"] : []), ...(timeoutSeconds === undefined ? [] : ["timeout_ms"])];
}

/** What platforms keep with a tool, by platform; what Vapi's own formats keep is a tool of Vapi's, and is read as one. */
function settingsOf({ metadata }: ToolDefinition): readonly (readonly [string, JsonObject])[] {
  return Object.entries(metadata ?? {}).flatMap(([owner, settings]) =>
    owner !== "vapi" && isRecord(settings) ? [[owner, settings] as const] : [],
  );
}

function secondsOf(milliseconds: unknown): number | undefined {
  if (typeof milliseconds !== "number") return undefined;
  const seconds = milliseconds / 1000;
  const [least, most] = limits().requestSeconds;
  return seconds >= least && seconds <= most ? seconds : undefined;
}

/** A setting that is off, or says nothing, is none. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
