import type { VariableExtraction } from "../../../document/graph/mod.ts";

/** Words before "name" with which a variable holds a person's name. */
const PERSON =
  "(?:full|your|caller|user|customer|client|guest|patient|member|visitor|person|contact|lead|owner|holder|s) ?";

/** Sample values by the words of a variable's name. */
const BY_NAME: readonly (readonly [name: RegExp, value: string])[] = [
  [/\be ?mail\b/, "anna.fischer@example.com"],
  [/\b(?:(?:tele)?phone|mobile|callback)/, "+12025550143"],
  [/\bfirst ?name\b/, "Anna"],
  [/\b(?:last ?name|surname|family ?name)\b/, "Fischer"],
  [/\b(?:company|business|employer)\b/, "Lumen"],
  [new RegExp(`^(?:${PERSON})*names?$`), "Anna Fischer"],
  [/\b(?:birth|dob\b)/, "May 4, 1985"],
  [/\b(?:zip|postal)/, "94107"],
  [/\b(?:address|street)\b/, "12 Main Street"],
  [/\b(?:city|town)\b/, "Springfield"],
  [/\b(?:date|day)\b/, "March 3"],
  [/\b(?:time|hour)\b/, "10 in the morning"],
];

const EXAMPLE = /\b(?:such as|for example|for instance|e\.g\.|eg|like)[,:]?\s+["'“]?([^,;.()"'”]+(?:\.\d+)?)/i;

/** A value that people would say; `undefined` if neither type, description nor name tells what the variable holds. */
export function sampleValue({ name, description, type, choices }: VariableExtraction): string | undefined {
  const [choice] = choices ?? [];
  if (choice !== undefined) return choice;
  if (type === "boolean") return "true";
  const example = EXAMPLE.exec(description)?.[1]?.trim();
  if (type === "number") return example !== undefined && /^-?\d+(?:\.\d+)?$/.test(example) ? example : "1";
  return example ?? BY_NAME.find(([pattern]) => pattern.test(lowerCaseWords(name)))?.[1];
}

/** The words of a name in small letters: "first name" for `firstName` and `first_name`. */
function lowerCaseWords(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
