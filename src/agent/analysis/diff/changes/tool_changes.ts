import type { Path } from "../../../../base/errors.ts";
import { isRecord, type JsonObject, omit, own, recordAt } from "../../../../base/values/mod.ts";
import type { ToolDefinition } from "../../../../document/graph/mod.ts";
import {
  changeOf,
  type GraphChange,
  listedNames,
  type NewChange,
  shortQuote,
  shownValue,
  textParts,
} from "../change_kinds.ts";
import { comparisonKey, isReordered, isSame, pairItems, unpaired } from "../matching/mod.ts";
import { otherChanges } from "./other_changes.ts";
import { metadataChanges } from "./rename_changes.ts";
import type { NodePair } from "./transition_changes.ts";

const KNOWN = ["name", "description", "parameters", "type", "url", "tool_id", "response_variables", "metadata"];
const REQUEST = ["type", "url", "tool_id"] as const;

/** Compares the tools of a node: equal tools are paired first, then those with the same name. */
export function toolChanges({ before, after, earlierId, id, nodes }: NodePair): readonly GraphChange[] {
  if (isSame(before.tools, after.tools)) return [];
  const pairs = pairItems<ToolDefinition>(before.tools, after.tools, [comparisonKey, ({ name }) => name]);
  const removed = unpaired(before.tools.length, pairs).map((index) => {
    const tool = before.tools[index];
    const message = `Node ${shortQuote(id)} no longer has tool ${shortQuote(tool?.name ?? "")}`;
    const path = ["nodes", earlierId, "tools", index];
    return changeOf({ kind: "tool-removed", path, node: earlierId, before: tool, nodes, message });
  });
  const others = after.tools.flatMap((tool, index): readonly GraphChange[] => {
    const path = ["nodes", id, "tools", index];
    const match = pairs[index];
    const old = match === undefined ? undefined : before.tools[match];
    if (old) return oneTool(old, tool, { path, node: id, nodes });
    const message = `Node ${shortQuote(id)} has the new tool ${shortQuote(tool.name)}`;
    return [changeOf({ kind: "tool-added", path, node: id, after: tool, nodes, message })];
  });
  if (!isReordered(pairs)) return [...removed, ...others];
  const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name);
  const order = changeOf({
    kind: "tools-reordered",
    path: ["nodes", id, "tools"],
    node: id,
    nodes,
    before: names(before.tools),
    after: names(after.tools),
    message: `Tools of ${shortQuote(id)} are offered in another order: ${listedNames(names(after.tools))}`,
  });
  return [...removed, ...others, order];
}

type ToolChangePlace = Required<Pick<NewChange, "path" | "node" | "nodes">>;

function oneTool(
  before: ToolDefinition,
  after: ToolDefinition,
  { path, ...more }: ToolChangePlace,
): readonly GraphChange[] {
  if (isSame(before, after)) return [];
  const subject = `Tool ${shortQuote(after.name)} of ${shortQuote(more.node)}`;
  const found: GraphChange[] = [];
  if (before.description !== after.description) {
    const [old, now] = [before.description, after.description];
    const message = `${subject} has another description: ${shortQuote(now)} instead of ${shortQuote(old)}`;
    const words = textParts(old, now);
    found.push(
      changeOf({
        kind: "tool-reworded",
        path: [...path, "description"],
        ...more,
        before: old,
        after: now,
        message,
        words,
      }),
    );
  }
  found.push(...schemaChanges(before.parameters, after.parameters, { path: [...path, "parameters"], subject, more }));
  for (const key of REQUEST) {
    if (isSame(before[key], after[key])) continue;
    const [old, now] = [before[key] ?? undefined, after[key] ?? undefined];
    const message = `${subject} has ${key} ${shownValue(now ?? "")} instead of ${shownValue(old ?? "")}`;
    found.push(
      changeOf({ kind: "tool-request-changed", path: [...path, key], ...more, before: old, after: now, message }),
    );
  }
  const kind = "tool-request-changed";
  const response = { path: [...path, "response_variables"], more, kind } as const;
  found.push(...otherChanges(before.response_variables ?? {}, after.response_variables ?? {}, response));
  found.push(...metadataChanges(before.metadata, after.metadata, { path: [...path, "metadata"], more }));
  found.push(...otherChanges(omit({ ...before }, KNOWN), omit({ ...after }, KNOWN), { path, more }));
  return found;
}

/** The place of a JSON Schema. */
export interface SchemaPlace {
  readonly path: Path;
  /** As the beginning of a sentence: `Tool "book"`. */
  readonly subject: string;
  readonly more: Pick<NewChange, "node" | "nodes">;
}

/** The changes of the JSON Schema of a tool's arguments, a sentence for each parameter. */
export function schemaChanges(before: unknown, after: unknown, place: SchemaPlace): readonly GraphChange[] {
  const [earlier, later] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  if (isSame(earlier, later)) return [];
  return objectChanges(earlier, later, place);
}

/** Properties and what is required, then the other keywords. Without a name, the object is that of all parameters. */
function objectChanges(
  before: JsonObject,
  after: JsonObject,
  place: SchemaPlace,
  name?: string,
): readonly GraphChange[] {
  const { path, subject, more } = place;
  const [earlier, later] = [recordAt(before, "properties"), recordAt(after, "properties")];
  const [required, nowRequired] = [namesIn(before.required), namesIn(after.required)];
  const change = (key: string, message: string, values: Pick<NewChange, "before" | "after">) =>
    changeOf({ kind: "tool-schema-changed", path: [...path, "properties", key], ...more, ...values, message });
  const found: GraphChange[] = [];
  for (const key of new Set([...Object.keys(later), ...Object.keys(earlier)])) {
    const [old, now] = [own(earlier, key), own(later, key)];
    const what = name === undefined ? `parameter ${shortQuote(key)}` : `${name} › ${shortQuote(key)}`;
    const [wasNeeded, isNeeded] = [required.includes(key), nowRequired.includes(key)];
    if (old === undefined) {
      const facts = [typeWords(now), isNeeded ? "required" : "optional"].filter(Boolean).join(", ");
      found.push(change(key, `${subject} has the new ${what} (${facts})`, { after: now }));
    } else if (now === undefined) found.push(change(key, `${subject} no longer has ${what}`, { before: old }));
    else {
      if (wasNeeded !== isNeeded) {
        const state = isNeeded ? "is now required" : "is no longer required";
        found.push(change(key, `${subject}: ${what} ${state}`, { before: wasNeeded, after: isNeeded }));
      }
      found.push(...valueChanges(old, now, { ...place, path: [...path, "properties", key] }, what));
    }
  }
  const known = ["properties", "required"];
  found.push(...keywordChanges(omit(before, known), omit(after, known), place, name ?? "parameters"));
  if (!isSame(before.required, after.required) && !isCovered(required, nowRequired, earlier, later))
    found.push(
      changeOf({
        kind: isSame(required.toSorted(), nowRequired.toSorted()) ? "rewritten" : "tool-schema-changed",
        path: [...path, "required"],
        ...more,
        before: before.required,
        after: after.required,
        message: `${subject} requires ${listedNames(nowRequired) || "nothing"} instead of ${listedNames(required) || "nothing"}`,
      }),
    );
  if (found.length > 0) return found;
  return otherChanges(before, after, { path, more, kind: "tool-schema-changed" });
}

/** Whether the changes of single parameters already report every change of `required`. */
function isCovered(
  before: readonly string[],
  after: readonly string[],
  earlier: JsonObject,
  later: JsonObject,
): boolean {
  const differ = [...before.filter((name) => !after.includes(name)), ...after.filter((name) => !before.includes(name))];
  return differ.length > 0 && differ.every((name) => Object.hasOwn(earlier, name) || Object.hasOwn(later, name));
}

function valueChanges(before: unknown, after: unknown, place: SchemaPlace, name: string): readonly GraphChange[] {
  if (isSame(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    if (isRecord(before.properties) || isRecord(after.properties)) return objectChanges(before, after, place, name);
    return keywordChanges(before, after, place, name);
  }
  return otherChanges(before, after, { path: place.path, more: place.more, kind: "tool-schema-changed" });
}

/** Descriptions, types and choices in words; all other keywords by path. */
function keywordChanges(
  before: JsonObject,
  after: JsonObject,
  place: SchemaPlace,
  name: string,
): readonly GraphChange[] {
  const { path, subject, more } = place;
  const found: GraphChange[] = [];
  const [wasText, isText] = [own(before, "description"), own(after, "description")];
  if (!isSame(wasText, isText) && (typeof wasText === "string" || typeof isText === "string"))
    found.push(
      changeOf({
        kind: "tool-reworded",
        path: [...path, "description"],
        ...more,
        before: wasText,
        after: isText,
        message: `${subject} describes ${name} differently: ${shownValue(isText ?? "")} instead of ${shownValue(wasText ?? "")}`,
        words: textParts(String(wasText ?? ""), String(isText ?? "")),
      }),
    );
  const change = (key: string, message: string) =>
    found.push(
      changeOf({
        kind: "tool-schema-changed",
        path: [...path, key],
        ...more,
        before: own(before, key),
        after: own(after, key),
        message: `${subject}: ${name} ${message}`,
      }),
    );
  if (!isSame(before.type, after.type))
    change("type", `is ${shownValue(after.type ?? "any type")} instead of ${shownValue(before.type ?? "any type")}`);
  const said = ["description", "type"];
  if (Array.isArray(before.enum) && Array.isArray(after.enum)) {
    said.push("enum");
    if (!isSame(before.enum, after.enum)) change("enum", `accepts ${choicesWords(before.enum, after.enum)}`);
  }
  const kept = typeof wasText === "string" || typeof isText === "string" ? said : said.slice(1);
  const other = otherChanges(omit(before, kept), omit(after, kept), { path, more, kind: "tool-schema-changed" });
  return [...found, ...other];
}

/** Which choices a list lost and gained, as the end of a sentence. */
export function choicesWords(before: readonly unknown[], after: readonly unknown[]): string {
  const has = (list: readonly unknown[], value: unknown) => list.some((each) => isSame(each, value));
  const texts = (list: readonly unknown[]) =>
    listedNames(list.map((each) => (typeof each === "string" ? each : JSON.stringify(each))));
  const added = after.filter((value) => !has(before, value));
  const removed = before.filter((value) => !has(after, value));
  const words = [
    added.length > 0 ? `now also ${texts(added)}` : "",
    removed.length > 0 ? `no longer ${texts(removed)}` : "",
  ].filter(Boolean);
  return words.join(" and ") || "the same values in another order";
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function typeWords(schema: unknown): string {
  return isRecord(schema) && typeof schema.type === "string" ? schema.type : "";
}
