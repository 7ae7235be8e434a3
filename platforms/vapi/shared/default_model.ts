import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { dropAt, getAt, isText, type JsonPath, setAt } from "./json_path.ts";

/** The model of a member as `provider/model`; `undefined` when it names none, or not both. */
export function modelOf(home: JsonObject): string | undefined {
  const model = getAt(home, modelPath(home));
  if (!isRecord(model) || !isText(model.provider) || !isText(model.model)) return undefined;
  return model.provider.includes("/") ? undefined : `${model.provider}/${model.model}`;
}

/** The member with a blank for its model's name, where that is the graph's default. */
export function withoutModel(home: JsonObject, name: string | undefined): JsonObject {
  return name !== undefined && modelOf(home) === name ? setAt(home, [...modelPath(home), "model"], "") : home;
}

/**
 * Members with the graph's default model, `provider/model` or a name of the same provider's, wherever there is a blank for
 * it. Without any blank the default is new: members that name no model get it.
 */
export function withDefaultModel(homes: readonly JsonObject[], name: string | null | undefined): readonly JsonObject[] {
  const isBlank = (home: JsonObject) => getAt(home, [...modelPath(home), "model"]) === "";
  const isFree = homes.some(isBlank) ? isBlank : (home: JsonObject) => isRecord(home.assistant) && !namesModel(home);
  return homes.map((home) => (isFree(home) ? writeModel(home, name) : home));
}

function writeModel(home: JsonObject, name: string | null | undefined): JsonObject {
  const path = modelPath(home);
  if (!name) return dropAt(home, [...path, "model"]);
  const slash = name.indexOf("/");
  const named = setAt(home, [...path, "model"], name.slice(slash + 1));
  return slash < 0 ? named : setAt(named, [...path, "provider"], name.slice(0, slash));
}

function namesModel(home: JsonObject): boolean {
  const model = getAt(home, modelPath(home));
  return isRecord(model) && isText(model.model);
}

/** An override's model counts before the assistant's own. */
function modelPath(home: JsonObject): JsonPath {
  const overriding = getAt(home, ["assistantOverrides", "model", "model"]);
  return [overriding === undefined && isRecord(home.assistant) ? "assistant" : "assistantOverrides", "model"];
}
