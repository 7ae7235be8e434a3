import { stripVTControlCharacters } from "node:util";
import { isCallweaveError } from "../errors.ts";

/** An error on one line: code, message, where, and what to do. */
export function formatError(error: unknown): string {
  if (!isCallweaveError(error)) {
    return line(
      `error[internal] ${error instanceof Error ? error.message : String(error)} — Set CALLWEAVE_DEBUG=1 to see where`,
    );
  }
  const { code, message, path, hint } = error;
  const place = path.length > 0 ? ` (at ${path.join(".")})` : "";
  return line(`error[${code}] ${message}${place}${hint ? ` — ${hint}` : ""}`);
}

/** Foreign text in it must neither break the line nor command the terminal. */
function line(text: string): string {
  return `${stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "\ufffd")
    .trim()}\n`;
}
