import type { Path } from "../../../src/errors.ts";
import { isRecord, type JsonObject, own } from "../../../src/values/mod.ts";
import { kindNamed } from "./choose.ts";
import type { Fault } from "./faults.ts";
import { fit } from "./fit.ts";
import { keysOf, resolved, schemaAt } from "./schema.ts";

const ASSISTANT = "CreateAssistantDTO";
/** What the graph says itself of an assistant. */
const MODELLED = ["name", "model", "metadata", "firstMessage", "firstMessageMode"];

/** The settings of an assistant that the graph has no words for. */
export const settingKeys = (): readonly string[] => keysOf(ASSISTANT).filter((key) => !MODELLED.includes(key));

/** Holds settings of an assistant to what Vapi takes, see {@link fit}. */
export function fitSettings(settings: JsonObject, at: Path, faults: Fault[]): JsonObject {
  return recordOf(fit({ $ref: ASSISTANT }, settings, at, faults));
}

/** Holds a model's settings to what Vapi takes of its provider. */
export function fitModel(model: JsonObject, at: Path, faults: Fault[]): JsonObject {
  return recordOf(fit(schemaAt(ASSISTANT, "model"), model, at, faults));
}

/** Holds a tool to what Vapi takes of its kind; `undefined` when too little is left of it to be one. */
export function fitToolSettings(tool: JsonObject, at: Path, faults: Fault[]): JsonObject | undefined {
  const fitted = fit(toolKinds(), tool, at, faults);
  return isRecord(fitted) ? fitted : undefined;
}

/** Whether today's API has a kind of tool. */
export const isToolKind = (type: unknown): boolean =>
  typeof type === "string" && Object.hasOwn(toolKinds().of ?? {}, type);

/** Vapi's own name of a model's provider, given that or another name that it is known by. */
export function modelProvider(name: string): string | undefined {
  return kindNamed(Object.keys(schemaAt(ASSISTANT, "model").of ?? {}), name);
}

/** Whether a provider needs nothing but a model's name. */
export function needsOnlyModel(provider: string): boolean {
  const { required = [] } = resolved({ $ref: own(schemaAt(ASSISTANT, "model").of ?? {}, provider) });
  return required.every((key) => key === "provider" || key === "model");
}

const toolKinds = () => schemaAt("AssistantOverrides", "tools:append", "items");

const recordOf = (fitted: unknown): JsonObject => (isRecord(fitted) ? fitted : {});
