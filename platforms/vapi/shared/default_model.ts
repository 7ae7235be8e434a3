import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { getAt, isText, type JsonPath, setAt } from "./json_path.ts";

/** The model of a member as `provider/model`; `undefined` when it names none, or not both. */
export function modelOf(home: JsonObject): string | undefined {
  const model = getAt(home, modelPath(home));
  if (!isRecord(model) || !isText(model.provider) || !isText(model.model)) return undefined;
  return model.provider.includes("/") ? undefined : `${model.provider}/${model.model}`;
}

/** The member with another model, given as `provider/model`, or as a name of the same provider's. */
export function withModel(home: JsonObject, name: string): JsonObject {
  const path = modelPath(home);
  const slash = name.indexOf("/");
  const named = setAt(home, [...path, "model"], name.slice(slash + 1));
  return slash < 0 ? named : setAt(named, [...path, "provider"], name.slice(0, slash));
}

/** An override's model counts before the assistant's own. */
function modelPath(home: JsonObject): JsonPath {
  const overriding = getAt(home, ["assistantOverrides", "model", "model"]);
  return [overriding === undefined && isRecord(home.assistant) ? "assistant" : "assistantOverrides", "model"];
}
