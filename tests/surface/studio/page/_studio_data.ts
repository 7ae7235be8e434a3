import type { InferInput } from "valibot";
import { check } from "../../../../src/agent/check/mod.ts";
import { drawAddressed } from "../../../../src/agent/draw/mod.ts";
import { findEvidence } from "../../../../src/call/judges/mod.ts";
import { type AgentGraph, fingerprint, nodeNames } from "../../../../src/document/graph/mod.ts";
import type { Policy } from "../../../../src/document/scenario/mod.ts";
import { compareRuns } from "../../../../src/run/compare/mod.ts";
import type { RunReport } from "../../../../src/run/runner/mod.ts";
import type { StudioRouteName, StudioSchemas } from "../../../../src/surface/studio/api/mod.ts";

/** What a route answers, before it is checked. */
export type Answer<Name extends StudioRouteName> = InferInput<StudioSchemas[Name]["answer"]>;

/** An agent of the fixture with its runs, newest first. */
export interface FixtureAgent {
  readonly id: string;
  readonly name: string;
  readonly graph: AgentGraph;
  readonly reports: readonly RunReport[];
  readonly policies?: readonly Policy[];
}

type Result = RunReport["results"][number];
type Rate = Answer<"run">["passRate"];

export function rateOf(passes: number, trials: number, interval?: { low: number; high: number } | null): Rate {
  const rate = trials === 0 ? null : passes / trials;
  const low = rate === null ? null : (interval?.low ?? Math.max(0, rate - 0.2));
  const high = rate === null ? null : (interval?.high ?? Math.min(1, rate + 0.2));
  return { passes, trials, rate, low, high };
}

export function runSummary({ name }: FixtureAgent, report: RunReport, index: number): Answer<"runs">["items"][number] {
  const { counts } = report;
  return {
    id: report.id,
    kind: "simulated",
    agent: name,
    state: "finished",
    startedAt: new Date(Date.parse(report.startedAt) - index * 86_400_000).toISOString(),
    finishedAt: new Date(Date.parse(report.startedAt) - index * 86_400_000 + 4200).toISOString(),
    fingerprint: "f".repeat(64),
    models: report.models,
    counts: { ...counts },
    passRate: rateOf(counts.pass, counts.pass + counts.fail),
    commit: index === 0 ? "3f2a9c1d7b55" : "a81be0cc1234",
    branch: index === 0 ? "warmer-greeting" : "main",
    environment: null,
    connection: null,
    tags: index === 0 ? ["nightly"] : [],
    baselines: index === 1 ? ["main"] : [],
  };
}

export function runAnswer(agent: FixtureAgent, report: RunReport, index: number): Answer<"run"> {
  return {
    ...runSummary(agent, report, index),
    options: {},
    store: "callweave.db",
    scenarios: report.scenarios.map(({ scenario, verdict, reason, planned, counts, trials, interval }) => ({
      scenario,
      verdict,
      reason,
      planned,
      counts: { ...counts },
      passRate: rateOf(counts.pass ?? 0, trials, interval),
      trials: report.results
        .filter((result) => result.scenario === scenario)
        .map((result) => ({
          call: result.id,
          trial: result.trial,
          attempt: result.attempt ?? null,
          status: result.status,
          score: null,
          durationMs: result.durationMs,
        })),
      more: 0,
    })),
    criteria: [],
  };
}

export function callSummary(agent: FixtureAgent, report: RunReport, result: Result): Answer<"calls">["items"][number] {
  return {
    id: result.id,
    runId: report.id,
    agent: agent.name,
    scenario: result.scenario,
    trial: result.trial,
    attempt: result.attempt ?? null,
    status: result.status,
    startedAt: result.startedAt,
    turnCount: result.turnCount,
    durationMs: result.durationMs,
    endReason: result.endReason ?? null,
    errorMessage: result.errorMessage ?? null,
    score: null,
  };
}

export function namedNodes({ graph }: FixtureAgent): Answer<"call">["nodes"] {
  const names = nodeNames(graph);
  return Object.entries(graph.nodes).map(([id, node]) => ({ id, name: names.of(id), type: node.node_type }));
}

const DIVERGENCE: NonNullable<Answer<"call">["replay"]>["divergences"][number] = {
  ...{ kind: "path", turn: 1, nodeId: "welcome", recorded: "welcome -> manager", replayed: null },
  ...{ reason: "It stays.", recordedReason: "asks for a manager", graphChanges: ["The prompt of welcome changed"] },
};

/** A call. The first one of a run has waits that were measured, and a recording. */
export function callAnswer(agent: FixtureAgent, report: RunReport, result: Result): Answer<"call"> {
  const { results } = report;
  const at = results.indexOf(result);
  const transcript = result.transcript.map((message) => ({ ...message, metadata: { ...message.metadata } }));
  const moves = transcript.flatMap(({ metadata, node_id }, message) =>
    metadata.kind === "transition" && typeof metadata.to === "string"
      ? [{ message, from: node_id, to: metadata.to, because: String(metadata.because ?? ""), reasoning: null }]
      : [],
  );
  const steps = transcript.flatMap(({ metadata }, message) =>
    metadata.kind === "extraction"
      ? [{ message, changes: Object.entries(Object(metadata.variables)).map(([name, value]) => ({ name, value })) }]
      : [],
  );
  const turns = result.turnCount;
  return {
    ...callSummary(agent, report, result),
    kind: "simulated",
    transcript,
    nodesVisited: [...result.nodesVisited],
    nodes: namedNodes(agent),
    moves,
    toolsCalled: [],
    variables: { ...result.variables },
    startVariables: {},
    steps,
    verdicts: result.verdicts.map((verdict) => ({ ...verdict })),
    checks: result.checks.map((each) => ({ ...each })),
    marks: result.verdicts.flatMap(({ criterion, evidence }) =>
      (findEvidence(evidence, result.transcript) ?? []).map((message) => ({
        criterion,
        message: result.transcript.indexOf(message),
        from: 0,
        to: Math.min(20, message.content.length),
      })),
    ),
    latency: Array.from({ length: at === 0 ? turns + 1 : 0 }, (_, turn) => ({
      turn,
      nodeId: result.nodesVisited[Math.min(turn, result.nodesVisited.length - 1)] ?? "",
      firstWordMs: 620 + turn * 310,
      parts: { transition: 120 + turn * 40, extraction: turn % 2 ? 180 : 0, tools: turn === 2 ? 400 : 0, reply: 380 },
    })),
    usage: {},
    recording:
      at === 0
        ? {
            path: "call.wav",
            url: null,
            turns: [
              { speaker: "agent", turn: 0, fromMs: 100 },
              { speaker: "caller", turn: 1, fromMs: 900 },
              { speaker: "agent", turn: 1, fromMs: 1500 },
            ],
          }
        : null,
    voice: null,
    provenance: null,
    // the second one of a run repeats the first one, and was repeated
    audit:
      at === 1
        ? [
            {
              kind: "invented-fact",
              fact: "4711",
              quote: "It is 4711",
              reason: 'The caller said "4711", which nobody gave',
            },
          ]
        : [],
    replay: at === 1 ? { ofResult: results[0]?.id ?? "", mode: "strict", divergences: [DIVERGENCE] } : null,
    repetitions:
      at === 1
        ? [
            {
              ...{ call: results[0]?.id ?? "", run: report.id, status: "fail", startedAt: "2026-01-05T10:00:00Z" },
              divergences: [DIVERGENCE, { ...DIVERGENCE, turn: 2, follows: true }],
            },
          ]
        : [],
    isConnected: at === 1,
    labels: [],
    previous: results[at - 1]?.id ?? null,
    next: results[at + 1]?.id ?? null,
  };
}

export function agentSummary(agent: FixtureAgent): Answer<"project">["agents"][number] {
  return {
    id: agent.id,
    name: agent.name,
    format: "code",
    nodes: Object.keys(agent.graph.nodes).length,
    source: `${agent.id}/flow.ts`,
    fingerprint: fingerprint(agent.graph),
    problem: null,
    runs: agent.reports.length,
  };
}

export function agentAnswer(agent: FixtureAgent): Answer<"agent"> {
  const results = agent.reports[0]?.results ?? [];
  const nodes = namedNodes(agent);
  const covered = nodes.filter(({ id }) => results.some(({ nodesVisited }) => nodesVisited.includes(id))).length;
  return {
    ...agentSummary(agent),
    policies: (agent.policies ?? []).map(({ name }) => name),
    graph: JSON.parse(JSON.stringify(agent.graph)),
    picture: drawAddressed(agent.graph),
    findings: check(agent.graph).map((finding) => ({ ...finding, path: [...finding.path] })),
    figures: nodes.map((node, index) => {
      const there = results.filter(({ nodesVisited }) => nodesVisited.includes(node.id));
      const passes = there.filter(({ status }) => status === "pass").length;
      const judged = there.filter(({ status }) => status === "pass" || status === "fail").length;
      return {
        ...node,
        calls: there.length,
        passRate: rateOf(passes, judged),
        latency: there.length > 0 ? { median: 500 + index * 230, p95: 900 + index * 300, turns: there.length } : null,
        coverage:
          results.length === 0 ? null : there.length === 0 ? "uncovered" : index % 3 === 0 ? "partly" : "covered",
      };
    }),
    coverage: results.length === 0 ? null : { calls: results.length, covered, total: nodes.length },
    run: agent.reports[0]?.id ?? null,
    isSameVersion: true,
    scenarios: (agent.reports[0]?.scenarios ?? []).map(({ scenario }) => ({ name: scenario, tags: [] })),
  };
}

export function comparisonAnswer(head: RunReport, base: RunReport): Answer<"compareRuns"> {
  const { base: before, head: now, summary, ...rest } = compareRuns(base, head);
  const plain = JSON.parse(JSON.stringify(rest));
  const differing = head.results.find(({ status }) => status === "fail");
  const earlier = base.results.find(({ scenario, status }) => scenario === differing?.scenario && status === "pass");
  const message =
    differing?.transcript.findIndex(({ content }, index) => content !== earlier?.transcript[index]?.content) ?? -1;
  const at = (result: Result | undefined) => {
    const found = result?.transcript[message];
    return found ? { ...found, metadata: {} } : null;
  };
  return {
    ...plain,
    base: { id: before.id, agent: before.agent, finished: true, counts: { ...base.counts } },
    head: { id: now.id, agent: now.agent, finished: true, counts: { ...head.counts } },
    summary,
    pairs:
      differing && earlier
        ? [
            {
              scenario: differing.scenario,
              base: earlier.id,
              head: differing.id,
              divergence: message < 0 ? null : { message, base: at(earlier), head: at(differing) },
            },
          ]
        : [],
  };
}
