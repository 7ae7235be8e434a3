import { env } from "node:process";

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD)$/i;

/** What is shorter is no key, and would be found in ordinary words. */
const SHORTEST = 8;

/** A text, also one of JSON, in which the values of the environment's keys and tokens are replaced by their names. */
export function redact(text: string): string {
  let redacted = text;
  for (const [name, value] of Object.entries(env)) {
    if (!value || value.length < SHORTEST || !SECRET_NAME.test(name)) continue;
    for (const written of new Set([value, JSON.stringify(value).slice(1, -1)])) {
      redacted = redacted.replaceAll(written, () => `[${name}]`);
    }
  }
  return redacted;
}
