import { isRecord, omit, own } from "../../../../base/values/mod.ts";
import { snippetsIn } from "../../../../document/expressions/mod.ts";
import { type AgentGraph, ORIGINAL } from "../../../../document/graph/mod.ts";
import {
  type ChangeKind,
  changeOf,
  type GraphChange,
  type NewChange,
  shortQuote,
  shownValue,
  textParts,
} from "../change_kinds.ts";
import { isSame } from "../matching/mod.ts";
import { reworded } from "./node_changes.ts";
import { otherChanges } from "./other_changes.ts";

const KNOWN = ["nodes", "entry_node_id", "source_metadata", "snippets", "default_model"];

/** The changes outside of nodes: entry, prompt, opening, settings, model and snippets. `before` has the later ids. */
export function agentChanges(before: AgentGraph, after: AgentGraph): readonly GraphChange[] {
  const found: GraphChange[] = [];
  if (before.entry_node_id !== after.entry_node_id)
    found.push(
      changeOf({
        kind: "entry-moved",
        path: ["entry_node_id"],
        before: before.entry_node_id,
        after: after.entry_node_id,
        message: `Calls start at ${shortQuote(after.entry_node_id)} instead of ${shortQuote(before.entry_node_id)}`,
      }),
    );
  if (!isSame(before.default_model, after.default_model)) {
    const [old, now] = [before.default_model ?? undefined, after.default_model ?? undefined];
    const words = `${shownValue(now ?? "the default")} instead of ${shownValue(old ?? "the default")}`;
    found.push(
      changeOf({
        kind: "model-changed",
        path: ["default_model"],
        before: old,
        after: now,
        message: `The agent's model is ${words}`,
      }),
    );
  }
  found.push(...settingChanges(before, after), ...snippetChanges(before, after));
  const origin = otherChanges(
    { source_type: before.source_type },
    { source_type: after.source_type },
    { path: [], kind: "rewritten" },
  );
  const rest = [...KNOWN, "source_type"];
  return [...found, ...origin, ...otherChanges(omit({ ...before }, rest), omit({ ...after }, rest), { path: [] })];
}

const SETTINGS: ReadonlyMap<string, ChangeKind> = new Map([
  ["name", "name-changed"],
  ["begin_message", "opening-changed"],
  ["start_speaker", "opening-changed"],
  ["language", "setting-changed"],
  ["voice", "setting-changed"],
  ["default_dynamic_variables", "setting-changed"],
]);
const TITLES: ReadonlyMap<string, string> = new Map([
  ["general_prompt", "The agent's prompt"],
  ["begin_message", "The agent's first message"],
]);

function settingChanges(before: AgentGraph, after: AgentGraph): readonly GraphChange[] {
  const earlier = omit(before.source_metadata, [ORIGINAL]);
  const later = omit(after.source_metadata, [ORIGINAL]);
  return [...new Set([...Object.keys(later), ...Object.keys(earlier)])].flatMap((key): readonly GraphChange[] => {
    const [old, now] = [own(earlier, key), own(later, key)];
    const path = ["source_metadata", key];
    const title = TITLES.get(key);
    const kind = SETTINGS.get(key) ?? (isRecord(old) || isRecord(now) ? "platform-changed" : "other-changed");
    const isText = typeof (old ?? "") === "string" && typeof (now ?? "") === "string";
    if (isSame(old, now)) return [];
    if (!title || !isText) return otherChanges(old, now, { path, kind });
    const [text, newText] = [String(old ?? ""), String(now ?? "")];
    const isOpening = key === "begin_message";
    const words = textParts(text, newText);
    // an empty first message differs from an absent one: if it is empty, the caller speaks first
    const message = isOpening ? opening(old ?? undefined, now ?? undefined) : `${title} is ${reworded(text, newText)}`;
    const values = { ...(old == null ? {} : { before: old }), ...(now == null ? {} : { after: now }) };
    return [changeOf({ kind: isOpening ? "opening-changed" : "prompt-changed", path, ...values, message, words })];
  });
}

function opening(before: unknown, after: unknown): string {
  const words = (text: unknown) =>
    text === undefined
      ? "the entry node speaks first"
      : text === ""
        ? "the caller speaks first"
        : `the agent says ${shortQuote(String(text))}`;
  return `Calls begin differently: ${words(after)}, before ${words(before)}`;
}

function snippetChanges(before: AgentGraph, after: AgentGraph): readonly GraphChange[] {
  const [earlier, later] = [before.snippets, after.snippets];
  if (isSame(earlier, later)) return [];
  const users = usersOf(before, after);
  return [...new Set([...Object.keys(later), ...Object.keys(earlier)])].flatMap((name): GraphChange[] => {
    const [old, now] = [own(earlier, name), own(later, name)];
    if (old === now) return [];
    const nodes = users.everywhere.has(name) ? undefined : [...(users.nodes.get(name) ?? [])];
    const common = { path: ["snippets", name], ...(nodes ? { nodes } : {}) };
    const change = (kind: ChangeKind, message: string, values: Partial<NewChange>) => [
      changeOf({ kind, ...common, message: `Snippet ${shortQuote(name)} ${message}`, ...values }),
    ];
    if (old === undefined) return change("snippet-added", "is new", { after: now });
    if (now === undefined) return change("snippet-removed", "is gone", { before: old });
    const words = textParts(old, now);
    return change("snippet-changed", `is ${reworded(old, now)}`, { before: old, after: now, words });
  });
}

/** Where snippets are used: in texts that every call meets, and in texts of nodes. */
interface SnippetUsers {
  readonly everywhere: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, ReadonlySet<string>>;
}

function usersOf(...graphs: readonly AgentGraph[]): SnippetUsers {
  const everywhere = new Set<string>();
  const users = new Map<string, Set<string>>();
  for (const { source_metadata: source, nodes, snippets } of graphs) {
    const shared = [source.general_prompt, source.begin_message, ...Object.values(snippets)]; // nested ones too
    for (const text of shared) for (const name of snippetsIn(text ?? "")) everywhere.add(name);
    for (const [id, node] of Object.entries(nodes)) {
      for (const name of snippetsIn(node.global_node_setting?.condition ?? "")) everywhere.add(name);
      for (const text of [node.state_prompt, ...node.transitions.map(({ condition }) => condition.value)])
        for (const name of snippetsIn(text)) users.set(name, (users.get(name) ?? new Set()).add(id));
    }
  }
  return { everywhere, nodes: users };
}
