import { env } from "node:process";

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD)$/i;

/** What is shorter is no key, and would be found in ordinary words. */
const SHORTEST = 8;

/** A model's answer in JSON is a string in a recording, whose document is a string in a database's answer. */
const DEEPEST = 3;

/** A text, also one of JSON, in which the values of the environment's keys and tokens are replaced by their names. */
export function redact(text: string): string {
  let redacted = text;
  // the longest first: one that begins like another must not be left with its end showing
  const longestFirst = Object.entries(env).toSorted(([, a = ""], [, b = ""]) => b.length - a.length);
  for (const [name, value] of longestFirst) {
    if (!value || value.length < SHORTEST || !SECRET_NAME.test(name)) continue;
    for (const form of formsOf(value)) redacted = redacted.replaceAll(form, () => `[${name}]`);
  }
  return redacted;
}

/** A value as it stands in a text, in JSON, and in JSON that is a string of JSON. */
function formsOf(value: string): ReadonlySet<string> {
  const forms = new Set([value]);
  let form = value;
  for (let depth = 1; depth <= DEEPEST; depth++) {
    form = JSON.stringify(form).slice(1, -1);
    forms.add(form);
  }
  return forms;
}
