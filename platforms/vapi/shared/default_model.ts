import { dropAt, getAt, isRecord, type JsonObject, setAt } from "../../../src/base/values/mod.ts";
import { placeOf } from "./directory.ts";
import { isText } from "./prompt.ts";

/** Returns `provider/model`; `undefined` if one is missing or the provider contains a slash. */
export function providerAndModel(model: unknown): string | undefined {
  if (!isRecord(model) || !isText(model.provider) || !isText(model.model)) return undefined;
  return model.provider.includes("/") ? undefined : `${model.provider}/${model.model}`;
}

/** Returns the keys of a model for `provider/model`, or for a name alone. */
export function modelKeys(name: string): JsonObject {
  const slash = name.indexOf("/");
  return { ...(slash < 0 ? {} : { provider: name.slice(0, slash) }), model: name.slice(slash + 1) };
}

/** Returns the name of a member's model. */
export function modelOf(home: JsonObject): string | undefined {
  return providerAndModel(getAt(home, modelPath(home)));
}

/** Replaces the name of a member's model by a blank if it is the graph's default model. */
export function withoutModel(home: JsonObject, name: string | undefined): JsonObject {
  return name !== undefined && modelOf(home) === name ? setAt(home, [...modelPath(home), "model"], "") : home;
}

/**
 * Writes the graph's default model into members with a blank model. If no member has a blank, the default is new and is
 * written into members without a model.
 */
export function withDefaultModel(homes: readonly JsonObject[], name: string | null | undefined): readonly JsonObject[] {
  const nameIn = (home: JsonObject) => getAt(home, [...modelPath(home), "model"]);
  const isBlank = (home: JsonObject) => nameIn(home) === "";
  const isOpen = (home: JsonObject) => isRecord(home.assistant) && !isText(nameIn(home));
  const isFree = homes.some(isBlank) ? isBlank : isOpen;
  return homes.map((home) => (isFree(home) ? writeModel(home, name) : home));
}

function writeModel(home: JsonObject, name: string | null | undefined): JsonObject {
  const path = modelPath(home);
  if (!name) return dropAt(home, [...path, "model"]);
  return Object.entries(modelKeys(name)).reduce((written, [key, value]) => setAt(written, [...path, key], value), home);
}

const modelPath = (home: JsonObject) => placeOf(home, "model", "model").slice(0, -1);
