import { type Client, createClient } from "@libsql/client";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { createIdSource, type NewResult, type NewRun, openStore, type Store } from "../../src/run/store/mod.ts";
import { bigGraph } from "../analysis/big_graph.ts";
import { scenarioOf } from "./requests.ts";

/** How large a database is. */
export interface DatabaseSize {
  /** Results of all runs. */
  readonly results: number;
  /** Large runs, for measurements of which each needs a run that nobody has read yet. */
  readonly largeRuns: number;
  /** Results of a large run. */
  readonly largeResults: number;
  /** Results of each of the first two runs, of which all others have copies. */
  readonly templateResults: number;
  /** Results of every other run. */
  readonly smallResults: number;
  readonly scenarios: number;
  /** Nodes of the agent. */
  readonly nodes: number;
}

/** What a database has. */
export interface MadeDatabase {
  readonly agent: string;
  /** Ids of the large runs, oldest first. */
  readonly large: readonly string[];
  /** Number of nodes of the agent. */
  readonly nodes: number;
}

const AGENT = "help desk";
const BRANCHES = ["main", "shorter-greeting", "new-tools"];
/** Results that are copied in one transaction. */
const BATCH = 500;

/**
 * Stores two runs as `callweave run` does, and copies of their results as further runs: small ones, and then the large
 * ones. The database's triggers do for copies what they do for every result.
 */
export async function makeDatabase(url: string, size: DatabaseSize): Promise<MadeDatabase> {
  await using store = await openStore(url, { spool: false });
  const graph = bigGraph(size.nodes);
  const nodes = Object.keys(graph.nodes);
  const nextId = createIdSource();
  const client = createClient({ url: `file:${url}` });
  try {
    const templates: ResultIds[] = [];
    const large: string[] = [];
    for (const [index, count] of runSizes(size).entries()) {
      const { id } = await store.startRun(newRun(graph, index, Math.ceil(count / size.scenarios)));
      const template = templates[index % 2];
      if (template) await copyResults(client, { run: id, count, template, nextId, scenarios: size.scenarios });
      else templates.push(await storeResults(store, id, { index, nodes, size }));
      await store.finishRun(id);
      if (count === size.largeResults) large.push(id);
    }
    return { agent: AGENT, large, nodes: nodes.length };
  } finally {
    client.close();
  }
}

/** Number of results of each run, oldest first. */
function runSizes({ results, largeRuns, largeResults, templateResults, smallResults }: DatabaseSize): number[] {
  const left = results - 2 * templateResults - largeRuns * largeResults;
  const small = Array.from({ length: Math.ceil(left / smallResults) }, () => smallResults);
  const large = Array.from({ length: largeRuns }, () => largeResults);
  return [templateResults, templateResults, ...small, ...large];
}

function newRun(graph: AgentGraph, index: number, repeat: number): NewRun {
  const labels = {
    commit: index.toString(16).padStart(40, "0"),
    branch: BRANCHES[index % BRANCHES.length] ?? "",
    environment: index % 2 === 0 ? "staging" : "production",
    tags: ["nightly", ...(index % 5 === 0 ? ["release"] : [])],
  };
  return {
    kind: "simulated",
    agent: AGENT,
    graph,
    models: { agent: "offline", caller: "offline", judge: "offline" },
    options: { repeat, labels },
  };
}

type ResultIds = readonly string[];

interface ResultParts {
  readonly index: number;
  readonly nodes: readonly string[];
  readonly size: DatabaseSize;
}

async function storeResults(store: Store, run: string, parts: ResultParts): Promise<ResultIds> {
  const added = Array.from({ length: parts.size.templateResults }, (_, place) => resultOf(place, parts));
  const stored = await Promise.all(added.map((result) => store.addResult(run, result)));
  return stored.map(({ id }) => id);
}

const COPY_RESULT = `INSERT INTO callweave_results (id, run_id, scenario, trial, attempt, status, started_at, turn_count,
    duration_ms, end_reason, error_message)
  SELECT ?1, ?2, scenario, trial + ?3, attempt, status, started_at, turn_count, duration_ms, end_reason, error_message
  FROM callweave_results WHERE id = ?4`;
const COPY_DETAILS = `INSERT INTO callweave_result_details (result_id, transcript, verdicts, checks, nodes_visited,
    tools_called, variables, usage, extra)
  SELECT ?1, transcript, verdicts, checks, nodes_visited, tools_called, variables, usage, extra
  FROM callweave_result_details WHERE result_id = ?2`;

interface Copying {
  readonly run: string;
  readonly count: number;
  readonly template: ResultIds;
  readonly nextId: () => string;
  readonly scenarios: number;
}

/** Copies the results of a template, again and again until there are enough; each time with later trials. */
async function copyResults(client: Client, { run, count, template, nextId, scenarios }: Copying): Promise<void> {
  const trials = Math.ceil(template.length / scenarios);
  for (let from = 0; from < count; from += BATCH) {
    const statements = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) => {
      const place = from + offset;
      const [id, of] = [nextId(), template[place % template.length] ?? ""];
      return [
        { sql: COPY_RESULT, args: [id, run, Math.floor(place / template.length) * trials, of] },
        { sql: COPY_DETAILS, args: [id, of] },
      ];
    });
    await client.batch(statements.flat(), "write");
  }
}

/** A result: nine out of ten pass, some scenarios less often, and in later runs a few more. */
function resultOf(place: number, { index: run, nodes: ids, size }: ResultParts): NewResult {
  const scenario = place % size.scenarios;
  const number = mixed(run * 1_000_003 + place);
  const passed = number % 100 < 90 - (scenario % 7) * 3 + (scenario % 11 === 0 ? run % 20 : 0);
  const startedAt = new Date(Date.UTC(2026, 0, 1) + run * 3_600_000 + place * 250);
  const nodes = Array.from({ length: 6 }, (_, step) => ids[(scenario * 5 + step) % ids.length] ?? "");
  const transcript = nodes.flatMap((node_id, turn) => {
    const at = { node_id, timestamp: new Date(startedAt.getTime() + turn * 1_000).toISOString() };
    return [
      { ...at, role: "assistant" as const, content: `${sentence(number + turn)}?`, metadata: {} },
      { ...at, role: "user" as const, content: `${sentence(number * 3 + turn + 17)}.`, metadata: {} },
    ];
  });
  const verdict = (criterion: string, isMet: boolean) => ({
    criterion,
    requirement: `The agent is ${criterion} in every one of its lines`,
    evidence: transcript[2]?.content ?? "",
    reasoning: `Line 3 shows it: ${sentence(number + 5)}`,
    score: isMet ? 0.9 : 0.4,
    confidence: number % 13 === 0 ? 0.5 : 0.9,
    threshold: 0.7,
    passed: isMet,
  });
  return {
    scenario: scenarioOf(scenario),
    trial: Math.floor(place / size.scenarios) + 1,
    attempt: 1,
    status: passed ? "pass" : "fail",
    startedAt: startedAt.toISOString(),
    transcript,
    verdicts: [verdict("polite", true), verdict("correct", passed), verdict("brief", number % 3 > 0)],
    checks: [{ kind: "includes", expected: "order", passed, reason: "said in turn 2" }],
    nodesVisited: nodes,
    toolsCalled: [
      {
        ...{ name: "look_up_1", arguments: { id: number }, result: { found: true }, outcome: "succeeded" as const },
        ...{ durationMs: 12, nodeId: nodes[0] ?? "", mocked: true },
      },
    ],
    variables: { topic_1: "order", amount_1: number % 500 },
    turnCount: 6,
    durationMs: 4_000 + (number % 900),
    usage: { calls: 9, inputTokens: 4_000, outputTokens: 300, modelMs: 3_000 },
    endReason: "agent_ended",
    errorMessage: null,
  };
}

/** A number that looks like another one for each number. */
function mixed(seed: number): number {
  const high = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return (Math.imul(high ^ (high >>> 12), 0x297a2d39) >>> 0) % 1_000_003;
}

const WORDS =
  "the order parcel invoice address repair doctor table street number caller agent morning evening please thanks wait refund manager delivery name date price window garden Müller naïve 12345".split(
    " ",
  );

/** Words that depend on a number: common ones, and one that few calls have. */
function sentence(seed: number): string {
  const words = Array.from({ length: 14 }, (_, index) => WORDS[(seed * (index + 3) + index * index) % WORDS.length]);
  return `${words.join(" ")} ref${(seed * 31) % 9_973}`;
}
