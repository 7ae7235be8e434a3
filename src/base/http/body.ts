import { isTooDeep, joinBytes } from "../values/mod.ts";

/** The bytes of an answer, up to a limit. */
export interface Body {
  readonly bytes: Uint8Array;
  /** Whether the answer has no more bytes. */
  readonly isWhole: boolean;
}

/** Reads a body up to a size limit, or until the signal is aborted, and cancels the rest. */
export async function readResponseBody(response: Response, mostBytes: number, signal: AbortSignal): Promise<Body> {
  if (!response.body) return { bytes: new Uint8Array(), isWhole: true };
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {}); // nobody waits for the rest
  signal.addEventListener("abort", cancel, { once: true }); // a custom fetch may ignore its signal
  if (signal.aborted) cancel();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joinBytes(chunks), isWhole: true };
    chunks.push(value);
    size += value.length;
    if (size <= mostBytes) continue;
    cancel();
    return { bytes: joinBytes(chunks).subarray(0, mostBytes), isWhole: false };
  }
}

/** A parsed body, or why it cannot be parsed. An empty body is `undefined`. */
export type ParsedBody = { readonly value: unknown } | { readonly problem: string };

/**
 * Parses JSON from outside. Text that is not UTF-8, that is nested too deep, or that has a key twice, of which readers
 * take different values, is refused.
 */
export function parseBody(bytes: Uint8Array): ParsedBody {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { problem: "is not UTF-8" };
  }
  if (text.trim() === "") return { value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "is not JSON" };
  }
  if (isTooDeep(value)) return { problem: "is nested too deep" };
  const twice = repeatedKey(text);
  return twice === undefined ? { value } : { problem: `has the key ${twice} twice` };
}

/** The first key that an object of a JSON text has twice, in quotes. */
function repeatedKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === "{" || character === "[") open.push(character === "{" ? new Set() : undefined);
    else if (character === "}" || character === "]") open.pop();
    if (character === "{" || character === ",") isKeyNext = open.at(-1) !== undefined;
    if (character !== '"') continue;
    const end = endOfText(json, at);
    const keys = isKeyNext ? open.at(-1) : undefined;
    if (keys) {
      const key: unknown = JSON.parse(json.slice(at, end + 1));
      if (keys.has(String(key))) return JSON.stringify(key);
      keys.add(String(key));
    }
    isKeyNext = false;
    at = end;
  }
  return undefined;
}

/** Index of the quote that closes a text. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === "\\") at++;
    else if (json[at] === '"') return at;
  }
  return json.length;
}
