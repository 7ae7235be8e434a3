import type { Path } from "../../../../src/base/errors.ts";
import { isTextMap, type JsonObject, recordAt } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import type { RequestWriter } from "../../../facts.ts";
import { carriedRequest, requestSettings, settingsOfTool } from "../../../known/mod.ts";
import { choicesAt, limits } from "../../api/mod.ts";
import type { CreateApiRequestToolDTO } from "../../generated/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { HINT_KEY, isEmpty, type LossList } from "../common/mod.ts";

const METHODS = () => choicesAt("CreateApiRequestToolDTO", "method") as CreateApiRequestToolDTO["method"][]; // generated too

/** How Vapi has the parts of a request: an API request, or with headers the code tool of `emitCalledTool()`. */
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
  headers: (headers) => ({ headers }),
};

/** Returns method, timeout and headers of a tool's request, from the settings of another platform or an emitted hint. */
export function requestOf(tool: ToolDefinition) {
  const settings = requestSettings(carriedRequest(tool, "vapi", VAPI_REQUEST));
  const method = METHODS().find((name) => name === settings.method);
  const { timeoutSeconds, headers } = settings;
  return {
    ...(method ? { method } : {}),
    ...(typeof timeoutSeconds === "number" ? { timeoutSeconds } : {}),
    ...(isTextMap(headers) ? { headers } : {}),
  };
}

/** Returns settings of a tool for the assistant's metadata, so that an imported graph emits the same tool. */
export function requestHint(tool: ToolDefinition): JsonObject {
  const { method, timeoutSeconds, headers } = requestOf(tool);
  const destinations = tool.type === "transfer_call" ? destinationsFor(tool) : [];
  const hint = {
    ...(method && method !== "POST" ? { method } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeout_ms: timeoutSeconds * 1000 }),
    ...(headers === undefined ? {} : { headers }),
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
