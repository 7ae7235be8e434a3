import { type Issue, ScenarioError, throwIssues } from "../../base/errors.ts";
import {
  type AgentConnection,
  hasAny,
  isCheckable,
  lackWords,
  needIssue,
  realToolsOf,
  unmetNeeds,
  withoutUnreported,
  withReportedReplies,
} from "../../call/connection/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import {
  type CheckFunction,
  callChecks,
  expectsVoice,
  type Policy,
  replyRules,
  type Scenario,
  voiceExpectations,
} from "../../document/scenario/mod.ts";
import type { CheckResult, NotChecked } from "../../document/transcript/mod.ts";
import type { ConnectedRun, ResolvedScenario, RunSetup } from "./call/mod.ts";

/**
 * Refuses scenarios that need what the connection lacks, and names every need. With `unchecked: "report"`, expectations
 * may be missing, but each scenario needs one that can be checked.
 *
 * @throws {ScenarioError} `missing-capability`, `real-tools`.
 */
export function refuseUnmet(
  { connection, graph, unchecked, allowRealTools }: ConnectedRun,
  resolved: readonly ResolvedScenario[],
  run: { readonly policies: readonly Policy[]; readonly judgesPath: boolean },
): void {
  const issues = resolved.flatMap(({ scenario }, index) =>
    unmetNeeds(connection, scenario, graph)
      .filter(({ kind }) =>
        kind === "mocks" ? !allowRealTools : kind === "text" || kind === "steps" || unchecked === "refuse",
      )
      .map((need): Issue => {
        const issue = needIssue(scenario, need);
        return { ...issue, path: [index, ...need.path] };
      }),
  );
  const ofRun =
    unchecked === "refuse"
      ? runNeeds(connection, run).map(
          ({ kind, expected, reason }): Issue => ({
            code: "missing-capability",
            path: ["judging", kind === "flow" ? "flow" : "policies"],
            message: `the run needs a graph's engine for ${kind} "${expected}": ${reason}`,
            hint: 'Remove it, or set unchecked: "report"',
          }),
        )
      : [];
  const running = allowRealTools ? [] : realToolsOf(connection);
  const real: readonly Issue[] =
    running.length === 0
      ? []
      : [
          {
            code: "real-tools",
            path: ["connection", "allowRealTools"],
            message: `the tools of "${connection.name}" cannot be mocked and would run: ${running.join(", ")}`,
            hint: "Set allowRealTools: true (--allow-real-tools) if they may run, or test an agent whose tools change nothing",
          },
        ];
  const vacuous = resolved.flatMap((each, index): readonly Issue[] => {
    if (expectsMore(connection, each, graph)) return [];
    return [
      {
        code: "missing-capability",
        path: [index],
        message: `scenario "${each.scenario.name}" expects nothing that "${connection.name}" reports`,
        hint: 'Add an expectation of the agent\'s words, such as .includes("…") or .judge("…")',
      },
    ];
  });
  throwIssues(ScenarioError, "Cannot run scenarios", [
    ...issues,
    ...ofRun,
    ...real,
    ...(issues.length > 0 ? [] : vacuous),
  ]);
}

/** What a run asks of every call, and a connection does not give. */
function runNeeds(
  { name }: AgentConnection,
  { policies, judgesPath }: { readonly policies: readonly Policy[]; readonly judgesPath: boolean },
): readonly NotChecked[] {
  const reason = `"${name}" does not report each step of the path`;
  return [
    ...policies.map((policy): NotChecked => ({ kind: "policy", expected: policy.name, reason })),
    ...(judgesPath ? [{ kind: "flow", expected: "the path", reason } as const] : []),
  ];
}

/** Whether a scenario still expects something without the expectations that cannot be checked. */
function expectsMore(
  connection: AgentConnection,
  { scenario: whole, metrics, patterns }: ResolvedScenario,
  graph: AgentGraph | undefined,
): boolean {
  const { capabilities } = connection;
  const scenario = withoutUnreported(connection, whole, graph);
  const { includes, excludes, visits, avoids, ends, extracts, calls, answers_within_ms: limitMs } = scenario;
  const has = (kind: CheckResult["kind"], expected = "") => isCheckable(capabilities, { kind, expected }, scenario);
  if (expectsVoice(scenario) && voiceExpectations(scenario).some(({ kind, expected }) => has(kind, expected)))
    return true;
  const replies = replyRules(withReportedReplies(connection, whole, graph));
  const words = [metrics, patterns, includes, excludes, replies, callChecks(scenario)];
  if (words.some((list) => list.length > 0) || typeof limitMs === "number") return true;
  if (visits.length + avoids.length > 0 && has("visits")) return true;
  if (calls.length > 0 && has("calls")) return true;
  return (Object.keys(extracts).length > 0 && has("extracts")) || Boolean(ends && has("ends", ends));
}

/** The expectations of a call that its connection cannot show, besides those of functions. */
export function notCheckedOf(
  { scenario }: Pick<ResolvedScenario, "scenario">,
  { connected, policies, options }: Pick<RunSetup, "connected" | "policies" | "options">,
): readonly NotChecked[] {
  if (!connected) return [];
  const { connection, graph } = connected;
  return [
    ...unmetNeeds(connection, scenario, graph).map(
      ({ kind, expected, lacks }): NotChecked => ({ kind, expected, reason: lacks }),
    ),
    ...runNeeds(connection, { policies, judgesPath: Boolean(options.judging?.flow) }),
  ];
}

/** Leaves out the nodes of a scenario that its connection cannot report; {@link notCheckedOf} lists them. */
export function reportedPath(scenario: Scenario, { connected }: Pick<RunSetup, "connected">): Scenario {
  return connected ? withoutUnreported(connected.connection, scenario, connected.graph) : scenario;
}

/** Leaves out the rules for each reply that its connection cannot show; {@link notCheckedOf} lists them. */
export function reportedReplies(scenario: Scenario, { connected }: Pick<RunSetup, "connected">): Scenario {
  return connected ? withReportedReplies(connected.connection, scenario, connected.graph) : scenario;
}

/** Leaves out checks of what the connection of a run does not report; {@link notCheckedOf} lists them. */
export function onlyChecked(
  checks: readonly CheckResult[],
  { scenario }: Pick<ResolvedScenario, "scenario">,
  { connected }: Pick<RunSetup, "connected">,
): readonly CheckResult[] {
  if (!connected) return checks;
  const { capabilities } = connected.connection;
  return checks.filter((check) => check.kind !== "policy" && isCheckable(capabilities, check, scenario));
}

type CallCheck = ReturnType<typeof callChecks>[number];
type CheckedCall = Parameters<CheckFunction>[0];

/** Parts of a call that not every connection reports. */
const PARTS = [
  { part: "nodesVisited", anyOf: ["nodeEachTurn", "nodeAfterwards"] },
  { part: "toolsCalled", anyOf: ["toolArguments"] },
  { part: "variables", anyOf: ["variables"] },
  { part: "endReason", anyOf: ["endSignal"] },
  { part: "endDetail", anyOf: ["endSignal"] },
] as const;

/** Function checks that find out whether they read what a connection does not report. */
export interface WatchedChecks {
  readonly checks: readonly CallCheck[];
  /** Checks that read such a part, with the reason why they are not checked. */
  readonly unread: ReadonlyMap<string, string>;
}

/** Wraps function checks: they cannot read an empty part of a call that only looks as if nothing had happened. */
export function watchedChecks(scenario: Scenario, { connected }: Pick<RunSetup, "connected">): WatchedChecks {
  const checks = callChecks(scenario);
  const unread = new Map<string, string>();
  if (!connected) return { checks, unread };
  const { connection } = connected;
  const hidden = PARTS.filter(({ anyOf }) => !hasAny(connection.capabilities, anyOf));
  const watched = checks.map((check): CallCheck => {
    const judge: CheckFunction = (call, context) => {
      const seen: CheckedCall = { ...call };
      for (const { part, anyOf } of hidden)
        Object.defineProperty(seen, part, {
          enumerable: false,
          get: () => {
            const reason = `it reads ${part}, and ${lackWords(connection, anyOf)}`;
            unread.set(check.name, reason);
            throw unreadCheck(check.name, reason);
          },
        });
      return check.judge(seen, context);
    };
    return { ...check, judge };
  });
  return { checks: watched, unread };
}

/** The error of a check that read what the connection of its run does not report. */
export function unreadCheck(name: string, reason: string): ScenarioError {
  return new ScenarioError(`Cannot use check "${name}": ${reason}`, {
    code: "missing-capability",
    path: ["checks", name],
    hint: 'Read other parts of the call, or set unchecked: "report"',
  });
}
