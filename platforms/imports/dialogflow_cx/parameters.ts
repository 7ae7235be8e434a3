import { type JsonObject, records } from "../../../src/base/values/mod.ts";
import type { VariableExtraction } from "../../../src/document/graph/mod.ts";
import { textOf, type Variables } from "../shared/mod.ts";
import { type Agent, folderOf, type Part } from "./document.ts";

/** More phrases than these do not help a model. */
const MOST_PHRASES = 5;
/** With more values, a variable takes any text. */
const MOST_CHOICES = 100;

/** Entity types of Dialogflow that are no plain text. */
const SYSTEM: { readonly [type: string]: { readonly type: string; readonly says: string } } = {
  "@sys.number": { type: "number", says: "a number" },
  "@sys.number-integer": { type: "number", says: "a whole number" },
  "@sys.cardinal": { type: "number", says: "a number" },
  "@sys.ordinal": { type: "number", says: "a position, as a number" },
  "@sys.age": { type: "number", says: "an age in years" },
  "@sys.date": { type: "string", says: "a date, as YYYY-MM-DD" },
  "@sys.time": { type: "string", says: "a time, as HH:MM" },
  "@sys.date-time": { type: "string", says: "a date and a time, as YYYY-MM-DD HH:MM" },
  "@sys.phone-number": { type: "string", says: "a telephone number" },
  "@sys.email": { type: "string", says: "an e-mail address" },
};

/** A parameter of a form or an intent as a variable; its entity type says what it may be. */
export function variableOf(
  name: string,
  parameter: JsonObject,
  agent: Agent,
  variables: Variables,
): VariableExtraction {
  const entity = textOf(parameter.entityType);
  const list = parameter.isList === true ? "all of them, with commas between them" : "";
  const own = agent.entityTypes.find((each) => `@${each.name}` === entity);
  const values = own ? valuesOf(agent, own) : [];
  const isMap = own !== undefined && /MAP|LIST/.test(textOf(own.content.kind) || "KIND_MAP");
  const system = Object.hasOwn(SYSTEM, entity) ? SYSTEM[entity] : undefined;
  const isEnum = isMap && list === "" && values.length > 0 && values.length <= MOST_CHOICES;
  const said = own
    ? `${own.name}${isMap ? `: ${values.map(worded).join(", ")}` : ` that fits ${values.map(({ value }) => value).join(" or ")}`}`
    : (system?.says ?? entity.replace(/^@sys\./, "").replaceAll("-", " "));
  const description = [name, said === "any" ? "" : said, list].filter((part) => part !== "").join("; ");
  const type = isEnum ? "enum" : list === "" ? (system?.type ?? "string") : "string";
  return {
    name: variables.name(name),
    description,
    type,
    ...(isEnum ? { choices: values.map(({ value }) => value) } : {}),
  };
}

interface Value {
  readonly value: string;
  readonly synonyms: readonly string[];
}

/** The values of an entity type, each once; its languages have the same ones. */
function valuesOf(agent: Agent, type: Part): readonly Value[] {
  const found = new Map<string, Value>();
  for (const each of agent.entities.get(folderOf(type)) ?? []) {
    const value = textOf(each.value);
    const synonyms = Array.isArray(each.synonyms) ? each.synonyms.map(textOf) : [];
    if (value !== "" && !found.has(value)) found.set(value, { value, synonyms });
  }
  return [...found.values()];
}

const worded = ({ value, synonyms }: Value): string => {
  const others = synonyms.filter((synonym) => synonym.toLowerCase() !== value.toLowerCase());
  return others.length === 0 ? value : `${value} (${others.slice(0, MOST_PHRASES).join(", ")})`;
};

/** An intent as a condition in words, with some of its phrases. */
export function intentWords(name: string, agent: Agent, language: string | undefined): string {
  const intent = agent.intents.find((each) => each.name === name);
  const all = intent ? (agent.phrases.get(folderOf(intent)) ?? []) : [];
  const own = all.filter(({ languageCode }) => languageCode === language);
  const phrases = (own.length > 0 ? own : all).map((phrase) =>
    records(phrase.parts)
      .map((part) => textOf(part.text))
      .join("")
      .trim(),
  );
  const examples = [...new Set(phrases.filter((phrase) => phrase !== ""))].slice(0, MOST_PHRASES);
  const description = textOf(intent?.content.description);
  const start = `The caller means "${name}"${description === "" ? "" : ` (${description})`}`;
  return examples.length === 0 ? start : `${start}, as in ${examples.map((phrase) => `"${phrase}"`).join(", ")}`;
}

/** Parameters that an intent reads from what the caller says. */
export function intentVariables(name: string, agent: Agent, variables: Variables): readonly VariableExtraction[] {
  const intent = agent.intents.find((each) => each.name === name);
  return records(intent?.content.parameters).map((parameter) =>
    variableOf(textOf(parameter.id), parameter, agent, variables),
  );
}
