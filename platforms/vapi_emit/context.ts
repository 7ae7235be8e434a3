import type { Path } from "../../src/errors.ts";
import { type AgentGraph, type AgentNode, checkEntry, type Transition } from "../../src/graph/mod.ts";
import { ALWAYS, type Guard } from "./guard.ts";
import { LossList } from "./losses.ts";
import { bareName, nameVariables, nodeOf, type VariableTable } from "./names.ts";
import { type CallState, type Plan, planGraph } from "./plan.ts";
import { reportAskedValues } from "./platform_values.ts";
import type { TextContext } from "./text.ts";

/** What everything that is emitted for one graph has in common. */
export interface EmitContext extends TextContext {
  readonly plan: Plan;
  /** Whether chains were to be merged. */
  readonly contract: boolean;
  readonly variables: VariableTable;
  readonly markers: Markers;
  /** Variables of which some equation asks whether they are set. */
  readonly asked: ReadonlySet<string>;
}

/** The emitter's own variables in the bag of a call, each made when it is first asked for. */
export class Markers {
  readonly #variables: VariableTable;
  readonly #names = new Map<string, string>();

  constructor(variables: VariableTable) {
    this.#variables = variables;
  }

  /** Set to `true` once the extract node's tool has run. */
  extracted(id: string): string {
    return this.#name(`extract ${id}`, `did_${id}`);
  }

  /** Set to `true` once the tool has answered. */
  answered(tool: string): string {
    return this.#name(`tool ${tool}`, `did_${tool}`);
  }

  /** Set to the name of the member that the caller came to the global node from. */
  origin(id: string): string {
    return this.#name(`global ${id}`, `from_${id}`);
  }

  /** Whether anything reads what {@link answered} sets. */
  isAnswerRead(tool: string): boolean {
    return this.#names.has(`tool ${tool}`);
  }

  #name(key: string, wanted: string): string {
    const name = this.#names.get(key) ?? this.#variables.fresh(wanted);
    this.#names.set(key, name);
    return name;
  }
}

/**
 * Lays the graph out for one emission.
 *
 * @throws {GraphError} `unknown-entry`: an assistant and a squad are nothing without it.
 */
export function createContext(
  graph: AgentGraph,
  options: { readonly inlineDefaults: boolean; readonly contract: boolean },
): EmitContext {
  checkEntry(graph, "Cannot emit graph");
  const losses = new LossList();
  const variables = nameVariables(graph);
  const markers = new Markers(variables);
  const state: CallState = {
    outcome: (node, transition) => outcomeGuard(node, transition, markers),
    hasOrigin: (id) => ({ kind: "clause", clause: { left: markers.origin(id), operator: "exists" } }),
  };
  const plan = planGraph(graph, state, options.contract);
  for (const [name, emitted] of variables.renamed)
    losses.emulated(
      "variable-renamed",
      ["variables", name],
      `Vapi has no place for a variable called "${name}"`,
      `the variable "${emitted}", in prompts, guards and aliases alike`,
      "Use letters, digits and underscores, at most 40, and none of Vapi's own names",
    );
  reportAskedValues(graph, variables.isOwn, losses);
  const asked = new Set(presenceClauses(graph).map(({ name }) => name));
  return { graph, losses, variables, markers, plan, asked, ...options };
}

/** Where the graph asks whether a variable is set. */
export function presenceClauses(graph: AgentGraph): readonly { readonly name: string; readonly path: Path }[] {
  return Object.values(graph.nodes).flatMap(({ id, transitions }) =>
    transitions.flatMap(({ condition }, index) =>
      (condition.type === "equation" ? (condition.equations ?? []) : [])
        .filter(({ operator }) => operator === "exists" || operator === "not_exist")
        .map(({ left }) => ({ name: bareName(left), path: ["nodes", id, "transitions", index] })),
    ),
  );
}

/** The tools whose outcome a `tool_call` transition waits for. */
export function awaitedTools(node: AgentNode, transition: Transition): readonly string[] {
  const named = transition.condition.value;
  const names = node.tools.map(({ name }) => name);
  if (named !== "") return [named];
  return node.node_type === "function" ? names.slice(0, 1) : names;
}

function outcomeGuard(node: AgentNode, transition: Transition, markers: Markers): Guard {
  const { outcome } = transition.condition;
  if (!outcome && node.node_type === "function") return ALWAYS;
  const answered = awaitedTools(node, transition).map(
    (name): Guard => ({ kind: "is", variable: markers.answered(name), value: "true" }),
  );
  const any: Guard = { kind: "any", guards: answered };
  return outcome === "failed" ? { kind: "not", guard: any } : any;
}

/** The nodes whose work a member does before it leads on: its own, and the silent ones on its ways out. */
export function workOf(id: string, context: EmitContext): readonly AgentNode[] {
  const ids = new Set([id, ...(context.plan.merged.get(id) ?? [])]);
  for (const route of context.plan.routes.get(id) ?? []) for (const passed of route.through) ids.add(passed);
  return [...ids].flatMap((each) => nodeOf(context.graph, each) ?? []);
}

/**
 * What says that a member's work is done, which is not so any more when the caller comes back to it: a second look-up may
 * fail where the first one did not.
 */
export function markersOf(id: string, context: EmitContext): readonly string[] {
  const { markers } = context;
  const names = workOf(id, context).flatMap((node) => [
    ...(node.node_type === "extract" && node.variables_to_extract.length > 0 ? [markers.extracted(node.id)] : []),
    ...node.tools.filter(({ name }) => markers.isAnswerRead(name)).map(({ name }) => markers.answered(name)),
  ]);
  return [...new Set(names)];
}
