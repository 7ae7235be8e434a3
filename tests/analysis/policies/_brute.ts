import { BROKEN, isAny, NOTED, ruleWatch } from "../../../src/analysis/mod.ts";
import { type Conversation, conversation } from "../../../src/engine/mod.ts";
import { equationHolds } from "../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { scripted } from "../../../src/models/mod.ts";
import { followTrace } from "../../../src/runner/policy_trace.ts";
import type { PolicyRule, ToolMock } from "../../../src/scenario/mod.ts";
import { VALUES } from "./_random_policies.ts";

/** Decisions of one call: numbers of the options that were taken, and how often each transfer fails. */
interface Script {
  readonly given: { readonly [name: string]: unknown };
  readonly choices: readonly number[];
  readonly fails: { readonly [node: string]: number };
  readonly turns: number;
}

interface Ran {
  readonly call: Conversation;
  readonly choices: readonly number[];
  readonly counts: readonly number[];
}

/** Most tools that a reply calls before it says something. */
const MOST_TOOLS = 3;

async function runOf(graph: AgentGraph, { given, choices: preset, fails, turns }: Script): Promise<Ran> {
  const choices: number[] = [];
  const counts: number[] = [];
  const choose = <Item>(options: readonly Item[]): Item => {
    const taken = preset[choices.length] ?? 0;
    choices.push(taken);
    counts.push(options.length);
    return options[taken] as Item; // the number is below the count
  };
  let called = 0;
  const many = (answer: unknown) => Array.from({ length: 1_000 }, () => answer);
  const agent = scripted({
    transition: many(({ available_transitions: offers }: { available_transitions: { target: string }[] }) =>
      choose([
        { objectives_complete: false, transition_to: "" },
        { objectives_complete: true, transition_to: "" },
        ...[...new Set(offers.map(({ target }) => target))].map((transition_to) => ({
          objectives_complete: true,
          transition_to,
        })),
      ]),
    ),
    extract: many(({ variables }: { variables: { name: string }[] }) =>
      Object.fromEntries(variables.map(({ name }) => [name, choose([null, ...(VALUES[name] ?? [])])])),
    ),
    arguments: many({}),
    respond: many(() => {
      const node = graph.nodes[call.nodesVisited.at(-1) ?? ""];
      const names = called < MOST_TOOLS ? (node?.tools ?? []).map(({ name }) => name) : [];
      const name = choose([undefined, ...names]);
      called = name === undefined ? 0 : called + 1;
      return name === undefined ? "Well." : { toolCalls: [{ name, arguments: { called } }] };
    }),
  });
  const tool = () => {
    const status = choose([undefined, ...(VALUES.status ?? []), "fails"]);
    if (status === "fails") throw new Error("failed");
    return { status };
  };
  const mocks = Object.entries(fails).map(
    ([tool_name, times]): ToolMock => ({
      tool_name,
      input_match_rule: { type: "any" },
      output: "",
      result: false,
      times,
    }),
  );
  const call: Conversation = conversation(graph, {
    models: { agent },
    mocks,
    tools: { charge: tool, look: tool },
    variables: given,
  });
  await call.open();
  for (let turn = 0; turn < turns && !call.ended; turn++) await call.hear("Yes");
  return { call, choices, counts };
}

/** The stack of nodes to go back to, as far as a call can notice it. */
function noticed(graph: AgentGraph, at: string, originators: readonly string[]): readonly string[] {
  const isGlobal = (id: string) => Boolean(graph.nodes[id]?.global_node_setting);
  if (!isGlobal(at)) return [];
  const own: string[] = [];
  for (const id of originators.toReversed()) {
    own.push(id);
    if (!isGlobal(id)) break;
  }
  return own.slice(0, 4);
}

/**
 * Which rules some call breaks: every decision of the model, every outcome of tools and transfers and every extraction
 * is tried in the engine, turn by turn, until no new state is reached.
 *
 * @returns `undefined` when there are more states than are tried.
 */
export async function bruteForce(
  graph: AgentGraph,
  rules: readonly PolicyRule[],
  mostRuns: number,
): Promise<readonly boolean[] | undefined> {
  const watches = rules.map((rule) => ruleWatch(graph, rule));
  const broken = rules.map(() => false);
  const edges = new Map<string, { readonly to: string | undefined; readonly hits: readonly boolean[] }[]>();
  const waiting = new Map<string, readonly number[]>();
  const seen = new Set<string>();
  const text = JSON.stringify([graph, rules]);
  const filled = new Set(
    Object.values(graph.nodes).flatMap(({ variables_to_extract: variables, tools }) => [
      ...variables.map(({ name }) => name),
      ...tools.flatMap((tool) => Object.keys(tool.response_variables ?? {})),
    ]),
  );
  // calls start with what nothing fills
  const given = Object.keys(VALUES).filter((name) => !filled.has(name) && text.includes(`"left":"${name}"`));
  const starts = given.reduce<Script["given"][]>(
    (all, name) =>
      all.flatMap((given) => [given, ...(VALUES[name] ?? []).map((value) => ({ ...given, [name]: value }))]),
    [{}],
  );
  let open: { readonly script: Script; readonly from: string }[] = starts.map((given) => ({
    script: { given, choices: [], fails: {}, turns: 0 },
    from: "start",
  }));
  let runs = 0;
  if (starts.length > mostRuns / 10) return undefined;
  for (let next = open.pop(); next; next = open.pop()) {
    if (runs++ > mostRuns) return undefined;
    const { script, from } = next;
    const { call, choices, counts } = await runOf(graph, script);
    const alternatives = counts.flatMap((count, index) =>
      index < script.choices.length
        ? []
        : Array.from({ length: count - 1 }, (_, other) => [...choices.slice(0, index), other + 1]),
    );
    for (const alternative of alternatives) open.push({ script: { ...script, choices: alternative }, from });
    const at = call.nodesVisited.at(-1) ?? "";
    if (call.endReason === "agent_transferred" && graph.nodes[at]?.node_type === "transfer") {
      const fails = { ...script.fails, [at]: (script.fails[at] ?? 0) + 1 };
      open.push({ script: { ...script, choices, fails }, from });
    }
    let states = watches.map(({ start }) => start);
    let hits = rules.map(() => false);
    let spoken = false;
    followTrace(
      graph,
      {
        transcript: call.transcript,
        endReason: call.endReason,
        startVariables: new Map(Object.entries(script.given).map(([name, value]) => [name, String(value)])),
      },
      {
        onEvent: (event, variables) => {
          const values = Object.fromEntries(variables);
          states = watches.map(({ next: step }, index) =>
            step(states[index] ?? 0, event, (condition) => equationHolds(condition, values)),
          );
          hits = hits.map((hit, index) => hit || isAny(watches[index]?.ahead ?? [], event));
        },
        onWait: (position) => {
          spoken = position.spoken;
        },
      },
    );
    hits = hitsInLastTurn(
      graph,
      script,
      call,
      watches.map(({ ahead }) => ahead ?? []),
    );
    for (const [index, state] of states.entries()) if (state === BROKEN) broken[index] = true;
    const stack = noticed(graph, at, call.originators);
    const key = JSON.stringify([at, stack, spoken, call.variables, states]);
    const list = edges.get(from) ?? [];
    edges.set(from, list);
    list.push({ to: call.ended ? undefined : key, hits });
    if (call.ended || seen.has(key)) continue;
    seen.add(key);
    waiting.set(key, states);
    open = [{ script: { ...script, choices, turns: script.turns + 1 }, from: key }, ...open];
  }
  for (const [index, { ahead }] of watches.entries()) {
    if (!ahead) continue;
    const reaching = new Set<string>();
    for (let grown = true; grown; ) {
      grown = false;
      for (const [from, ways] of edges) {
        if (reaching.has(from)) continue;
        if (!ways.some(({ to, hits }) => hits[index] || (to !== undefined && reaching.has(to)))) continue;
        reaching.add(from);
        grown = true;
      }
    }
    broken[index] = [...waiting].some(([key, states]) => states[index] === NOTED && !reaching.has(key));
  }
  return broken;
}

/** Which goals were met after the caller spoke last. */
function hitsInLastTurn(
  graph: AgentGraph,
  script: Script,
  call: Conversation,
  goals: readonly Parameters<typeof isAny>[0][],
): boolean[] {
  let turn = 0;
  let hits = goals.map(() => false);
  const lastUser = call.transcript.filter(({ role }) => role === "user").length;
  followTrace(
    graph,
    {
      transcript: call.transcript,
      endReason: call.endReason,
      startVariables: new Map(Object.entries(script.given).map(([name, value]) => [name, String(value)])),
    },
    {
      onEvent: (event) => {
        if (turn === lastUser) hits = hits.map((hit, index) => hit || isAny(goals[index] ?? [], event));
      },
      onWait: () => {
        turn++;
      },
    },
  );
  return hits;
}
