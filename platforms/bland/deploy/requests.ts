import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import type { Method, PlatformClient, PlatformRequest } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, shorten } from "../../../src/base/values/mod.ts";
import { sendIfPresent } from "../../deploying/mod.ts";

/** A request to Bland. Changes are sent with POST too: one that writes a whole document can be sent twice. */
export interface BlandRequest {
  readonly method?: Method;
  readonly path: string;
  readonly body?: JsonObject;
  readonly about: string;
  readonly isRepeatable?: boolean;
}

const ANSWER = v.union([v.looseObject({}), v.array(v.unknown())]);

/** An answer without its envelope. Some answers have one: `{ data, errors }`. */
export type BlandAnswer = JsonObject | readonly JsonObject[];

/**
 * Sends a request. Refusals can have the status 200: `{ status: "error", message, errors }`.
 *
 * @returns `undefined` if there is nothing at the path.
 * @throws {DeployError} `platform-refused` with Bland's words, `platform-answer`.
 */
export async function askBland(client: PlatformClient, asked: BlandRequest): Promise<BlandAnswer | undefined> {
  const request: PlatformRequest<typeof ANSWER> = { method: "GET", ...asked, answer: ANSWER };
  const answer: unknown = await sendIfPresent(client, request);
  if (answer === undefined) return undefined;
  if (Array.isArray(answer)) return objectsIn(answer, client, request);
  const { status, error, errors, message = error, data } = isRecord(answer) ? answer : {};
  const isRefused =
    status === "error" || Boolean(error) || (Array.isArray(errors) ? errors.length > 0 : Boolean(errors));
  if (isRefused && /not (?:be )?found|does not exist/i.test(JSON.stringify([message, errors]))) return undefined;
  if (isRefused) {
    const words = typeof message === "string" ? message : JSON.stringify(errors ?? answer);
    throw new DeployError(`${asked.about}: Bland refuses it: ${shorten(words, 300)}`, {
      code: "platform-refused",
      hint: "Change what Bland names, then apply again",
    });
  }
  if (Array.isArray(data)) return objectsIn(data, client, request);
  if (!isRecord(answer) || Object.keys(answer).length === 0) throw client.unusable(request, "says nothing");
  if (status !== undefined && typeof status !== "string")
    throw client.unusable(request, "has a status that is no text");
  return isRecord(data) ? data : answer;
}

function objectsIn(list: readonly unknown[], client: PlatformClient, request: PlatformRequest): readonly JsonObject[] {
  if (list.every(isRecord)) return list;
  throw client.unusable(request, "is a list of something else than objects");
}

/** The same, for something that must be there. */
export async function askForObject(client: PlatformClient, request: BlandRequest): Promise<JsonObject> {
  const answer = await askBland(client, request);
  if (isRecord(answer)) return answer;
  const asked: PlatformRequest = { method: "GET", ...request, answer: ANSWER };
  throw client.unusable(asked, answer === undefined ? "is about nothing" : "is a list");
}

/** The path of a pathway. */
export const pathwayPath = (id: string, ...more: readonly string[]): string =>
  ["/v1/pathway", encodeURIComponent(id), ...more].join("/");

/**
 * The same, for a list, which can be the answer or under a key of it.
 *
 * @param isItem Whether an object is one of what was asked for.
 */
export async function askForList(
  client: PlatformClient,
  request: BlandRequest,
  key: string,
  isItem: (item: JsonObject) => boolean,
): Promise<readonly JsonObject[]> {
  const answer = await askBland(client, request);
  const asked: PlatformRequest = { method: "GET", ...request, answer: ANSWER };
  const list: unknown = isRecord(answer) ? answer[key] : answer;
  if (!Array.isArray(list)) throw client.unusable(asked, `has no list "${key}"`);
  const all = objectsIn(list, client, asked);
  if (all.every(isItem)) return all;
  throw client.unusable(asked, "is a list of other things");
}
