import { isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import { clauseVariables, expandedTexts, placeholderContents } from "../../../src/document/expressions/mod.ts";
import { type AgentGraph, agentName } from "../../../src/document/graph/mod.ts";
import type { EmittedFile } from "../../platform.ts";
import type { Code, FlowFunction, FlowModel } from "../shared/mod.ts";
import { type Handler, handlerOf } from "./handlers.ts";
import { docText, PythonNames, pythonText, pythonValue } from "./names.ts";
import { BOT, BOT_IMPORTS, RUNTIME, TRANSFER } from "./runtime.ts";

/** Names of the fixed part of `handlers.py`. */
const FIXED = [
  ...[
    "Unset",
    "text_of",
    "get_value",
    "set_value",
    "fill",
    "number",
    "holds",
    "value_at",
    "run_tool",
    "transfer_call",
    "run_transfer",
  ],
  ...["json", "re", "Decimal", "FlowManager", "TRANSITION_IN_YAML"],
];

/** Writes the code that a flow needs: its functions in `handlers.py`, and `bot.py`, which starts it. */
export function pythonFiles({
  flow,
  graph,
}: {
  readonly flow: FlowModel;
  readonly graph: AgentGraph;
}): readonly EmittedFile[] {
  const names = new PythonNames(FIXED);
  const handlers = new Map<string, Handler>();
  for (const each of [...flow.nodes.flatMap(({ functions }) => functions), ...flow.globals])
    if (!each.isOnly && !handlers.has(each.name)) handlers.set(each.name, handlerOf(each, codeOf(each), names));
  return [
    { path: "handlers.py", text: handlersText(flow, graph, [...handlers.values()]) },
    { path: "bot.py", text: botText(graph) },
  ];
}

const codeOf = ({ name, code }: FlowFunction): Code => code ?? { description: name, tool: { name, description: "" } };

function handlersText(flow: FlowModel, graph: AgentGraph, handlers: readonly Handler[]): string {
  const isTransfer = ({ code }: FlowFunction) =>
    isRecord(recordAt(code?.tool?.metadata ?? {}, "pipecat").transfer_destination);
  const acts = flow.nodes.some(({ post }) => post.some(({ handler }) => handler === "transfer_call"));
  const transfers = acts || flow.nodes.some(({ functions }) => functions.some(isTransfer));
  const entries = [
    ...handlers.map(({ name, identifier }) => `    ${pythonText(name)}: ${identifier},`),
    ...(transfers ? ['    "transfer_call": transfer_call,'] : []),
  ];
  const [set, unset] = stateOf(graph);
  const state = [
    "# Variables before the call. Those without a value show their placeholder.",
    "STATE: dict[str, Any] = {}",
    ...unset.map((name) => `set_value(STATE, ${pythonText(name)}, Unset(${pythonText(`{{${name}}}`)}))`),
    ...Object.entries(set).map(([name, value]) => `set_value(STATE, ${pythonText(name)}, ${pythonValue(value)})`),
  ];
  return [
    `"""The code behind flow.yaml${titleOf(graph)}.\n\nWritten by \`callweave emit\`. It keeps a file that you have edited.\n"""\n`,
    RUNTIME,
    ...(transfers ? ["", TRANSFER] : []),
    ...handlers.flatMap(({ code }) => ["", code]),
    "",
    `${state.join("\n")}\n`,
    `HANDLERS = {\n${entries.join("\n")}\n}\n`.replace("{\n\n}", "{}"),
  ].join("\n");
}

function titleOf(graph: AgentGraph): string {
  const name = agentName(graph);
  return name ? `: ${docText(name).replaceAll(/\s+/g, " ")}` : "";
}

/** The variables with a value before the call, and those that texts and equations use without one. */
function stateOf(graph: AgentGraph): readonly [set: JsonObject, unset: readonly string[]] {
  const { default_dynamic_variables: defaults } = graph.source_metadata;
  const set = isRecord(defaults) ? defaults : {};
  const texts = expandedTexts(graph).flatMap(([, text]) => placeholderContents(text));
  const equations = Object.values(graph.nodes).flatMap(({ transitions }) =>
    transitions.flatMap(({ condition }) => (condition.equations ?? []).flatMap(clauseVariables)),
  );
  const isName = (name: string) => /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name);
  const unset = [...new Set([...texts, ...equations])].filter((name) => isName(name) && !Object.hasOwn(set, name));
  return [set, unset.sort()];
}

function botText(graph: AgentGraph): string {
  const { voice } = recordAt(graph.source_metadata, "pipecat");
  const own = recordAt(recordAt(graph.source_metadata, "pipecat"), "agent").voice ?? voice;
  return [
    `"""Starts the flow${titleOf(graph)}: \`python bot.py\`.\n\nIt needs pipecat-ai[openai,runner,silero,webrtc], version 1.11 or later, and OPENAI_API_KEY.\n"""\n`,
    `${BOT_IMPORTS}`,
    `FLOW = "flow.yaml"`,
    `MODEL = "gpt-4.1"`,
    `VOICE = ${pythonValue(own)}`,
    "TRANSPORTS = {",
    ...["eval: EvalTransportParams", "webrtc: TransportParams"].map((each) => {
      const [name, type] = each.split(": ");
      return `    "${name}": lambda: ${type}(audio_in_enabled=True, audio_out_enabled=True),`;
    }),
    `}${BOT}`,
  ].join("\n");
}
