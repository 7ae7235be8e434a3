import { canonicalJson, cut, groupBy, oneLine, sameJson } from "../../base/values/mod.ts";
import type { ConversationSnapshot } from "../../call/engine/mod.ts";
import { endingOf } from "../../document/graph/mod.ts";
import { completeScenario, type Scenario, type ToolMock } from "../../document/scenario/mod.ts";
import type { ToolCall } from "../../document/transcript/mod.ts";
import type { ChatSession } from "./session.ts";

export interface ChatStart {
  readonly variables: { readonly [name: string]: unknown };
  readonly mocks: readonly ToolMock[];
}

/** A scenario made from a call, and notes on what it cannot repeat. */
export interface SavedChat {
  readonly scenario: Scenario;
  readonly warnings: readonly string[];
}

/** Endings that a caller with the same lines reaches again. */
const ENDS = ["agent_ended", "agent_transferred", "hop_limit"] as const;

/** A scenario with the same caller lines and tool results, which expects the same path and ending. */
export function chatScenario({ graph, state, steps }: ChatSession, start: ChatStart): SavedChat {
  const says = state.transcript.filter(({ role }) => role === "user").map(({ content }) => content);
  const moved = steps.filter(({ kind }) => kind === "goto").map(({ what }) => what);
  const set = steps.filter(({ kind }) => kind === "set").map(({ what }) => what);
  const opened = steps.findIndex(({ kind }) => kind === "said");
  const late = opened < 0 ? [] : steps.slice(opened).flatMap(({ kind, what }) => (kind === "set" ? [what] : []));
  const given = Object.entries(state.variables).filter(([name]) => set.includes(name));
  const endings = new Set(
    Object.values(graph.nodes).flatMap(({ tools }) => tools.flatMap((tool) => (endingOf(tool) ? [tool.name] : []))),
  );
  const calls = state.toolsCalled.filter(({ name, mocked }) => !mocked && !endings.has(name));
  const ends = ENDS.find((reason) => reason === state.endReason);
  const scenario = completeScenario({
    name: `chat: ${cut(oneLine(says[0] ?? "the caller says nothing"), 60)}`,
    says,
    dynamic_variables: { ...start.variables, ...Object.fromEntries(given) },
    tool_mocks: [...start.mocks, ...mocksOf(calls)],
    ...(moved.length > 0
      ? {}
      : {
          visits: pathOf(state),
          extracts: extractedIn(state, set),
          ...(ends ? { ends } : {}),
        }),
  });
  return {
    scenario,
    warnings: [
      ...(moved.length > 0
        ? [`/goto ${moved.join(", ")} is not in the scenario, which starts at the entry and expects no path and no end`]
        : []),
      ...(late.length > 0 ? [`/set ${late.join(", ")} is set from the start of the call in the scenario`] : []),
    ],
  };
}

/** Groups equal results of equal consecutive calls. */
interface Answered {
  readonly call: ToolCall;
  readonly times: number;
}

/**
 * Mocks that repeat the recorded results. Mocks with more arguments come first, because a call with these arguments
 * would match one with fewer of them too.
 */
function mocksOf(calls: readonly ToolCall[]): readonly ToolMock[] {
  const equalCalls = groupBy(calls, ({ name, arguments: args }) => canonicalJson([name, args]));
  const mocks = [...equalCalls.values()].flatMap((equal) => {
    const answered: Answered[] = [];
    for (const call of equal) {
      const last = answered.at(-1);
      if (last && sameJson(last.call.result, call.result))
        answered[answered.length - 1] = { call, times: last.times + 1 };
      else answered.push({ call, times: 1 });
    }
    return answered.map((each, index) => mockOf(each, index === answered.length - 1));
  });
  const size = ({ input_match_rule: rule }: ToolMock) => (rule.type === "any" ? 0 : Object.keys(rule.args).length);
  return mocks.toSorted((a, b) => size(b) - size(a));
}

function mockOf({ call, times }: Answered, isLast: boolean): ToolMock {
  const { name, arguments: args, result, outcome } = call;
  return {
    tool_name: name,
    input_match_rule: Object.keys(args).length === 0 ? { type: "any" } : { type: "partial_match", args },
    output: result ?? null,
    result: outcome === "succeeded",
    ...(isLast ? {} : { times }),
  };
}

/** The visited nodes; a node that is visited twice in a row is listed once. */
function pathOf({ nodesVisited }: ConversationSnapshot): readonly string[] {
  return nodesVisited.filter((id, index) => id !== nodesVisited[index - 1]);
}

/** Variables that the agent extracted, with their values at the end. */
function extractedIn({ transcript, variables }: ConversationSnapshot, set: readonly string[]) {
  const extracted = transcript.flatMap(({ metadata }) =>
    metadata.kind === "extraction" ? Object.keys(metadata.variables ?? {}) : [],
  );
  const names = [...new Set(extracted)].filter((name) => !set.includes(name) && Object.hasOwn(variables, name));
  return Object.fromEntries(names.map((name) => [name, variables[name]]));
}
