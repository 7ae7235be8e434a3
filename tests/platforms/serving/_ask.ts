import type { LocalAnswer, LocalPlatform } from "../../../platforms/serving/mod.ts";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";

/** Asks a platform in one line: `ask(platform, "GET /get-agent/agent_1?version=0")`. */
export function ask(platform: LocalPlatform, line: string, body: JsonObject = {}, key = "key-1"): LocalAnswer {
  const [method = "GET", address = "/"] = line.split(" ");
  const { pathname, searchParams } = new URL(address, "http://localhost");
  return platform.answer({ method, path: decodeURIComponent(pathname), query: searchParams, body, key });
}

/** The body of an answer that has to be a success. */
export function bodyOf(answer: LocalAnswer): JsonObject {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return isRecord(answer.body) ? answer.body : {};
}

/** The message of an answer that has to be a refusal. */
export function messageOf({ status, body }: LocalAnswer): string {
  const message = isRecord(body) ? body.message : undefined;
  return `${status} ${Array.isArray(message) ? message.join("; ") : String(message)}`;
}
