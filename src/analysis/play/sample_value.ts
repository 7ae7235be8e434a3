import type { VariableExtraction } from "../../graph/mod.ts";

/** Values for variables whose names say what they hold. */
const BY_NAME: readonly (readonly [name: RegExp, value: string])[] = [
  [/e-?mail/i, "anna.fischer@example.com"],
  [/phone|mobile|callback/i, "+12025550143"],
  [/first.?name/i, "Anna"],
  [/last.?name|surname|family.?name/i, "Fischer"],
  [/company|business|employer/i, "Lumen"],
  [/name/i, "Anna Fischer"],
  [/birth|dob/i, "May 4, 1985"],
  [/zip|postal/i, "94107"],
  [/address|street/i, "12 Main Street"],
  [/city|town/i, "Springfield"],
  [/date|day/i, "March 3"],
  [/time|hour/i, "10 in the morning"],
];

const EXAMPLE = /\b(?:such as|for example|for instance|e\.g\.|eg|like)[,:]?\s+["'“]?([^,;.()"'”]+(?:\.\d+)?)/i;

/** A value that people would say; `undefined` where nothing tells what the variable holds. */
export function sampleValue({ name, description, type, choices }: VariableExtraction): string | undefined {
  const [choice] = choices ?? [];
  if (choice !== undefined) return choice;
  if (type === "boolean") return "true";
  const example = EXAMPLE.exec(description)?.[1]?.trim();
  if (type === "number") return example !== undefined && /^-?\d+(?:\.\d+)?$/.test(example) ? example : "1";
  return example ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}
