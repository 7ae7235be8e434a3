import { coverage, coverageMarks, diffGraphs } from "../../../agent/analysis/mod.ts";
import { check } from "../../../agent/check/mod.ts";
import { drawAddressed } from "../../../agent/draw/mod.ts";
import { StudioError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { quantile } from "../../../base/statistics/mod.ts";
import { type AgentGraph, type Finding, fingerprint, nodeNames } from "../../../document/graph/mod.ts";
import type { ResultRecord, RunRecord } from "../../../run/store/mod.ts";
import type { StudioAnswer } from "../api/mod.ts";
import { countsKey, listCalls, newestRun, rateOf } from "../data/mod.ts";
import { type FoundAgent, type SourceAgent, shownGraph } from "./agents.ts";
import type { Seen, Studio } from "./studio.ts";

/** Calls that the figures of an agent are of: the newest ones of the run. */
const MOST_CALLS = 500;
/** Calls that are read at a time. */
const PAGE = 50;

/** An agent with its picture, and what the calls of a run showed of each node. */
export async function agentAnswer(
  studio: Studio,
  id: string,
  runId: string | undefined,
): Promise<StudioAnswer<"agent">> {
  const { data } = studio;
  const found = await studio.agents.find(id);
  const loaded = found.source?.loaded;
  const graph = loaded?.graph ?? (await graphOfRun(studio, found));
  const own = fingerprint(graph);
  const named =
    runId === undefined ? await newestRun(data, found.summary.name, own) : (await data.store.findRun(runId)).id;
  const run = named === undefined ? undefined : await data.store.findRun(named);
  const isSameVersion = run?.graphFingerprint === own;
  const { figures, coverage: counted } = run
    ? await studio.seen(`${own} ${countsKey(run.id, run.counts)}`, () => seenIn(studio, graph, run, isSameVersion))
    : { figures: figuresOf(graph, []), coverage: null };
  return {
    ...found.summary,
    ...shownParts(graph, loaded),
    figures,
    coverage: counted,
    run: run?.id ?? null,
    isSameVersion,
    scenarios: (loaded?.scenarios ?? []).map(({ name, tags }) => ({ name, tags: [...tags] })),
  };
}

async function seenIn(studio: Studio, graph: AgentGraph, run: RunRecord, isSameVersion: boolean): Promise<Seen> {
  const results = await newestCalls(studio, run.id);
  const counted = results.length > 0 ? coverage(graph, results, coverageOptions(run, isSameVersion)) : undefined;
  const marks = counted && coverageMarks(counted);
  return {
    figures: figuresOf(graph, results, marks?.nodes),
    coverage: counted ? { calls: counted.calls, ...counted.counts.total } : null,
  };
}

type ShownParts = Pick<StudioAnswer<"agent">, "graph" | "picture" | "findings">;

/** Of graphs in use: drawing one of 500 nodes takes a second. */
const shown = new WeakMap<AgentGraph, ShownParts>();

/** A graph, its picture and its findings, without secrets. */
function shownParts(graph: AgentGraph, loaded: SourceAgent["loaded"]): ShownParts {
  const known = shown.get(graph);
  if (known) return known;
  const redactor = createRedactor();
  const plain = shownGraph(graph);
  const parts = {
    graph: redactor.value({ ...plain }),
    picture: redactor.text(loaded?.picture ?? drawAddressed(plain)),
    findings: redactor.value(findingsOf(loaded?.findings ?? check(graph))),
  };
  shown.set(graph, parts);
  return parts;
}

function coverageOptions({ graphFingerprint }: { readonly graphFingerprint: string }, isSameVersion: boolean) {
  return isSameVersion ? { graphFingerprint } : { graphFingerprint, byId: true };
}

/** What changed in an agent since a run. */
export async function agentDiff(studio: Studio, id: string, from: string): Promise<StudioAnswer<"agentDiff">> {
  const found = await studio.agents.find(id);
  const run = await studio.data.store.findRun(from);
  const [before, after] = await Promise.all([
    studio.data.graphOf(run.graphFingerprint, run.id),
    found.source?.loaded?.graph ?? graphOfRun(studio, found),
  ]);
  // stored graphs have no secrets, so that the source's must not count as a change
  const changes = diffGraphs(before, shownGraph(after));
  return { from: run.id, changes: createRedactor().value(changes.map((each) => ({ ...each, path: [...each.path] }))) };
}

/** The graph of an agent whose source is not here, or cannot be loaded. */
async function graphOfRun({ data }: Studio, { newestRun: id, summary }: FoundAgent): Promise<AgentGraph> {
  if (id !== undefined) {
    const run = await data.store.findRun(id);
    return await data.graphOf(run.graphFingerprint, run.id);
  }
  const { message = "it cannot be loaded", hint = "Fix the agent's source" } = summary.problem ?? {};
  throw new StudioError(`Cannot show agent "${summary.name}": ${message}`, { code: "unknown-agent", hint });
}

function findingsOf(findings: readonly Finding[]): StudioAnswer<"agent">["findings"] {
  return findings.map((finding) => ({ ...finding, path: [...finding.path] }));
}

/** What figures and coverage need of a call. */
type SeenCall = Pick<ResultRecord, "id" | "status" | "nodesVisited" | "latency" | "transcript">;

/** Reads the newest calls of a run, without what was said: 500 long ones would fill the memory. */
async function newestCalls({ data }: Studio, run: string): Promise<readonly SeenCall[]> {
  const calls: SeenCall[] = [];
  let cursor: string | undefined;
  while (calls.length < MOST_CALLS) {
    const { items, nextCursor } = await listCalls(data, { run, limit: PAGE, cursor });
    const read = await Promise.all(items.map(({ id }) => data.store.findResult(id).then(withoutWords)));
    calls.push(...read.filter((each) => each !== undefined));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return calls;
}

function withoutWords(result: ResultRecord | undefined): SeenCall | undefined {
  if (!result) return undefined;
  const { id, status, nodesVisited, latency } = result;
  const transcript = result.transcript.map((message) => ({ ...message, content: "" }));
  return { id, status, nodesVisited, ...(latency ? { latency } : {}), transcript };
}

/** Calls, pass rate and waits by node. */
function figuresOf(
  graph: AgentGraph,
  results: readonly SeenCall[],
  marks?: ReturnType<typeof coverageMarks>["nodes"],
): Seen["figures"] {
  const names = nodeNames(graph);
  const calls = new Map<string, { calls: number; passes: number; trials: number; waits: number[] }>();
  const at = (id: string) => {
    const known = calls.get(id) ?? { calls: 0, passes: 0, trials: 0, waits: [] };
    calls.set(id, known);
    return known;
  };
  for (const { nodesVisited, status, latency = [] } of results) {
    for (const id of new Set(nodesVisited)) {
      const node = at(id);
      node.calls += 1;
      node.passes += Number(status === "pass");
      node.trials += Number(status === "pass" || status === "fail");
    }
    for (const { nodeId, firstWordMs } of latency) if (firstWordMs !== null) at(nodeId).waits.push(firstWordMs);
  }
  return Object.entries(graph.nodes).map(([id, { node_type: type }]) => {
    const { calls: count, passes, trials, waits } = calls.get(id) ?? { calls: 0, passes: 0, trials: 0, waits: [] };
    const sorted = waits.toSorted((a, b) => a - b);
    const latency =
      sorted.length === 0 ? null : { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), turns: sorted.length };
    return {
      id,
      name: names.of(id),
      type,
      calls: count,
      passRate: rateOf(passes, trials),
      latency,
      coverage: marks?.get(id) ?? null,
    };
  });
}
