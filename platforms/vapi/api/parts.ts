import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, own, replaceAt } from "../../../src/base/values/mod.ts";
import type { Fault } from "./faults.ts";
import { fitValue, kindNamed } from "./fit_value.ts";
import { keysOf, resolved, schemaAt } from "./schema.ts";

const ASSISTANT = "CreateAssistantDTO";
/** Settings of an assistant that the graph models. */
const MODELLED = ["name", "model", "metadata", "firstMessage", "firstMessageMode"];

/** Settings of an assistant that the graph does not model. */
export const settingKeys = (): readonly string[] => keysOf(ASSISTANT).filter((key) => !MODELLED.includes(key));

/** Fits the settings of an assistant, see {@link fitValue}. */
export function fitSettings(settings: JsonObject, at: Path, faults: Fault[]): JsonObject {
  return recordOf(fitValue({ $ref: ASSISTANT }, settings, at, faults));
}

/**
 * Puts keys back into fitted settings that the published schemas lack: the API accepts older and newer ones, and on the
 * way to the platform that they came from they are never dropped.
 *
 * @param faults Those of the fitting; the ones of the keys are removed.
 */
export function withUnknownKeys(fitted: JsonObject, raw: JsonObject, at: Path, faults: Fault[]): JsonObject {
  let whole = fitted;
  for (const fault of faults.filter(({ isUnknown }) => isUnknown)) {
    const place = fault.at.slice(at.length);
    if (!isRecord(getAt(whole, place.slice(0, -1)))) continue;
    whole = recordOf(replaceAt(whole, place, getAt(raw, place)));
    faults.splice(faults.indexOf(fault), 1);
  }
  return whole;
}

/** Fits a model's settings to its provider. */
export function fitModel(model: JsonObject, at: Path, faults: Fault[]): JsonObject {
  return recordOf(fitValue(schemaAt(ASSISTANT, "model"), model, at, faults));
}

/** Fits a tool to the schema of its type. Returns `undefined` if the result is not a valid tool. */
export function fitToolSettings(tool: JsonObject, at: Path, faults: Fault[]): JsonObject | undefined {
  const fitted = fitValue(toolKinds(), tool, at, faults);
  return isRecord(fitted) ? fitted : undefined;
}

/** Whether the current API has a tool type. */
export const isToolKind = (type: unknown): boolean =>
  typeof type === "string" && Object.hasOwn(toolKinds().of ?? {}, type);

/** Returns Vapi's name of a model provider for a name or alias. */
export function modelProvider(name: string): string | undefined {
  return kindNamed(Object.keys(schemaAt(ASSISTANT, "model").of ?? {}), name);
}

/** Whether a provider needs only a model name. */
export function needsOnlyModel(provider: string): boolean {
  const { required = [] } = resolved({ $ref: own(schemaAt(ASSISTANT, "model").of ?? {}, provider) });
  return required.every((key) => key === "provider" || key === "model");
}

const toolKinds = () => schemaAt("AssistantOverrides", "tools:append", "items");

const recordOf = (fitted: unknown): JsonObject => (isRecord(fitted) ? fitted : {});
