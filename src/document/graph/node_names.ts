import { isRecord } from "../../base/values/mod.ts";
import type { AgentGraph, AgentNode } from "./types.ts";

/** Ids that a dashboard made, such as `node-1759299298668`; no text means anything else by them. */
const MADE = /\d{5}|[0-9a-f]{8}-[0-9a-f]{4}-/i;
/** A text in quotes, or a word that can be such an id. */
const QUOTED_OR_WORD = /"([^"\n]+)"|[\w-]+/g;

/** How people call the nodes of a graph. */
export interface NodeNames {
  /** The name of a node; its id, if it has no other name. */
  readonly of: (id: string) => string;
  /** A text of Callweave's with names instead of the ids of nodes. */
  readonly inText: (text: string) => string;
  /** A report or result with names instead of the ids of nodes, for people to read. What was spoken stays. */
  readonly inResult: <T>(value: T) => T;
}

/**
 * The names that a platform's dashboard gives to nodes, instead of their ids. Names that several nodes have are followed
 * by the id. Nodes of a flow in code have no other name than their id.
 */
export function nodeNames(graph: AgentGraph): NodeNames {
  const byId = Object.entries(graph.nodes).map(([id, node]) => [id, platformName(node) ?? id] as const);
  const counts = new Map<string, number>();
  for (const [, name] of byId) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = new Map(
    byId.flatMap(([id, name]) => (name === id ? [] : [[id, counts.get(name) === 1 ? name : `${name} (${id})`]])),
  );
  if (names.size === 0) return { of: (id) => id, inText: (text) => text, inResult: (value) => value };
  const others = otherNames(graph);
  const own: Pick<NodeNames, "of" | "inText"> = {
    of: (id) => names.get(id) ?? id,
    inText: (text) =>
      text.replace(QUOTED_OR_WORD, (found: string, quoted: string | undefined) => {
        if (quoted === undefined) return MADE.test(found) ? (names.get(found) ?? found) : found;
        const name = others.has(quoted) ? undefined : names.get(quoted);
        return name === undefined
          ? `"${quoted.replace(/[\w-]+/g, (word) => (MADE.test(word) ? (names.get(word) ?? word) : word))}"`
          : `"${name}"`;
      }),
  };
  return {
    ...own,
    inResult: <T>(value: T) => named(value, "", own) as T, // strings become strings, everything else keeps its shape
  };
}

/** Keys whose value is the id of a node, or a list of ids. */
const NODE_KEYS: ReadonlySet<string> = new Set(["node_id", "nodeId", "nodesVisited"]);
/** Keys whose texts are for programs. */
const OTHER_KEYS: ReadonlySet<string> = new Set([
  "id",
  "runId",
  "code",
  "path",
  "witness",
  "name",
  "scenario",
  "variables",
]);

/** Like {@link NodeNames.inResult}, for one value of a graph. */
export function withNodeNames<T>(value: T, graph: AgentGraph): T {
  return nodeNames(graph).inResult(value);
}

function named(value: unknown, key: string, names: Pick<NodeNames, "of" | "inText">): unknown {
  if (typeof value === "string") return NODE_KEYS.has(key) ? names.of(value) : names.inText(value);
  if (Array.isArray(value)) return value.map((each) => named(each, key, names));
  if (!isRecord(value)) return value;
  const { role, metadata, content } = value;
  if (isRecord(metadata) && metadata.kind === "transition" && typeof content === "string") {
    const [from, to] = [metadata.from, metadata.to].map(String);
    const [shownFrom, shownTo] = [from, to].map((id) => names.of(id ?? ""));
    const moved = { ...metadata, from: shownFrom, to: shownTo };
    const shown = content.replace(`${from} -> ${to}`, () => `${shownFrom} -> ${shownTo}`);
    return { ...value, node_id: names.of(String(value.node_id)), metadata: moved, content: names.inText(shown) };
  }
  const isSpoken = role === "user" || role === "assistant";
  return Object.fromEntries(
    Object.entries(value).map(([own, each]) => {
      const isKept = OTHER_KEYS.has(own) || (isSpoken && own === "content");
      return [own, isKept ? each : named(each, own, names)];
    }),
  );
}

function platformName({ id, metadata }: AgentNode): string | undefined {
  const [name] = Object.values(metadata).flatMap((owned) =>
    isRecord(owned) && typeof owned.name === "string" && owned.name.trim() !== "" ? [owned.name.trim()] : [],
  );
  return name === id ? undefined : name;
}

/** Names of tools, variables and snippets, which a quoted text may mean. */
function otherNames({ nodes, snippets }: AgentGraph): ReadonlySet<string> {
  return new Set([
    ...Object.keys(snippets),
    ...Object.values(nodes).flatMap(({ tools, variables_to_extract: variables }) => [
      ...tools.map(({ name }) => name),
      ...variables.flatMap(({ name, choices }) => [name, ...(choices ?? [])]),
    ]),
  ]);
}
