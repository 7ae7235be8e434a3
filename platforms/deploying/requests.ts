import type * as v from "valibot";
import { isCallweaveError } from "../../src/base/errors.ts";
import type { AnswerShape, PlatformClient, PlatformRequest } from "../../src/base/http/mod.ts";
import { canonicalJson, isRecord, type JsonObject, omit, records, sameJson } from "../../src/base/values/mod.ts";

/** Sends a request for something that may not exist. */
export async function sendIfPresent<Shape extends AnswerShape>(
  client: PlatformClient,
  request: PlatformRequest<Shape>,
): Promise<v.InferInput<Shape> | undefined> {
  try {
    return await client.send(request);
  } catch (error) {
    if (isCallweaveError(error) && error.code === "platform-missing") return undefined;
    throw error;
  }
}

/** Sends a request that creates a resource. An answer with another resource is an error. */
export async function sendCreation<Shape extends v.GenericSchema<JsonObject>>(
  client: PlatformClient,
  request: PlatformRequest<Shape> & { readonly body: JsonObject },
): Promise<v.InferInput<Shape>> {
  const answer = await client.send(request);
  const [sent, made] = [outline(request.body), outline(answer)];
  const other = Object.keys(sent).find((key) => !sameJson(sent[key], made[key]));
  if (other === undefined) return answer;
  throw client.unusable(request, `is another resource than the one that was sent: its "${other}" differs`);
}

const NAMES = ["name", "agent_name", "type", "assistantId", "llm_id", "conversation_flow_id"];
const PARTS = ["nodes", "states", "members", "function", "response_engine"];

/** The identity of a resource: its names, and names and ids of its parts in any order. Servers may change the rest. */
function outline(body: JsonObject): JsonObject {
  const told = Object.entries(body).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (NAMES.includes(key)) return typeof value === "string" ? [[key, value]] : [];
    if (!PARTS.includes(key)) return [];
    if (isRecord(value)) return [[key, outline(value)]];
    if (!Array.isArray(value)) return [];
    const parts = records(value).map((part) => canonicalJson({ id: part.id, ...outline(omit(part, PARTS)) }));
    return [[key, parts.sort()]];
  });
  return Object.fromEntries(told);
}

/** Sends a request that deletes a resource, and checks that it is gone. */
export async function sendDeletion(
  client: PlatformClient,
  request: PlatformRequest,
  read: () => Promise<unknown>,
): Promise<void> {
  await client.send(request);
  if ((await read()) !== undefined) throw client.unusable(request, "is a success, and the resource is still there");
}

/** The top-level keys that a change sends: changed values, and `null` for removed keys. */
export function changedKeys(before: JsonObject, after: JsonObject): JsonObject {
  const differing = Object.entries(after).filter(([key, value]) => !sameJson(before[key], value));
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key) && before[key] !== null);
  return { ...Object.fromEntries(differing), ...Object.fromEntries(gone.map((key) => [key, null])) };
}
