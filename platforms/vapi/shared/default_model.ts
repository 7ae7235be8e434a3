import { dropAt, getAt, isRecord, type JsonObject, setAt } from "../../../src/values/mod.ts";
import { placeOf } from "./directory.ts";
import { isText } from "./texts.ts";

/** A model as `provider/model`; `undefined` when it does not name both, or a provider with a slash. */
export function modelName(model: unknown): string | undefined {
  if (!isRecord(model) || !isText(model.provider) || !isText(model.model)) return undefined;
  return model.provider.includes("/") ? undefined : `${model.provider}/${model.model}`;
}

/** The keys of a model with a name as `provider/model`, or a name alone. */
export function modelKeys(name: string): JsonObject {
  const slash = name.indexOf("/");
  return { ...(slash < 0 ? {} : { provider: name.slice(0, slash) }), model: name.slice(slash + 1) };
}

/** The name of a member's model. */
export function modelOf(home: JsonObject): string | undefined {
  return modelName(getAt(home, modelPath(home)));
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
  return Object.entries(modelKeys(name)).reduce((written, [key, value]) => setAt(written, [...path, key], value), home);
}

function namesModel(home: JsonObject): boolean {
  const model = getAt(home, modelPath(home));
  return isRecord(model) && isText(model.model);
}

const modelPath = (home: JsonObject) => placeOf(home, "model", "model").slice(0, -1);
