import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { getAt, isText } from "./json_path.ts";
import { TOOL_LISTS } from "./tool_lists.ts";

/** Heads the part of a prompt that says when to call which tool, in squads that Callweave emitted. */
const HEADING = "# How to go on\n";
const LINE = /^- (.*): call (\S+)\.$/;

/** A prompt and the guide behind it. A line that repeats a tool's description is kept as the tool's name alone. */
export interface Guided {
  readonly text: string;
  readonly guide?: readonly (string | { readonly tool: string })[];
}

/** Takes the guide off a prompt that Callweave emitted, so that the node has its own prompt back. */
export function splitGuide(prompt: string, home: JsonObject): Guided {
  const at = prompt.lastIndexOf(HEADING);
  const text = at > 0 ? prompt.slice(0, at - 2) : "";
  if (at < 0 || (at > 0 && prompt.slice(at - 2, at) !== "\n\n")) return { text: prompt };
  const described = descriptions(home);
  const guide = prompt
    .slice(at + HEADING.length)
    .split("\n")
    .map((line) => {
      const [, when, tool = ""] = LINE.exec(line) ?? [];
      return when !== undefined && described.get(tool) === when ? { tool } : line;
    });
  return joinGuide(text, guide, home) === prompt ? { text, guide } : { text: prompt };
}

/** Puts the guide back behind a prompt, with the descriptions that the tools have now; lines of lost tools go. */
export function joinGuide(text: string, kept: unknown, home: JsonObject): string {
  if (!Array.isArray(kept)) return text;
  const described = descriptions(home);
  const lines = kept.flatMap((line: unknown) => {
    if (typeof line === "string") return [line];
    const tool = isRecord(line) ? line.tool : undefined;
    const when = isText(tool) ? described.get(tool) : undefined;
    return when === undefined ? [] : [`- ${when}: call ${String(tool)}.`];
  });
  return lines.length === 0 ? text : `${text}${text && "\n\n"}${HEADING}${lines.join("\n")}`;
}

/** What the tools of a member say of themselves, by their names. */
function descriptions(home: JsonObject): ReadonlyMap<string, string> {
  const entries = TOOL_LISTS.flatMap(({ path }) => {
    const items = getAt(home, path);
    return (Array.isArray(items) ? items : []).flatMap((item: unknown) => {
      const [name, description] = [getAt(item, ["function", "name"]), getAt(item, ["function", "description"])];
      return isText(name) && isText(description) ? [[name, description] as const] : [];
    });
  });
  return new Map(entries);
}
