import { editJson, isRecord, parsedJson } from "../../../base/values/mod.ts";

/** Adds something to the text of an existing file; `undefined`: it is there, or there is no place that is surely right. */
export type Merge = (now: string) => string | undefined;

const [START, END] = ["<!-- callweave -->", "<!-- end of callweave -->"];

/** A section of a Markdown file, between marks. */
export function section(text: string, lineBreak = "\n"): string {
  return `${[START, "", ...text.split("\n"), "", END].join(lineBreak)}${lineBreak}`;
}

/** Adds a section to a Markdown file. Everything that it has stays. */
export function appendSection(now: string, text: string): string | undefined {
  if (now.includes(START)) return undefined;
  if (now.trim() === "") return section(text);
  const lineBreak = now.includes("\r\n") ? "\r\n" : "\n";
  return `${now.replace(/(?:\r?\n)*$/, "")}${lineBreak}${lineBreak}${section(text, lineBreak)}`;
}

/** Sets an entry of an object in a JSON file, in the file's own layout. */
export function setEntry(now: string, [key, name]: readonly [string, string], value: object): string | undefined {
  const document = now.trim() === "" ? {} : parsedJson(now);
  if (!isRecord(document)) return undefined;
  const entries = document[key] ?? {};
  if (!isRecord(entries) || Object.hasOwn(entries, name)) return undefined;
  const changed = { ...document, [key]: { ...entries, [name]: value } };
  return now.trim() === "" ? `${JSON.stringify(changed, null, 2)}\n` : editJson(now, changed);
}

/** Adds a table at the end of a TOML file, unless the file writes its parent in a way that forbids it. */
export function appendTable(now: string, parent: string, text: string): string | undefined {
  if (new RegExp(`^\\s*(?:\\[\\s*)?["']?${parent}["']?\\s*(?:=|\\.\\s*["']?callweave\\b)`, "m").test(now))
    return undefined;
  if (now.trim() === "") return text;
  return `${now.replace(/(?:\r?\n)*$/, "")}\n\n${text}`;
}
