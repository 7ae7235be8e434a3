import { DeployError } from "../../errors.ts";
import { isRecord, type JsonObject, sameJson } from "../../values/mod.ts";
import type { PlatformClient, PlatformRequest } from "../http/mod.ts";

/** Sends a request whose response is an object. */
export async function sendForObject(client: PlatformClient, request: PlatformRequest): Promise<JsonObject> {
  const answer = await client.send(request);
  if (isRecord(answer)) return answer;
  throw new DeployError(`${request.about}: the platform's answer is not a JSON object`, {
    code: "platform-refused",
    hint: "Check the base URL",
  });
}

/** Sends a request for something that may not exist. */
export async function sendIfPresent(client: PlatformClient, request: PlatformRequest): Promise<JsonObject | undefined> {
  try {
    return await sendForObject(client, request);
  } catch (error) {
    if (error instanceof DeployError && error.code === "platform-missing") return undefined;
    throw error;
  }
}

/** The top-level keys that a change sends: changed values, and `null` for removed keys. */
export function changedKeys(before: JsonObject, after: JsonObject): JsonObject {
  const differing = Object.entries(after).filter(([key, value]) => !sameJson(before[key], value));
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key) && before[key] !== null);
  return { ...Object.fromEntries(differing), ...Object.fromEntries(gone.map((key) => [key, null])) };
}
