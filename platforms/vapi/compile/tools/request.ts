import type { Path } from "../../../../src/base/errors.ts";
import { type JsonObject, recordAt } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import type { RequestWriter } from "../../../facts.ts";
import { carriedRequest, requestSettings, settingsOfTool } from "../../../known/mod.ts";
import { choicesAt, limits } from "../../api/mod.ts";
import type { CreateApiRequestToolDTO } from "../../generated/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { HINT_KEY, isEmpty, type LossList } from "../common/mod.ts";

const METHODS = () => choicesAt("CreateApiRequestToolDTO", "method") as CreateApiRequestToolDTO["method"][]; // generated too

/** How an API request of Vapi has the parts of a request. A code tool sends no headers of its own, so none are written. */
const VAPI_REQUEST: RequestWriter = {
  method: (wanted) => {
    const method = METHODS().find((name) => name === wanted);
    return method ? { method } : undefined;
  },
  timeoutMs: (milliseconds) => {
    const [least, most] = limits().requestSeconds;
    const timeoutSeconds = milliseconds / 1_000;
    return timeoutSeconds >= least && timeoutSeconds <= most ? { timeoutSeconds } : undefined;
  },
  headers: () => undefined,
};

/** Returns the method and timeout of a tool's request, from the settings of another platform or from an emitted hint. */
export function requestOf(tool: ToolDefinition) {
  const { method: hinted, timeout_ms: milliseconds } = recordAt(tool.metadata ?? {}, HINT_KEY);
  const settings: JsonObject = {
    ...(tool.url && typeof hinted === "string" ? VAPI_REQUEST.method(hinted) : {}),
    ...(tool.url && typeof milliseconds === "number" ? VAPI_REQUEST.timeoutMs(milliseconds) : {}),
    ...requestSettings(carriedRequest(tool, "vapi", VAPI_REQUEST)),
  };
  const method = METHODS().find((name) => name === settings.method);
  const { timeoutSeconds } = settings;
  return { ...(method ? { method } : {}), ...(typeof timeoutSeconds === "number" ? { timeoutSeconds } : {}) };
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

/**
 * Reports a tool's settings for other platforms that Vapi does not support.
 *
 * @param isWhole Whether Vapi's own JSON of the tool is emitted, which carries no settings of other platforms.
 */
export function reportToolSettings(tool: ToolDefinition, path: Path, losses: LossList, isWhole: boolean): void {
  for (const { path: at, names } of settingsOfTool(tool, path, ["vapi"], isWhole ? undefined : VAPI_REQUEST)) {
    const settings = recordAt(tool.metadata ?? {}, String(at.at(-1)));
    const lost = names.filter((name) => !Object.hasOwn(settings, name) || !isEmpty(settings[name]));
    if (lost.length > 0) losses.add("tool-settings", at, lost);
  }
}
