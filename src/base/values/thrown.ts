import { stripVTControlCharacters } from "node:util";
import { isCallweaveError } from "../errors.ts";
import { redact } from "../redaction/mod.ts";
import { isRecord } from "./json/mod.ts";

/**
 * A message from the compiler: `FlowTypeError<"node \"bookng\" is not declared">`. No value has this type, so the
 * compiler prints the message where the type is required. For a union it prints all messages.
 */
export type FlowTypeError<Message extends string> = { readonly [Each in Message]: never };

/** The names of items of a tuple, joined by commas, for a message of the compiler: `retell, vapi-squad, mermaid`. */
export type Listed<Items extends readonly unknown[]> = Items extends readonly [
  infer First extends { readonly name: string },
  ...infer Rest extends readonly unknown[],
]
  ? Rest extends readonly []
    ? First["name"]
    : `${First["name"]}, ${Listed<Rest>}`
  : "";

/** Returns the message of a thrown value, which may be anything, even unreadable. */
export function thrownWords(error: unknown): string {
  try {
    const words: unknown = error instanceof Error ? error.message : error;
    return String(words);
  } catch {
    return "a value that cannot be converted to text";
  }
}

/** Returns the message of a thrown value, with the hint if it is an error of Callweave. */
export function wordsWithHint(error: unknown): string {
  return isCallweaveError(error) ? `${error.message} (${error.hint})` : thrownWords(error);
}

/** Formats an error on one line: code, message, path, hint. */
export function formatError(error: unknown): string {
  if (!isCallweaveError(error)) {
    return line(`error[internal] ${thrownWords(error)} — Set CALLWEAVE_DEBUG=1 to see where`);
  }
  const { code, message, path, hint } = error;
  const place = path.length > 0 ? ` (at ${path.join(".")})` : "";
  return line(`error[${code}] ${message}${place}${hint ? ` — ${hint}` : ""}`);
}

/** The stack of an error, for debugging. */
export function formatStack(error: Error): string {
  return `${redact(error.stack ?? error.message)}\n`;
}

/** Escapes text from outside: it must not break the line, control the terminal or show keys of the environment. */
function line(text: string): string {
  return `${stripVTControlCharacters(redact(text))
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "\ufffd")
    .trim()}\n`;
}

/** Returns the code of an error, such as `ENOENT`; `undefined` for values without one. */
export function errorCode(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined;
}

/** Returns the thrown value, or a new error if its message is not a string or cannot be read. */
export function readableError(error: unknown): unknown {
  if ((typeof error !== "object" && typeof error !== "function") || error === null) return error;
  try {
    for (const key of [...Reflect.ownKeys(error), "message", "cause", "code"]) Reflect.get(error, key);
    if (!(error instanceof Error)) return error;
    const isText = [error.name, error.message, error.stack ?? ""].every((text: unknown) => typeof text === "string");
    return isText ? error : new Error(thrownWords(error));
  } catch {
    return new Error("an unreadable value was thrown");
  }
}
