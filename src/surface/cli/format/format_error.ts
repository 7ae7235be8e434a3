import { stripVTControlCharacters } from "node:util";
import { isCallweaveError } from "../../../base/errors.ts";
import { redact } from "../../../base/redaction/mod.ts";
import { thrownWords } from "../../../base/values/mod.ts";

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
