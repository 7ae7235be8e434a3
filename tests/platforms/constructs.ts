import type { FormatName } from "../../platforms/mod.ts";
import type { Path } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, parseGraph, type Transition } from "../../src/document/graph/mod.ts";

/** One construct of graphs, in a graph that has little else. */
export interface ConstructCase {
  /** What it is called in the table. */
  readonly title: string;
  readonly graph: (format: FormatName) => AgentGraph;
  /** Where it is in the graph. Losses there, around it and inside of it are the construct's. */
  readonly at: readonly Path[];
  /** What of a graph is the construct, without ids: equal before and after a graph is emitted and imported. */
  readonly read: (graph: AgentGraph, format: FormatName) => unknown;
  /** Other parts that the construct needs, which have rows of their own. */
  readonly needs?: readonly Path[];
}

const ASK = "Ask what the caller needs.";
const DONE = "Caller needs nothing else";

interface Parts {
  readonly nodes?: { readonly [id: string]: JsonObject };
  readonly source?: JsonObject;
  readonly rest?: JsonObject;
}

const to = (target: string, condition: JsonObject, rest: JsonObject = {}) => ({
  target_node_id: target,
  condition: { value: "", ...condition },
  ...rest,
});
const told = (target: string, value: string) => to(target, { type: "llm_prompt", value });
const equation = (...equations: readonly JsonObject[]) => ({ type: "equation", equations });
const always = { type: "always" };
const done = told("bye", DONE);

/** A node that asks and an end, with other parts. */
const graphOf = ({ nodes = {}, source = {}, rest = {} }: Parts = {}) =>
  parseGraph({
    entry_node_id: "ask",
    source_type: "custom",
    source_metadata: source,
    nodes: {
      ask: { node_type: "conversation", state_prompt: ASK, transitions: [done] },
      bye: { node_type: "end", state_prompt: "Say goodbye." },
      ...nodes,
    },
    ...rest,
  });

const ask = (parts: JsonObject) => ({ node_type: "conversation", state_prompt: ASK, transitions: [done], ...parts });

const OTHER = { node_type: "end", state_prompt: "Say good night." };

const nodesOf = (graph: AgentGraph) => Object.values(graph.nodes);
const conversations = (graph: AgentGraph) =>
  nodesOf(graph).filter(({ node_type: type, state_prompt: prompt }) => type === "conversation" && prompt.includes(ASK));
const ofType = (type: AgentNode["node_type"]) => (graph: AgentGraph) =>
  nodesOf(graph).filter(({ node_type: found }) => found === type);
const transitions = (graph: AgentGraph) => nodesOf(graph).flatMap(({ transitions: all }) => all);
const conditions = (type: string) => (graph: AgentGraph) =>
  transitions(graph)
    .filter(({ condition }) => condition.type === type)
    .map(({ condition: { value, equations, logical_operator: joint, outcome } }) => ({
      value: type === "equation" ? "" : value,
      outcome: outcome ?? null,
      joint: (equations ?? []).length > 1 ? (joint ?? "and") : null,
      equations: (equations ?? []).map(({ left, operator, right }) => [
        left,
        operator,
        right == null ? "" : String(right),
      ]),
    }));
const leadsTo = (graph: AgentGraph, wanted: (transition: Transition) => boolean) =>
  nodesOf(graph).flatMap((node) =>
    node.transitions
      .filter(wanted)
      .map(({ target_node_id: target }) => [
        node.node_type,
        graph.nodes[target]?.node_type,
        graph.nodes[target]?.state_prompt,
      ]),
  );
const tools = (graph: AgentGraph) => nodesOf(graph).flatMap(({ tools: all }) => all);
const has = (words: RegExp) => (graph: AgentGraph) => {
  const { original: _, callweave: __, ...source } = graph.source_metadata;
  return words.test(JSON.stringify({ ...graph, source_metadata: source }));
};

const ASKED: Path = ["nodes", "ask"];
const WAY: Path = [...ASKED, "transitions", 0];
const TOOL: Path = [...ASKED, "tools", 0];
const SOURCE: Path = ["source_metadata"];

const tool = (parts: JsonObject = {}) => ({
  name: "look_up",
  description: "Finds an order",
  type: "custom",
  url: "https://acme.test/orders",
  ...parts,
});
const withTool =
  (parts: JsonObject = {}) =>
  () =>
    graphOf({ nodes: { ask: ask({ tools: [tool(parts)] }) } });

const inEquation = (title: string, ...clauses: readonly JsonObject[]): ConstructCase => ({
  title,
  graph: () =>
    graphOf({
      nodes: {
        ask: ask({ transitions: [to("bye", equation(...clauses)), told("bye_too", "Caller asks")] }),
        bye_too: { node_type: "end", state_prompt: "Say good night." },
      },
    }),
  at: [WAY],
  read: conditions("equation"),
});

const note = (variable: JsonObject) => ({
  node_type: "extract",
  variables_to_extract: [{ description: "What the caller said", ...variable }],
  transitions: [to("bye", always)],
});
const variable = (title: string, parts: JsonObject): ConstructCase => ({
  title: `variable: ${title}`,
  graph: () =>
    graphOf({
      nodes: { ask: ask({ transitions: [told("note", "Caller answers")] }), note: note({ name: "topic", ...parts }) },
    }),
  at: [["nodes", "note", "variables_to_extract", 0]],
  needs: [["nodes", "note"]],
  read: (graph) =>
    ofType("extract")(graph).flatMap(({ variables_to_extract: all }) =>
      all.map(({ name, type, choices }) => [name, type, choices ?? []]),
    ),
});

const VOICES: { readonly [platform: string]: unknown } = {
  bland: "maya",
  elevenlabs: "cjVigY5qzO86Huf0OWal",
  pipecat: "sarah",
  retell: "11labs-Adrian",
  telnyx: "Telnyx.NaturalHD.astra",
  vapi: { provider: "11labs", voiceId: "sarah" },
};

const setting = (title: string, key: string, value: unknown, read: ConstructCase["read"]): ConstructCase => ({
  title,
  graph: () => graphOf({ source: { [key]: value } }),
  at: [[...SOURCE, key]],
  read,
});

/** Every construct that the table of formats has a row for. */
export const CONSTRUCTS: readonly ConstructCase[] = [
  {
    title: "conversation node with a prompt",
    graph: () => graphOf(),
    at: [[...ASKED, "state_prompt"]],
    read: (graph) =>
      conversations(graph).map(({ state_prompt: prompt, instruction_type: kind }) => [prompt, kind ?? "prompt"]),
  },
  {
    title: "conversation node with static text",
    graph: () => graphOf({ nodes: { ask: ask({ instruction_type: "static_text" }) } }),
    at: [
      [...ASKED, "state_prompt"],
      [...ASKED, "instruction_type"],
    ],
    read: (graph) =>
      conversations(graph).map(({ state_prompt: prompt, instruction_type: kind }) => [prompt, kind ?? "prompt"]),
  },
  {
    title: "extract node",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [told("note", "Caller answers")] }),
          note: note({ name: "topic", type: "string" }),
        },
      }),
    at: [["nodes", "note"]],
    read: (graph) =>
      ofType("extract")(graph).map(({ variables_to_extract: all }) =>
        all.map(({ name, description }) => [name, description]),
      ),
  },
  {
    title: "extract node with a prompt",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [told("note", "Caller answers")] }),
          note: { ...note({ name: "topic", type: "string" }), state_prompt: "Only what was said." },
        },
      }),
    at: [["nodes", "note", "state_prompt"]],
    needs: [["nodes", "note"]],
    read: (graph) => ofType("extract")(graph).map(({ state_prompt: prompt }) => prompt),
  },
  {
    title: "variables of a conversation node",
    graph: () => {
      const topic = { name: "topic", description: "What the caller said", type: "string" };
      return graphOf({ nodes: { ask: ask({ variables_to_extract: [topic] }) } });
    },
    at: [[...ASKED, "variables_to_extract"]],
    read: (graph) =>
      conversations(graph).flatMap(({ variables_to_extract: all }) =>
        all.map(({ name, description }) => [name, description]),
      ),
  },
  {
    title: "logic node",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [told("route", "Caller answers")] }),
          other: OTHER,
          route: {
            node_type: "logic",
            transitions: [to("bye", equation({ left: "plan", operator: "==", right: "gold" })), to("other", always)],
          },
        },
      }),
    // Telnyx joins its conditions with that of the way in
    at: [["nodes", "route"], WAY],
    read: (graph) => ofType("logic")(graph).map(({ transitions: all }) => all.map(({ condition }) => condition.type)),
  },
  {
    title: "function node",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [told("find", "Caller names an order")] }),
          find: { node_type: "function", tools: [tool()], transitions: [to("bye", always)] },
        },
      }),
    at: [["nodes", "find"]],
    read: (graph) =>
      ofType("function")(graph).map(({ tools: all }) =>
        all.map(({ name, description, url }) => [name, description, url]),
      ),
  },
  {
    title: "outcome of a function node's tool",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [told("find", "Caller names an order")] }),
          other: OTHER,
          find: {
            node_type: "function",
            tools: [tool()],
            transitions: [
              to("bye", { type: "tool_call", outcome: "succeeded" }),
              to("other", { type: "tool_call", outcome: "failed" }),
            ],
          },
        },
      }),
    at: [["nodes", "find", "transitions"]],
    needs: [["nodes", "find"]],
    read: (graph) => conditions("tool_call")(graph).map(({ outcome }) => outcome),
  },
  {
    title: "end",
    graph: () => graphOf({ nodes: { bye: { node_type: "end", state_prompt: "" } } }),
    at: [["nodes", "bye"]],
    read: (graph) => ofType("end")(graph).map(({ state_prompt: prompt }) => prompt),
  },
  {
    title: "end with a prompt",
    graph: () => graphOf(),
    at: [["nodes", "bye"]],
    read: (graph) => ofType("end")(graph).map(({ state_prompt: prompt }) => prompt),
  },
  {
    title: "transfer to a number",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [done, told("desk", "Caller wants a person")] }),
          desk: { node_type: "transfer", transfer_to: "+14155550100" },
        },
      }),
    at: [["nodes", "desk"]],
    read: (graph) => ofType("transfer")(graph).map((node) => /\+14155550100/.test(JSON.stringify(node))),
  },
  {
    title: "transition of a failed transfer",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [done, told("desk", "Caller wants a person")] }),
          desk: {
            node_type: "transfer",
            transfer_to: "+14155550100",
            transitions: [to("ask", { type: "tool_call", outcome: "failed" })],
          },
        },
      }),
    at: [["nodes", "desk", "transitions", 0]],
    read: (graph) =>
      ofType("transfer")(graph).map(({ transitions: all }) => all.map(({ condition }) => condition.outcome ?? null)),
  },
  {
    title: "global node",
    graph: () =>
      graphOf({
        nodes: {
          help: {
            node_type: "conversation",
            state_prompt: "Take a message.",
            transitions: [done],
            global_node_setting: { condition: "Caller asks for a manager", go_back_conditions: [] },
          },
        },
      }),
    at: [["nodes", "help", "global_node_setting"]],
    read: (graph) => nodesOf(graph).flatMap(({ global_node_setting: found }) => (found ? [found.condition] : [])),
  },
  {
    title: "go-back of a global node",
    graph: () =>
      graphOf({
        nodes: {
          help: {
            node_type: "conversation",
            state_prompt: "Take a message.",
            transitions: [done],
            global_node_setting: {
              condition: "Caller asks for a manager",
              go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "Caller goes on" } }],
            },
          },
        },
      }),
    at: [["nodes", "help", "global_node_setting"]],
    read: (graph) =>
      nodesOf(graph).flatMap(({ global_node_setting: found }) =>
        (found?.go_back_conditions ?? []).map(({ condition }) => condition.value),
      ),
  },
  {
    title: "LLM condition",
    graph: () => graphOf(),
    at: [WAY],
    read: conditions("llm_prompt"),
  },
  inEquation(
    "equation: ==, !=",
    { left: "plan", operator: "==", right: "gold" },
    { left: "city", operator: "!=", right: "Bonn" },
  ),
  inEquation(
    "equation: >, >=, <, <=",
    { left: "age", operator: ">=", right: "18" },
    { left: "age", operator: "<", right: "99" },
  ),
  inEquation(
    "equation: contains, not_contains",
    { left: "plan", operator: "contains", right: "gold" },
    { left: "plan", operator: "not_contains", right: "old" },
  ),
  inEquation(
    "equation: exists, not_exist",
    { left: "plan", operator: "exists" },
    { left: "city", operator: "not_exist" },
  ),
  {
    ...inEquation("equations joined by or"),
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({
            transitions: [
              to("bye", {
                ...equation(
                  { left: "plan", operator: "==", right: "gold" },
                  { left: "city", operator: "==", right: "Bonn" },
                ),
                logical_operator: "or",
              }),
            ],
          }),
        },
      }),
  },
  inEquation("equation with a variable on the right", { left: "plan", operator: "==", right: "{{wanted}}" }),
  {
    title: "fallback (else)",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [told("bye", DONE), to("more", always, { timing: "else" })] }),
          more: { node_type: "conversation", state_prompt: "Ask again.", transitions: [done] },
        },
      }),
    at: [[...ASKED, "transitions", 1]],
    read: (graph) => leadsTo(graph, ({ condition, timing }) => condition.type === "always" && timing === "else"),
  },
  {
    title: "always, when the caller has answered",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [to("more", always)] }),
          more: { node_type: "conversation", state_prompt: "Ask again.", transitions: [done] },
        },
      }),
    at: [WAY],
    read: (graph) =>
      leadsTo(
        graph,
        ({ condition, timing }) => condition.type === "always" && (timing ?? "after_speech") === "after_speech",
      ),
  },
  {
    title: "always, at once",
    graph: () =>
      graphOf({
        nodes: {
          ask: ask({ transitions: [to("more", always, { timing: "skip_response" })] }),
          more: { node_type: "conversation", state_prompt: "Ask again.", transitions: [done] },
        },
      }),
    at: [WAY],
    read: (graph) =>
      leadsTo(graph, ({ condition, timing }) => condition.type === "always" && timing === "skip_response"),
  },
  {
    title: "tool with a URL",
    graph: withTool(),
    at: [TOOL],
    read: (graph) => tools(graph).flatMap(({ name, description, url }) => (url ? [[name, description, url]] : [])),
  },
  {
    title: "tool: parameters",
    graph: withTool({
      parameters: {
        type: "object",
        properties: { number: { type: "string", description: "Number of the order" } },
        required: ["number"],
      },
    }),
    at: [[...TOOL, "parameters"]],
    read: (graph) =>
      tools(graph).flatMap(({ url, parameters }) => (url ? [[parameters?.properties, parameters?.required]] : [])),
  },
  {
    title: "tool: response variables",
    graph: withTool({ response_variables: { status: "$.order.status" } }),
    at: [[...TOOL, "response_variables"]],
    read: (graph) => tools(graph).flatMap(({ response_variables: all }) => Object.entries(all ?? {})),
  },
  {
    title: "tool: headers",
    graph: withTool({ metadata: { retell: { headers: { "X-Team": "blue" } } } }),
    at: [[...TOOL, "metadata"]],
    read: has(/"blue"/),
  },
  {
    title: "tool: method",
    graph: withTool({ metadata: { retell: { method: "PUT" } } }),
    at: [[...TOOL, "metadata"]],
    read: has(/PUT/),
  },
  {
    title: "tool: time limit",
    graph: withTool({ metadata: { retell: { timeout_ms: 15_000 } } }),
    at: [[...TOOL, "metadata"]],
    read: has(/\b15(?:[_,.]?000)?\b/),
  },
  variable("text", { type: "string" }),
  variable("number", { type: "number" }),
  variable("boolean", { type: "boolean" }),
  variable("enum", { type: "enum", choices: ["book", "cancel"] }),
  {
    title: "snippet",
    graph: () =>
      graphOf({
        nodes: { ask: ask({ state_prompt: "Ask. {%hours%}" }) },
        rest: { snippets: { hours: "We open at 9." } },
      }),
    at: [["snippets"], [...ASKED, "state_prompt"]],
    read: ({ snippets }) => snippets,
  },
  setting(
    "dynamic variables with defaults",
    "default_dynamic_variables",
    { plan: "gold" },
    (graph) => graph.source_metadata.default_dynamic_variables?.plan,
  ),
  setting("general prompt", "general_prompt", "Be kind.", (graph) => graph.source_metadata.general_prompt),
  {
    ...setting("begin message", "begin_message", "Good morning.", (graph) => graph.source_metadata.begin_message),
    // Bland says it in a node of its own
    needs: [["nodes", "begin_message"]],
  },
  setting(
    "start speaker: the caller",
    "start_speaker",
    "user",
    ({ source_metadata: source }) => source.start_speaker === "user" || source.begin_message === "",
  ),
  setting("name", "name", "Front desk", (graph) => graph.source_metadata.name),
  setting("language", "language", "de-DE", has(/"language":"de\b/)),
  {
    title: "voice",
    graph: (format) => graphOf({ source: { voice: pick(VOICES, format) } }),
    at: [[...SOURCE, "voice"]],
    read: (graph, format) =>
      has(new RegExp(String(Object.values(Object(pick(VOICES, format)))[0]).replace(/^.*?"?(\w+)"?$/, "$1")))(graph),
  },
  {
    title: "model",
    graph: () => graphOf({ rest: { default_model: "openai/gpt-4.1" } }),
    at: [["default_model"]],
    read: ({ default_model: model }) => model?.split("/").at(-1),
  },
];

function pick(all: { readonly [platform: string]: unknown }, format: FormatName): JsonObject {
  const [platform = ""] = format.split("-");
  return { [platform]: all[platform] };
}
