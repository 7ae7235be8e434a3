import { basename } from "node:path";
import { type AgentGraph, fingerprint } from "../../../../document/graph/mod.ts";
import type { Policy } from "../../../../document/scenario/mod.ts";
import { graphWithoutSecrets } from "../../../../document/secrets/mod.ts";
import { askChild, changedFiles } from "../../../project/mod.ts";
import type { StudioAgentSummary } from "../../api/mod.ts";
import { createLatest, listAgents, type StudioData } from "../../data/mod.ts";
import { unknownThing } from "../answers.ts";
import type { EventFeed } from "../event_feed.ts";
import type { ShownParts } from "./shown_parts.ts";

/** The agent of a project, and where its scenarios are. */
export interface AgentQuestion {
  readonly path: string;
  readonly exportName: string | undefined;
  readonly format: string | undefined;
  readonly scenarioFiles: readonly string[];
  /** Default: the policies that the agent's module exports. */
  readonly policyFiles?: readonly string[];
}

/** Why an agent's source cannot be used. */
export type SourceProblem = NonNullable<StudioAgentSummary["problem"]>;

/** The answer of the process that loads an agent. */
export type LoadedAgent =
  | {
      readonly name: string;
      readonly format: string;
      readonly graph: AgentGraph;
      readonly shown: ShownParts;
      /** Name under which the module exports the graph; `null` if it cannot be imported. */
      readonly flow: string | null;
      readonly scenarios: readonly { readonly name: string; readonly tags: string[] }[];
      readonly policies: readonly Policy[];
    }
  | { readonly problem: SourceProblem };

/** An agent with a source, as it was when it could be loaded last. */
export interface SourceAgent extends AgentQuestion {
  readonly loaded: Extract<LoadedAgent, { readonly graph: AgentGraph }> | undefined;
  readonly problem: SourceProblem | null;
}

/** Number of agents without a source whose size stays in memory: their graphs would not. */
const MOST_AGENTS = 1_000;

/** The agents of a project, and those that only runs know. */
export interface Agents {
  /** Names of all agents, the project's first. */
  readonly list: () => Promise<readonly StudioAgentSummary[]>;
  /**
   * An agent by its id.
   *
   * @throws {StudioError} `unknown-agent`.
   */
  readonly find: (id: string) => Promise<FoundAgent>;
  /** The project's agent; `undefined` if the project has none. */
  readonly source: () => Promise<SourceAgent | undefined>;
}

/** An agent: one with a source, or the one of a run. */
export interface FoundAgent {
  readonly summary: StudioAgentSummary;
  readonly source: SourceAgent | undefined;
  /** Id of its newest run; `undefined` without one. */
  readonly newestRun: string | undefined;
}

/**
 * Loads the agent of a project, and again whenever it, or a file that it imports, is saved.
 *
 * @param question `undefined`: the project has no agent.
 * @param signal Stops it.
 */
export function createAgents(
  data: StudioData,
  question: AgentQuestion | undefined,
  { feed, signal }: { readonly feed: Pick<EventFeed, "add">; readonly signal: AbortSignal },
): Agents {
  let current: Promise<SourceAgent | undefined> = Promise.resolve(undefined);
  let latest: SourceAgent | undefined;
  const nodeCounts = createLatest<number>(MOST_AGENTS);
  if (question) {
    let begin = () => {};
    current = new Promise((resolve) => {
      begin = () => resolve(latest);
    });
    signal.addEventListener("abort", () => begin(), { once: true });
    void follow(question, () => begin());
  }

  async function follow(asked: AgentQuestion, begun: () => void): Promise<void> {
    let loading = new AbortController();
    let isFirst = true;
    for await (const _ of changedFiles([asked.path, ...asked.scenarioFiles, ...(asked.policyFiles ?? [])], signal)) {
      loading.abort(); // what it loads is old
      loading = new AbortController();
      const wasFirst = isFirst;
      isFirst = false;
      void loadAgent(asked, AbortSignal.any([signal, loading.signal])).then(async (answer) => {
        if (!answer) return;
        latest =
          "problem" in answer
            ? { ...asked, loaded: latest?.loaded, problem: answer.problem }
            : { ...asked, loaded: answer, problem: null };
        current = Promise.resolve(latest);
        begun();
        if (!wasFirst && !signal.aborted) await feed.add({ type: "source-changed", agent: nameOf(latest) });
      }, begun);
    }
  }

  async function list(): Promise<readonly StudioAgentSummary[]> {
    const [known, source] = await Promise.all([listAgents(data), current]);
    const own = source && summaryOf(source);
    const others = await Promise.all(
      known
        .filter(({ agent }) => agent !== own?.id)
        .map(async ({ agent, runs, fingerprint: hash, newest }): Promise<StudioAgentSummary> => {
          const count = async () => Object.keys((await data.graphOf(hash, newest)).nodes).length;
          const nodes = await nodeCounts(hash, count).catch(() => 0); // deleted meanwhile
          return { id: agent, name: agent, format: null, nodes, source: null, fingerprint: hash, problem: null, runs };
        }),
    );
    const runs = known.find(({ agent }) => agent === own?.id)?.runs ?? 0;
    return own ? [{ ...own, runs }, ...others] : others;
  }

  return {
    list,
    source: () => current,
    find: async (id) => {
      const [known, source] = await Promise.all([listAgents(data), current]);
      const found = known.find(({ agent }) => agent === id);
      const summary = (await list()).find((each) => each.id === id);
      if (!summary) throw unknownThing("agent", id, "List the agents: GET /api/v1/project");
      return { summary, source: source && nameOf(source) === id ? source : undefined, newestRun: found?.newest };
    },
  };
}

function nameOf({ loaded, path }: SourceAgent): string {
  return loaded?.name ?? basename(path);
}

function summaryOf(source: SourceAgent): StudioAgentSummary {
  const { loaded, problem, path } = source;
  const name = nameOf(source);
  return {
    id: name,
    name,
    format: loaded?.format ?? null,
    nodes: Object.keys(loaded?.graph.nodes ?? {}).length,
    source: path,
    fingerprint: loaded ? fingerprint(loaded.graph) : null,
    problem,
    runs: 0,
  };
}

/** Loads an agent in a process of its own, so that every save loads all modules afresh. */
export async function loadAgent(question: AgentQuestion, signal: AbortSignal): Promise<LoadedAgent | undefined> {
  const script = new URL("./agent_child", import.meta.url);
  const answer = await askChild({ script, request: question, stdio: ["ignore", "ignore", "ignore", "ipc"], signal });
  if (!answer) return undefined;
  if ("problem" in answer) {
    const message = `Cannot load "${question.path}": ${answer.problem}`;
    return { problem: { code: "module-failed", message, path: [], hint: "Fix the agent's source" } };
  }
  return answer.message as LoadedAgent; // of agent_child.ts
}

/** A graph as the studio shows it: requests and tools may contain keys. */
export function shownGraph(graph: AgentGraph): AgentGraph {
  return graphWithoutSecrets(graph);
}
