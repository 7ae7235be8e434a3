import { env } from "node:process";

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD)$/i;

/** A text in which the values of the environment's keys and tokens are replaced by their names. */
export function redact(text: string): string {
  let redacted = text;
  for (const [name, value] of Object.entries(env)) {
    if (value && value.length >= 8 && SECRET_NAME.test(name)) redacted = redacted.replaceAll(value, `[${name}]`);
  }
  return redacted;
}
