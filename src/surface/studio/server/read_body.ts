import { StudioError } from "../../../base/errors.ts";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";

/** Largest body of a request, in bytes. */
export const MOST_BODY = 1_000_000;

/**
 * Reads a body as a JSON object. An empty one is an empty object.
 *
 * @throws {StudioError} `too-large`, `invalid-request`.
 */
export async function readBody(request: Request): Promise<JsonObject> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BODY) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body)
    for await (const chunk of request.body) {
      size += chunk.length;
      if (size > MOST_BODY) throw tooLarge();
      chunks.push(chunk);
    }
  if (size === 0) return {};
  const type = request.headers.get("content-type") ?? "";
  // pages of other sites can send forms and plain text without being asked, but no JSON
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw wrong("the body is not JSON", "Send it with content-type: application/json");
  const body = parsed(Buffer.concat(chunks));
  if (isRecord(body)) return body;
  throw wrong("the body is no JSON object", "Send a JSON object");
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw wrong("the body cannot be read as JSON", "Send JSON in UTF-8");
  }
}

function tooLarge(): StudioError {
  const hint = `Send at most ${MOST_BODY} bytes`;
  return new StudioError("Cannot answer: the body is too large", { code: "too-large", hint });
}

function wrong(state: string, hint: string): StudioError {
  return new StudioError(`Cannot answer: ${state}`, { code: "invalid-request", hint });
}
