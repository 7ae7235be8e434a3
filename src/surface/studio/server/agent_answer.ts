import { coverage, coverageMarks, diffGraphs } from "../../../agent/analysis/mod.ts";
import { StudioError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { quantile } from "../../../base/statistics/mod.ts";
import { type AgentGraph, fingerprint, nodeNames } from "../../../document/graph/mod.ts";
import type { ResultRecord, RunRecord } from "../../../run/store/mod.ts";
import type { Query, StudioAnswer } from "../api/mod.ts";
import { countsKey, listCalls, listVersions, newestRun, rateOf, runOfVersion } from "../data/mod.ts";
import { type FoundAgent, shownGraph } from "./agents/mod.ts";
import type { Seen, Studio } from "./studio.ts";

/** Calls that the figures of an agent are of: the newest ones of the run. */
const MOST_CALLS = 500;
/** Calls that are read at a time. */
const PAGE = 50;

/** An agent with its picture, and what the calls of a run showed of each node. */
export async function agentAnswer(
  studio: Studio,
  id: string,
  { run: runId, version }: Query<"agent">,
): Promise<StudioAnswer<"agent">> {
  const { data } = studio;
  const found = await studio.agents.find(id);
  const graph = await graphOf(studio, found, version);
  const own = fingerprint(graph);
  const loaded = found.source?.loaded?.graph === graph ? found.source.loaded : undefined;
  const named =
    runId === undefined ? await newestRun(data, found.summary.name, own) : (await data.store.findRun(runId)).id;
  const run = named === undefined ? undefined : await data.store.findRun(named);
  const isSameVersion = run?.graphFingerprint === own;
  const [shown, { figures, coverage: counted }] = await Promise.all([
    loaded?.shown ?? studio.graphWork.show(graph),
    run
      ? studio.seen(`${own} ${countsKey(run.id, run.counts)}`, () => seenIn(studio, graph, run, isSameVersion))
      : { figures: figuresOf(graph, []), coverage: null },
  ]);
  return {
    ...found.summary,
    ...(version === undefined ? {} : { fingerprint: own, nodes: Object.keys(graph.nodes).length }),
    ...shown,
    figures,
    coverage: counted,
    run: run?.id ?? null,
    isSameVersion,
    policies: (loaded?.policies ?? []).map(({ name }) => name),
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

function coverageOptions({ graphFingerprint }: { readonly graphFingerprint: string }, isSameVersion: boolean) {
  return isSameVersion ? { graphFingerprint } : { graphFingerprint, byId: true };
}

/** What changed in an agent between two versions. */
export async function agentDiff(
  studio: Studio,
  id: string,
  { from, to }: Query<"agentDiff">,
): Promise<StudioAnswer<"agentDiff">> {
  const found = await studio.agents.find(id);
  const [before, after] = await Promise.all([graphOf(studio, found, from), graphOf(studio, found, to)]);
  // stored graphs have no secrets, so that the source's must not count as a change
  const changes = diffGraphs(shownGraph(before), shownGraph(after));
  return {
    from: fingerprint(before),
    to: fingerprint(after),
    changes: createRedactor().value(changes.map((each) => ({ ...each, path: [...each.path] }))),
  };
}

/** The versions of an agent that can be compared. */
export async function agentVersions(
  studio: Studio,
  id: string,
  query: Query<"agentVersions">,
): Promise<StudioAnswer<"agentVersions">> {
  const { summary } = await studio.agents.find(id);
  return { ...(await listVersions(studio.data, summary.name, query)), now: summary.fingerprint };
}

const FINGERPRINT = /^[0-9a-f]{64}$/;

/** The graph of a version: a fingerprint or a run; `undefined`: as it is now. */
async function graphOf(studio: Studio, found: FoundAgent, version: string | undefined): Promise<AgentGraph> {
  const { source, summary } = found;
  const loaded = source?.loaded;
  if (version === undefined || version === summary.fingerprint)
    return loaded?.graph ?? (await graphOfRun(studio, found));
  const { data } = studio;
  const named = FINGERPRINT.test(version) ? await runOfVersion(data, summary.name, version) : version;
  const run = await data.store.findRun(named ?? version);
  return await data.graphOf(run.graphFingerprint, run.id);
}

/** What is decided about the policies of an agent's source; without a source, there are none. */
export async function agentPolicies(studio: Studio, id: string): Promise<StudioAnswer<"agentPolicies">> {
  const loaded = (await studio.agents.find(id)).source?.loaded;
  if (!loaded) return { fingerprint: null, items: [] };
  const items = await studio.graphWork.decide(loaded.graph, loaded.policies);
  return { fingerprint: fingerprint(loaded.graph), items: [...items] };
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
