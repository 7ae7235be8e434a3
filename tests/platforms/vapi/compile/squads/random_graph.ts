import { isRecord, type JsonObject } from "../../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../../src/document/graph/mod.ts";
import type { ToolMock } from "../../../../../src/document/scenario/mod.ts";
import { seeded } from "../../../mutate.ts";
import { graphOf } from "../graphs.ts";
import type { ComparedCall } from "./compared_call.ts";

const LINES = ["Yes.", "No.", "Seven.", "Well.", "Bye."];
const ANSWERS = 120;
const VALUES: { readonly [name: string]: readonly unknown[] } = {
  pain: [0, 3, 7, 8.5, -1, 1e21, null],
  topic: ["book", "cancel", "other", null],
  name: ["Anna", "book", "7", null],
  urgent: [true, false, null],
};

/** Generates a graph with every feature that squads emulate, and a call on it, from a seed. */
export function comparedCall(seed: number): ComparedCall {
  const random = seeded(seed);
  const likely = (share: number) => random() < share;
  const any = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new TypeError("nothing to choose from");
    return item;
  };
  const talking = ["greet", "ask", "book", "offer"];
  const silent = ["route", "sort", "note", "read", "look_up", "reserve", "retry"].filter(() => likely(0.7));
  const ids = [...talking, ...silent, "bye", "desk"];
  const isGlobalUsed = likely(0.5);
  if (isGlobalUsed) ids.push("manager");

  const clause = () =>
    any([
      { left: "pain", operator: any([">", ">=", "<", "<="]), right: any(["7", "0", "-0.5", "8.50", "1e3"]) },
      { left: "topic", operator: any(["==", "!="]), right: any(["book", "cancel"]) },
      { left: "name", operator: any(["exists", "not_exist", "contains", "not_contains"]), right: "nn" },
      { left: "name", operator: "==", right: any(["Anna", "{{topic}}", "7"]) },
      { left: "urgent", operator: "==", right: any(["true", "false"]) },
      { left: "urgent", operator: any(["exists", "not_exist"]) },
      { left: "status", operator: any(["==", "!=", "exists"]), right: "free" },
      { left: "plan", operator: any(["==", ">="]), right: any(["gold", "3"]) },
    ]);
  const equation = (): JsonObject => ({
    type: "equation",
    value: "",
    equations: Array.from({ length: any([1, 1, 2, 3]) }, clause),
    logical_operator: any(["and", "or"]),
  });
  let count = 0;
  /** Unique conditions, so that a tool's description identifies its transition. */
  const told = (): JsonObject => ({ type: "llm_prompt", value: `Caller says ${any(LINES)} (${++count})` });
  const edge = (target_node_id: string, condition: JsonObject, timing?: string): JsonObject => ({
    target_node_id,
    condition,
    ...(timing ? { timing } : {}),
  });
  const always = { type: "always", value: "" };
  const some = <Item>(most: number, make: () => Item) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  const isRequest = new Map([
    ["find_slot", likely(0.6)],
    ["book_slot", likely(0.6)],
  ]);
  const tools = new Map(
    ["find_slot", "book_slot"].map((name): [string, JsonObject] => [
      name,
      {
        name,
        description: "",
        ...(isRequest.get(name) ? { url: "https://example.com/f" } : {}),
        ...(likely(0.5) ? { parameters: { type: "object", properties: { day: { type: "string" } } } } : {}),
        response_variables: likely(0.5) ? { status: "$.status" } : {},
      },
    ]),
  );
  const own = new Map(talking.map((id) => [id, likely(0.25) ? any([...tools.keys()]) : undefined]));
  const talk = (id: string): JsonObject => ({
    state_prompt: `At ${id}, ask. {{name}}`,
    tools: [...tools].flatMap(([name, tool]) => (own.get(id) === name ? [tool] : [])),
    ...(likely(0.15) ? { instruction_type: "static_text" } : {}),
    transitions: [
      ...(likely(0.25) ? [edge(any(ids), equation())] : []),
      ...some(3, () => edge(any(ids), told())),
      ...(likely(0.4) ? [edge(any(ids), always, "else")] : []),
      ...(likely(0.1) ? [edge(any(talking.filter((each) => each !== id)), always)] : []),
    ],
  });
  const routing = (): JsonObject[] => [
    ...some(3, () => edge(any(ids), equation())),
    ...(likely(0.15) ? [edge(any(ids), told())] : []),
    edge(any([...talking, "bye"]), always),
  ];
  const extracting = (): JsonObject => ({
    node_type: "extract",
    variables_to_extract: [
      { name: "pain", description: "How bad", type: "number" },
      { name: "topic", description: "Topic", type: "enum", choices: ["book", "cancel", "other"] },
      { name: "name", description: "Name", type: "string" },
      { name: "urgent", description: "Urgent", type: "boolean" },
    ].filter(() => likely(0.6)),
    transitions: routing(),
  });
  const calling = (name: string): JsonObject => ({
    node_type: "function",
    state_prompt: likely(0.3) ? "Use what the caller said." : "",
    tools: [tools.get(name) ?? {}],
    transitions: [
      ...(likely(0.7) ? [edge(any(ids), { type: "tool_call", value: "", outcome: "succeeded" })] : []),
      ...(likely(0.7) ? [edge(any(ids), { type: "tool_call", value: "", outcome: "failed" })] : []),
      ...routing(),
    ],
  });
  const make: { readonly [id: string]: () => JsonObject } = {
    route: () => ({ node_type: "logic", transitions: routing() }),
    sort: () => ({ node_type: "logic", transitions: routing() }),
    note: extracting,
    read: extracting,
    look_up: () => calling("find_slot"),
    reserve: () => calling("book_slot"),
    retry: () => calling(any(["find_slot", "book_slot"])),
  };
  const nodes: { [id: string]: JsonObject } = {};
  for (const id of talking) nodes[id] = talk(id);
  for (const id of silent) nodes[id] = make[id]?.() ?? {};
  nodes.bye = { node_type: "end", state_prompt: "Say goodbye." };
  nodes.desk = { node_type: "transfer", metadata: { callweave: { destination: { number: "+14155550101" } } } };
  if (isGlobalUsed)
    nodes.manager = {
      state_prompt: "Take a message.",
      global_node_setting: {
        condition: "Caller asks for a manager",
        go_back_conditions: [{ id: "back", condition: likely(0.8) ? told() : equation() }],
      },
      transitions: some(1, () => edge(any(["greet", "bye"]), told())),
    };
  const graph: AgentGraph = graphOf(nodes, {
    source_metadata: { general_prompt: "Be kind. Plan: {{plan}}.", default_dynamic_variables: { plan: "silver" } },
  });
  const sparse = (name: string) => (isRequest.get(name) && ![...own.values()].includes(name) ? [{}] : []);
  // a tool without a URL fails first: after a success at a member, a failure cannot be reported there
  const mock = (tool_name: string): ToolMock[] =>
    [...some(2, () => 1), 0].map((times) => ({
      tool_name,
      input_match_rule: { type: "any" },
      // only a code tool keeps a variable if the response lacks its value
      output: JSON.stringify(any([{ status: "free" }, { status: "taken" }, { status: 4 }, ...sparse(tool_name)])),
      result: times === 0 || (likely(0.5) && isRequest.get(tool_name) === true),
      ...(times > 0 ? { times } : {}),
    }));
  return {
    graph,
    lines: Array.from({ length: 12 }, () => any(LINES)),
    answers: {
      transition: Array.from({ length: ANSWERS }, () => (input: JsonObject) => {
        const offers = Array.isArray(input.available_transitions) ? input.available_transitions.filter(isRecord) : [];
        const target = likely(0.8) && offers.length > 0 ? String(any(offers).target) : "none";
        return { objectives_complete: likely(0.9), transition_to: target };
      }),
      respond: Array.from({ length: 4 * ANSWERS }, (_, index) => (input: JsonObject) => {
        const here = /At (\w+), ask/.exec(String(input.state_instructions))?.[1] ?? "";
        const tool = index % 2 === 0 && likely(0.5) ? own.get(here) : undefined;
        return tool ? { toolCalls: [{ name: tool, arguments: { day: `Day ${index}` } }] } : "…";
      }),
      extract: Array.from({ length: ANSWERS }, () => (input: JsonObject) => {
        const wanted = Array.isArray(input.variables) ? input.variables.filter(isRecord) : [];
        return Object.fromEntries(wanted.map(({ name }) => [String(name), any(VALUES[String(name)] ?? [null])]));
      }),
      arguments: Array.from({ length: ANSWERS }, () => ({ day: "Monday" })),
    },
    mocks: [...mock("find_slot"), ...mock("book_slot")],
    variables: likely(0.5) ? { plan: any(["gold", "3", 4, "x"]) } : {},
    typed: likely(0.5),
  };
}
