import type { Issue, Path } from "../../base/errors.ts";
import { own } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import {
  endStateChecks,
  endStateText,
  expectsVoice,
  type ReplyRule,
  replyRules,
  replyRuleText,
  type Scenario,
  stepText,
  voiceExpectations,
} from "../../document/scenario/mod.ts";
import type { CheckKind, NotChecked } from "../../document/transcript/mod.ts";
import type { AgentConnection, AgentTool, Capability, ConnectionCapabilities } from "./connection.ts";

/** What a part of a scenario or of a run needs of a connection. */
export interface ConnectionNeed {
  /** The key of the scenario, or what the run asks for. */
  readonly kind: NotChecked["kind"];
  /** The expectation in one line. */
  readonly expected: string;
  /** Place in the scenario. */
  readonly path: Path;
  /** Capabilities of which the connection needs one. */
  readonly anyOf: readonly Capability[];
  /** Nodes that the agent has to have. */
  readonly nodes?: readonly string[];
  /** It is about the state of tools, which no connection knows. */
  readonly isOfState?: boolean;
}

const NODES: readonly Capability[] = ["nodeEachTurn", "nodeAfterwards"];

/** The capability, in the words of a sentence about what a connection lacks. */
const LACKS: { readonly [Name in Capability]: string } = {
  nodeEachTurn: "does not name the node each turn",
  nodeAfterwards: "does not name the nodes after the call",
  toolArguments: "does not report tool calls with their arguments",
  mocks: "does not pass mocks to the agent, so that its tools would run",
  opening: "has no opening",
  startVariables: "does not pass variables to the agent",
  variables: "does not report variables",
  endSignal: "does not say when the agent ends the call",
  transferSignal: "does not say when the agent transfers the call",
  text: "has no text",
  voice: "has no voice",
  dtmf: "does not pass keys of the telephone to the agent",
  transcripts: "does not write down what it heard of the caller",
  version: "does not know versions",
};

/** Everything that a scenario needs of a connection. */
function needsOf(scenario: Scenario): readonly ConnectionNeed[] {
  const { visits, avoids, calls, extracts, ends, tool_mocks: mocks, dynamic_variables: given } = scenario;
  const need = (kind: ConnectionNeed["kind"], expected: string, path: Path, ...anyOf: readonly Capability[]) => ({
    kind,
    expected,
    path,
    anyOf,
  });
  return [
    need("text", "words of the caller", [], "text", "voice"),
    // an agent that reads text gets keys as words
    ...scenario.says.flatMap((line, at) =>
      typeof line === "object" && "dtmf" in line ? [need("steps", stepText(line), ["says", at], "dtmf", "text")] : [],
    ),
    ...(expectsVoice(scenario)
      ? voiceExpectations(scenario).flatMap(({ key, kind, expected }) => {
          const anyOf = VOICE_NEEDS[key];
          return anyOf ? [need(kind, expected, [key], anyOf)] : [];
        })
      : []),
    ...(visits.length > 0 ? [{ ...need("visits", visits.join(" -> "), ["visits"], ...NODES), nodes: visits }] : []),
    ...avoids.map((id, at) => ({ ...need("avoids", id, ["avoids", at], ...NODES), nodes: [id] })),
    ...replyRules(scenario).flatMap((rule, at) => {
      const anyOf = replyNeeds(rule);
      if (anyOf.length === 0) return [];
      const one = need("each_reply", replyRuleText(rule), ["each_reply", at], ...anyOf);
      return [typeof rule.node === "string" ? { ...one, nodes: [rule.node] } : one];
    }),
    ...calls.map(({ tool }, at) => need("calls", tool, ["calls", at], "toolArguments")),
    ...Object.keys(extracts).map((name) => need("extracts", name, ["extracts", name], "variables")),
    ...(ends ? [need("ends", ends, ["ends"], signalOf(ends))] : []),
    ...stateNeeds(scenario),
    ...[...new Set(mocks.map(({ tool_name: tool }) => tool))].map((tool) =>
      need("mocks", tool, ["tool_mocks"], "mocks"),
    ),
    ...Object.keys(given).map((name) => need("variables", name, ["dynamic_variables", name], "startVariables")),
  ];
}

/**
 * Parts of a scenario about the state of tools. No connection meets them: the agent's tools run with the agent, and not
 * as functions of the run.
 */
function stateNeeds(scenario: Scenario): readonly ConnectionNeed[] {
  const { tool_state: state, end_state: expected } = scenario;
  const checks = endStateChecks(scenario);
  const need = (kind: "tool_state" | "end_state", text: string, path: Path) => [
    { kind, expected: text, path, anyOf: [], isOfState: true },
  ];
  return [
    ...(state ? need("tool_state", endStateText(state), ["tool_state"]) : []),
    ...(expected ? need("end_state", endStateText(expected), ["end_state"]) : []),
    ...checks.flatMap(({ name }) => need("end_state", name, ["checks", (scenario.checks ?? []).indexOf(name)])),
  ];
}

/** What a rule for each reply needs: the node of each message, if it names one. */
function replyNeeds({ node }: ReplyRule): readonly Capability[] {
  return typeof node === "string" ? ["nodeEachTurn"] : [];
}

/** A scenario without the rules for each reply that calls over a connection cannot show. */
export function withReportedReplies(
  connection: AgentConnection,
  scenario: Scenario,
  graph: AgentGraph | undefined,
): Scenario {
  const isShown = (rule: ReplyRule) =>
    (replyNeeds(rule).length === 0 || hasAny(connection.capabilities, replyNeeds(rule))) &&
    (typeof rule.node !== "string" || isReported(connection, rule.node, graph));
  const { each_reply: rules } = scenario;
  return rules ? { ...scenario, each_reply: rules.filter(isShown) } : scenario;
}

/** What expectations about voice need. Words that are said twice can be seen in every call. */
const VOICE_NEEDS: { readonly [Key in ReturnType<typeof voiceExpectations>[number]["key"]]?: Capability } = {
  answers_after_tools_within_ms: "toolArguments",
  stops_within_ms: "voice",
  talks_over_at_most_ms: "voice",
  dead_air_at_most_ms: "voice",
  word_errors_at_most: "transcripts",
};

/** Kinds of checks of a scenario, and the capabilities of which one is needed. */
const CHECK_NEEDS: { readonly [Kind in CheckKind]?: readonly Capability[] } = {
  visits: NODES,
  avoids: NODES,
  calls: ["toolArguments"],
  extracts: ["variables"],
  policy: ["nodeEachTurn"],
  stops: ["voice"],
  overlap: ["voice"],
  dead_air: ["voice"],
  words: ["transcripts"],
};

/** Whether a connection has one of the capabilities. */
export function hasAny(capabilities: ConnectionCapabilities, anyOf: readonly Capability[]): boolean {
  const { endSignal } = capabilities;
  return anyOf.some((name) => capabilities[name] ?? (name === "transferSignal" && endSignal));
}

/** The capability that an expected end needs. */
function signalOf(ends: string): Capability {
  return ends === "agent_transferred" ? "transferSignal" : "endSignal";
}

/** Whether a connection reports what a check is about. An expected end needs the agent's own signal. */
export function isCheckable(
  capabilities: ConnectionCapabilities,
  { kind, expected }: { readonly kind: CheckKind; readonly expected: string },
  { ends }: Pick<Scenario, "ends">,
): boolean {
  if (kind === "ends" && ends && expected === ends) return hasAny(capabilities, [signalOf(ends)]);
  if (kind === "latency" && expected.endsWith("after tools")) return hasAny(capabilities, ["toolArguments"]);
  const anyOf = CHECK_NEEDS[kind];
  return anyOf === undefined || hasAny(capabilities, anyOf);
}

/** Says why something cannot be checked: `"desk" does not report variables`. */
export function lackWords({ name }: Pick<AgentConnection, "name">, anyOf: readonly Capability[]): string {
  return `"${name}" ${anyOf.map((each) => LACKS[each]).join(" and ")}`;
}

/** A need that a connection does not meet, and why: `"desk" does not report variables`. */
export interface UnmetNeed extends ConnectionNeed {
  readonly lacks: string;
}

/** The needs of a scenario that a connection does not meet. `graph`: what its nodes are called. */
export function unmetNeeds(connection: AgentConnection, scenario: Scenario, graph?: AgentGraph): readonly UnmetNeed[] {
  const { name, capabilities } = connection;
  const unmocked = unmockedBy(connection, scenario);
  return needsOf(scenario).flatMap((need): readonly UnmetNeed[] => {
    const { kind, expected, path, anyOf, nodes = [] } = need;
    if (need.isOfState)
      return [{ ...need, lacks: `the tools of "${name}" run with it, so that their state is not known` }];
    if (!hasAny(capabilities, anyOf)) return [{ ...need, lacks: lackWords(connection, anyOf) }];
    const tool = kind === "mocks" ? unmocked.find((each) => each.name === expected) : undefined;
    if (tool) {
      const end = tool.runs === false ? "" : ", which would run";
      return [{ ...need, lacks: tool.whyNot ?? `"${name}" cannot mock "${expected}"${end}` }];
    }
    // the others of a path are checked
    return nodes.flatMap((node, at) =>
      isReported(connection, node, graph)
        ? []
        : [
            {
              ...need,
              expected: kind === "each_reply" ? expected : node,
              path: kind === "visits" ? [...path, at] : path,
              lacks: `"${name}" does not report the node "${node}"`,
            },
          ],
    );
  });
}

/** The tools that the mocks of a scenario cannot answer over a connection. */
function unmockedBy(connection: AgentConnection, { tool_mocks: mocks }: Scenario): readonly AgentTool[] {
  const differs = ({ name, answersLike }: AgentTool) => {
    const own = mocks.filter(({ tool_name: tool }) => tool === name);
    return answersLike !== undefined && own.length > 0 && !answersLike(own);
  };
  return [...unmockable(connection), ...(connection.tools ?? []).filter(differs)];
}

/**
 * A scenario without the nodes that calls over a connection cannot report: a node that nobody sees would never be
 * visited, and always be avoided.
 */
export function withoutUnreported(
  connection: AgentConnection,
  scenario: Scenario,
  graph: AgentGraph | undefined,
): Scenario {
  const seen = (ids: readonly string[]) => ids.filter((id) => isReported(connection, id, graph));
  return { ...scenario, visits: seen(scenario.visits), avoids: seen(scenario.avoids) };
}

/** Whether calls can report a node of the graph: by its id, or by its name on the platform. */
export function isReported({ nodes }: AgentConnection, id: string, graph: AgentGraph | undefined): boolean {
  const name = graph && own(graph.nodes, id)?.metadata.name;
  return nodes === undefined || nodes.includes(id) || (typeof name === "string" && nodes.includes(name));
}

/** The tools of an agent that run whatever mocks a scenario has, as far as they are known. */
export function realToolsOf(connection: AgentConnection): readonly string[] {
  return unmockable(connection)
    .filter(({ runs = true }) => runs)
    .map(({ name }) => name);
}

function unmockable({ tools = [], capabilities }: AgentConnection): readonly AgentTool[] {
  return tools.filter(({ isMockable }) => !(isMockable && capabilities.mocks));
}

/** A problem for a need that is not met: it names the scenario, the expectation and what the connection lacks. */
export function needIssue({ name }: Pick<Scenario, "name">, { kind, expected, path, anyOf, lacks }: UnmetNeed): Issue {
  if (kind === "steps") {
    const hint = "Remove the step, or use a connection whose protocol has keys of the telephone";
    return {
      code: "missing-capability",
      path,
      message: `scenario "${name}" needs dtmf for a caller who ${expected}: ${lacks}`,
      hint,
    };
  }
  if (kind === "tool_state" || kind === "end_state") {
    return {
      code: "missing-capability",
      path,
      message: `scenario "${name}" has ${kind} "${expected}": ${lacks}`,
      hint: 'Remove it, set unchecked: "report" (--unchecked report), or run the scenario with the graph and tools as functions',
    };
  }
  const hint =
    kind === "mocks"
      ? "Remove the mocks, or set allowRealTools: true (--allow-real-tools): the tools of the agent then run"
      : `Remove it, set unchecked: "report" (--unchecked report), or use a connection with ${anyOf.join(" or ")}`;
  return {
    code: "missing-capability",
    path,
    message: `scenario "${name}" needs ${anyOf.join(" or ")} for ${kind} "${expected}": ${lacks}`,
    hint,
  };
}
