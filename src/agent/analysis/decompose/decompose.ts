import { GraphError } from "../../../base/errors.ts";
import { checkOptions, OPTION, omit, own } from "../../../base/values/mod.ts";
import { bareName, placeholdersIn, rootName, snippetUses } from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  attachDefinition,
  checkEntry,
  definitionOf,
  goesOnAtOnce,
  ORIGINAL,
  originalOf,
  type SourceMetadata,
  type Transition,
  toGraph,
  workQuestion,
} from "../../../document/graph/mod.ts";
import { allTexts, componentsOf, conditionsOf, knownVariables } from "../facts/mod.ts";
import { cutParts } from "./cut.ts";
import { type Decomposition, type Handoff, isHandoff, type PartEntry } from "./manifest.ts";
import { type NumberedGraph, numbered } from "./shared_nodes.ts";

/** Options of {@link decompose}. */
export interface DecomposeOptions {
  /**
   * Maximum number of parts. There are fewer if the graph cannot be cut into so many parts of three nodes or more, and
   * more if global nodes lead to several places. Default: parts of about 20 nodes, with few transitions between them.
   */
  readonly parts?: number;
}

/**
 * Splits a graph into smaller agents along its own structure. Each part has one entry node, found by dominators, and
 * runs on its own; where it leads to another part, a transfer node stands for that part.
 *
 * Global nodes and ends are copied into the parts, with their go-backs. A part has the snippets and tools that it uses,
 * and all settings of the agent; only the main part has its begin message.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`, `invalid-option`.
 * @example
 * ```ts
 * import { flow } from "callweave";
 * import { compose, decompose } from "callweave/analysis";
 *
 * const clinic = flow("clinic")
 *   .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("book", "Wants a visit")] })
 *   .conversation("book", { prompt: "Book a visit." })
 *   .compile();
 * const { manifest, parts } = decompose(clinic, { parts: 2 });
 * const whole = compose({ manifest, parts });
 * ```
 */
export function decompose(source: AgentGraph, options: DecomposeOptions = {}): Decomposition {
  const action = "Cannot decompose a graph";
  const graph = toGraph(source, action);
  checkEntry(graph, action);
  checkOptions(options, { parts: OPTION.count }, GraphError, action);
  const plan = planOf(graph, options.parts);
  const entries = plan.names.map((name) => entryOf(graph, plan, name));
  const handoffs = entries.flatMap((entry) => handoffsOf(graph, plan, entry));
  const parts = entries.map((entry) => partOf(graph, plan, entry));
  const needs = variablesOfParts(
    entries.map(({ name }, index) => ({ name, graph: parts[index] ?? graph })),
    handoffs,
    graph,
  );
  const original = originalOf(graph);
  return {
    manifest: {
      main: plan.main,
      parts: entries.map((entry) => ({ ...entry, needs: needs.get(entry.name) ?? [] })),
      handoffs,
      order: Object.keys(graph.nodes),
      snippets: Object.keys(graph.snippets),
      ...(original ? { original } : {}),
    },
    parts: Object.fromEntries(entries.map(({ name }, index) => [name, parts[index] ?? graph])),
  };
}

/** Which part each node belongs to. */
interface PartPlan extends NumberedGraph {
  readonly main: string;
  /** Names of the parts, the main one first. */
  readonly names: readonly string[];
  /** Ids of the nodes that only a part has, by the part's name. */
  readonly nodesOf: ReadonlyMap<string, readonly string[]>;
  /** Ids of global nodes and of what only they lead to. */
  readonly globals: readonly string[];
  /** Whether a call can reach a node. */
  readonly isReached: (id: string) => boolean;
  /** The part of a node; `undefined` for one that parts have copies of. */
  readonly ownerOf: (id: string) => string | undefined;
  /** Names of the variables that hold the number of a part, for its transfer nodes. */
  readonly destinations: ReadonlyMap<string, string>;
}

function planOf(graph: AgentGraph, wanted: number | undefined): PartPlan {
  const numbers = numbered(graph);
  const owners = cutParts(numbers, wanted);
  const { ids, numberOf } = numbers;
  const main = graph.entry_node_id;
  const reached = new Set(numbers.order);
  const isReached = (id: string) => reached.has(numberOf.get(id) ?? 0);
  // what no call reaches stays with the main part, so that nothing is lost
  const ownerOf = (id: string) => (isReached(id) ? ids[owners[numberOf.get(id) ?? 0] ?? 0] || undefined : main);
  const nodesOf = new Map<string, string[]>([[main, []]]);
  for (const id of Object.keys(graph.nodes)) {
    const owner = ownerOf(id);
    if (owner !== undefined) nodesOf.get(owner)?.push(id) ?? nodesOf.set(owner, [id]);
  }
  const names = [...nodesOf.keys()];
  const globals = Object.values(graph.nodes).flatMap(({ id, global_node_setting: setting }) =>
    setting && ownerOf(id) === undefined ? [id] : [],
  );
  const taken = new Set<string>();
  const destinations = names.map((name) => {
    const plain = `handoff_${name.replace(/\W+/g, "_")}`;
    let free = plain;
    for (let count = 2; taken.has(free); count++) free = `${plain}_${count}`;
    taken.add(free);
    return [name, free] as const;
  });
  return { ...numbers, main, names, nodesOf, globals, isReached, ownerOf, destinations: new Map(destinations) };
}

function entryOf(graph: AgentGraph, plan: PartPlan, name: string): Omit<PartEntry, "needs"> {
  const nodes = plan.nodesOf.get(name) ?? [];
  const reached = new Set<string>();
  const open = [...nodes, ...plan.globals];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const { target_node_id: target } of own(graph.nodes, id)?.transitions ?? [])
      if (own(graph.nodes, target) && plan.ownerOf(target) === undefined) open.push(target);
  }
  return {
    name,
    nodes,
    shared: inOrder(
      [...reached].filter((id) => plan.ownerOf(id) === undefined),
      plan,
    ),
  };
}

function inOrder(ids: Iterable<string>, { numberOf }: NumberedGraph): readonly string[] {
  return [...new Set(ids)].toSorted((a, b) => (numberOf.get(a) ?? 0) - (numberOf.get(b) ?? 0));
}

function handoffsOf(graph: AgentGraph, plan: PartPlan, entry: Omit<PartEntry, "needs">): readonly Handoff[] {
  return [...entry.nodes, ...entry.shared].flatMap((id) =>
    (own(graph.nodes, id)?.transitions ?? []).flatMap((transition, index): readonly Handoff[] => {
      const target = own(graph.nodes, transition.target_node_id);
      const to = target && plan.ownerOf(target.id);
      if (to === undefined || to === entry.name || !plan.isReached(id)) return [];
      const node = own(graph.nodes, id);
      const destination = plan.destinations.get(to) ?? "";
      return [
        { from: entry.name, node_id: id, transition: index, to, waits: waits(node, transition, target), destination },
      ];
    }),
  );
}

/** Whether the target waits for the caller: a conversation node that is entered after the agent has spoken. */
function waits(node: AgentNode | undefined, transition: Transition, target: AgentNode | undefined): boolean {
  const { condition, timing } = transition;
  const isAfterSpeech = condition.type === "tool_call" || (condition.type === "always" && timing !== "else");
  return (
    node?.node_type === "conversation" && isAfterSpeech && target !== undefined && !goesOnAtOnce(transition, target)
  );
}

function partOf(graph: AgentGraph, plan: PartPlan, { name, nodes, shared }: Omit<PartEntry, "needs">): AgentGraph {
  const members = new Set([...nodes, ...shared]);
  const targets = [...members].flatMap(
    (id) => own(graph.nodes, id)?.transitions.map((each) => each.target_node_id) ?? [],
  );
  // calls start at a global node: the other parts offer it, too, and hand over to it
  const isOffered = name !== plan.main && Boolean(own(graph.nodes, plan.main)?.global_node_setting);
  const kept = inOrder([...members, ...targets, ...(isOffered ? [plan.main] : [])], plan).flatMap((id) => {
    const node = own(graph.nodes, id);
    return node ? [[id, members.has(id) ? node : standIn(node, plan)] as const] : [];
  });
  const part = { ...graph, entry_node_id: name, nodes: Object.fromEntries(kept) };
  const isMain = name === plan.main;
  const used = snippetsUsedBy(part);
  const everywhere = isMain ? snippetsUsedBy(graph) : used;
  const snippets = Object.entries(graph.snippets).filter(
    ([each]) => used.has(each) || (!everywhere.has(each) && isMain),
  );
  const definition = definitionOf(graph);
  const source_metadata = headOf(graph.source_metadata, name, isMain);
  const made = { ...part, source_metadata, snippets: Object.fromEntries(snippets) };
  if (!definition) return made;
  return attachDefinition(made, isMain ? definition : { ...definition, name: `${definition.name} ${name}` });
}

function snippetsUsedBy(graph: AgentGraph): ReadonlySet<string> {
  return new Set(snippetUses(graph).map(({ name }) => name));
}

/** A transfer node that stands for a node of another part: it hands the call over to it. */
function standIn({ id, global_node_setting: setting }: AgentNode, { ownerOf, destinations }: PartPlan): AgentNode {
  const part = ownerOf(id) ?? id;
  return {
    id,
    node_type: "transfer",
    state_prompt: "",
    tools: [],
    transitions: [],
    variables_to_extract: [],
    ...(setting ? { global_node_setting: { condition: setting.condition, go_back_conditions: [] } } : {}),
    transfer_to: `{{${destinations.get(part) ?? ""}}}`,
    metadata: { callweave: { handoff: part } },
  };
}

/** Settings of a part: only the main one keeps the begin message. */
function headOf(source: SourceMetadata, name: string, isMain: boolean): SourceMetadata {
  const head = omit(source, isMain ? [ORIGINAL] : [ORIGINAL, "begin_message", "start_speaker"]);
  return isMain || !source.name ? head : { ...head, name: `${source.name} ${name}` };
}

/** Variables that each part, or one that it can hand over to, reads. */
function variablesOfParts(
  parts: readonly { readonly name: string; readonly graph: AgentGraph }[],
  handoffs: readonly Handoff[],
  whole: AgentGraph,
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(knownVariables(whole).keys());
  const needs = new Map(parts.map(({ name, graph }) => [name, readBy(graph)]));
  const showsAll = new Set(parts.filter(({ graph }) => showsEveryVariable(graph)).map(({ name }) => name));
  const next = new Map(parts.map(({ name }) => [name, [] as string[]]));
  for (const { from, to } of handoffs) next.get(from)?.push(to);
  const found = new Map<string, readonly string[]>();
  // parts that hand over to each other need the same variables; those that only receive calls come last
  for (const members of componentsOf(next).toReversed()) {
    const all = new Set(members.some((name) => showsAll.has(name)) ? known : []);
    for (const name of members) for (const variable of needs.get(name) ?? []) all.add(variable);
    for (const other of new Set(members.flatMap((name) => next.get(name) ?? [])))
      for (const variable of found.get(other) ?? []) all.add(variable);
    const list = [...all].toSorted();
    for (const name of members) found.set(name, list);
  }
  return found;
}

/** A node that asks the model for a tool's arguments shows it every variable. */
function showsEveryVariable(graph: AgentGraph): boolean {
  return Object.values(graph.nodes).some((node) => workQuestion(node) === "arguments");
}

function readBy(graph: AgentGraph): Set<string> {
  const read = new Set<string>();
  const nodes = Object.values(graph.nodes).filter((node) => !isHandoff(node));
  for (const node of nodes) {
    for (const text of allTexts(node)) for (const name of placeholdersIn(text)) read.add(rootName(name));
    for (const [, { equations }] of conditionsOf(node.id, node))
      for (const { left } of equations ?? []) read.add(bareName(left));
  }
  for (const text of [...Object.values(graph.snippets), graph.source_metadata.general_prompt ?? ""])
    for (const name of placeholdersIn(text)) read.add(rootName(name));
  return read;
}
