import type { AgentGraph } from "../../../../document/graph/mod.ts";
import type { Policy } from "../../../../document/scenario/mod.ts";
import { askChild } from "../../../project/mod.ts";
import type { StudioPolicyDecision } from "../../api/mod.ts";
import { undecided } from "./policy_decisions.ts";
import type { ShownParts } from "./shown_parts.ts";

/** What the process of {@link createGraphWork} is asked. */
export type GraphQuestion =
  | { readonly ask: "show"; readonly graph: AgentGraph }
  | { readonly ask: "decide"; readonly graph: AgentGraph; readonly policies: readonly Policy[] };

/** Asks a process; `undefined` when the signal stopped it. */
export type AskProcess = (question: GraphQuestion, signal: AbortSignal) => ReturnType<typeof askChild>;

/** Work on graphs that takes up to a minute: processes do it, so that the server goes on answering. */
export interface GraphWork {
  /** A graph, its picture and its findings, without secrets. They stay in memory as long as the graph. */
  readonly show: (graph: AgentGraph) => Promise<ShownParts>;
  /** Decides the policies of the project's agent. A search for an earlier version of it is stopped. */
  readonly decide: (graph: AgentGraph, policies: readonly Policy[]) => Promise<readonly StudioPolicyDecision[]>;
}

interface Search {
  readonly graph: AgentGraph;
  readonly stop: AbortController;
  readonly found: Promise<readonly StudioPolicyDecision[]>;
}

/**
 * Creates what starts these processes: one at a time for pictures, and one for policies.
 *
 * @param signal Stops them.
 */
export function createGraphWork(signal: AbortSignal, ask: AskProcess = askGraphChild): GraphWork {
  const shown = new WeakMap<AgentGraph, Promise<ShownParts>>();
  let drawing: Promise<unknown> = Promise.resolve();
  let search: Search | undefined;

  async function draw(graph: AgentGraph): Promise<ShownParts> {
    const answer = await ask({ ask: "show", graph }, signal);
    if (answer && "message" in answer) return answer.message as ShownParts; // of graph_child.ts
    throw new Error(`Cannot draw an agent: ${answer?.problem ?? "the server stops"}`);
  }

  async function decide(
    graph: AgentGraph,
    policies: readonly Policy[],
    stop: AbortSignal,
  ): Promise<readonly StudioPolicyDecision[]> {
    const answer = await ask({ ask: "decide", graph, policies }, AbortSignal.any([signal, stop]));
    if (answer && "message" in answer) return answer.message as readonly StudioPolicyDecision[]; // of graph_child.ts
    const reason = answer?.problem ?? "the agent was changed meanwhile";
    return policies.map(({ name }) => ({ ...undecided(name), reason }));
  }

  return {
    show: (graph) => {
      const known = shown.get(graph);
      if (known) return known;
      const made = drawing.then(() => draw(graph));
      drawing = made.catch(() => shown.delete(graph));
      shown.set(graph, made);
      return made;
    },
    decide: (graph, policies) => {
      if (policies.length === 0) return Promise.resolve([]);
      if (search?.graph === graph) return search.found;
      search?.stop.abort();
      const stop = new AbortController();
      search = { graph, stop, found: decide(graph, policies, stop.signal) };
      return search.found;
    },
  };
}

const askGraphChild: AskProcess = (question, signal) =>
  askChild({
    script: new URL("./graph_child", import.meta.url),
    request: question,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal,
  });
