import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import { own } from "../../../../src/values/mod.ts";
import { extractionOf, isTerminal } from "../../../lower/mod.ts";
import { type NamePool, slug } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { isNamed, joinTools, outcomeSource, toolOfNode, workGuard } from "../plan/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitCustomTool, emitDescription } from "./custom_tool.ts";
import type { EmittedTool } from "./emitted_tool.ts";
import { emitFailureNote } from "./failure_note.ts";

/** The tools with which a member does the work of nodes, and how the prompt speaks of them. */
export interface WorkTools {
  readonly tools: readonly Vapi.AssistantOverridesToolsAppendItem[];
  readonly toolIds: readonly string[];
  /** Name of the extract node's tool, by the node's id. */
  readonly extracts: ReadonlyMap<string, string>;
  /** Names of a function node's tools, by the node's id. */
  readonly functions: ReadonlyMap<string, readonly string[]>;
  /** Names of the tools that note a failure, by the tool that failed. */
  readonly failures: ReadonlyMap<string, string>;
}

/** The tools of all nodes that a member does the work of, each tool once. */
export function emitWorkTools(nodes: readonly AgentNode[], names: NamePool, context: EmitContext): WorkTools {
  const emitted: EmittedTool[] = [];
  const extracts = new Map<string, string>();
  const functions = new Map<string, readonly string[]>();
  const failures = new Map<string, string>();
  const known = new Map<string, string>();
  const flags = flagsOfTools(nodes, context);
  for (const node of nodes) {
    if (isTerminal(node)) continue;
    const mine: string[] = [];
    for (const [index, definition] of node.tools.entries()) {
      const key = JSON.stringify(definition);
      const seen = known.get(key);
      const place = { path: ["nodes", node.id, "tools", index], names, flags: flags.get(key) ?? [] };
      const made = seen === undefined ? emitCustomTool(definition, place, context) : undefined;
      if (made) addTool(made, emitted, place.path, context);
      if (made?.tool && place.flags.length > 0 && outcomeSource(definition) === "noted") {
        const note = emitFailureNote(made.name, place.flags, names);
        emitted.push(note);
        failures.set(made.name, note.name);
      }
      const name = seen ?? made?.name ?? "";
      known.set(key, name);
      mine.push(definition.tool_id && !definition.url ? `the tool of "${node.id}"` : name);
    }
    if (node.node_type === "function") {
      functions.set(node.id, mine);
      reportFunction(node, context);
    }
  }
  for (const group of sameExtractions(nodes)) {
    const [first] = group;
    if (!first) continue;
    // what reading a workflow puts between two of its nodes is called "from > to"
    const name = names.take(`extract_${slug(first.id.split(" > ")[0] ?? first.id)}`);
    emitted.push({ tool: emitExtract(group, first, name, context), name });
    extracts.set(first.id, name);
  }
  return {
    tools: emitted.flatMap(({ tool }) => tool ?? []),
    toolIds: emitted.flatMap(({ toolId }) => toolId ?? []),
    extracts,
    functions,
    failures,
  };
}

/** The variables that keep what each tool came to, by the tool: one for each of the nodes that asks. */
function flagsOfTools(nodes: readonly AgentNode[], { markers }: EmitContext): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const node of nodes)
    for (const definition of node.tools) {
      if (!markers.isAnswerRead(node, definition.name)) continue;
      const key = JSON.stringify(definition);
      found.set(key, [...(found.get(key) ?? []), markers.answered(node, definition.name)]);
    }
  return found;
}

/** Adds a tool to those of a member, or to the one of them that Vapi would take it for. */
function addTool(made: EmittedTool, emitted: EmittedTool[], path: Path, { losses }: EmitContext): void {
  for (const [index, { tool, name }] of made.tool && !isNamed(made.tool) ? emitted.entries() : []) {
    const joined = tool && made.tool && joinTools(tool, made.tool, path, losses);
    if (!joined) continue;
    emitted[index] = { tool: joined, name };
    return;
  }
  emitted.push(made);
}

/** Nodes that extract the same variables in the same words share a tool: ways that part only afterwards. */
function sameExtractions(nodes: readonly AgentNode[]): readonly (readonly AgentNode[])[] {
  const groups = new Map<string, AgentNode[]>();
  for (const node of nodes) {
    if (node.variables_to_extract.length === 0) continue;
    const key = JSON.stringify([node.variables_to_extract, node.node_type === "extract" ? node.state_prompt : ""]);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  return [...groups.values()];
}

/** A code tool that takes the variables as arguments and gives them back, so that its aliases put them in the call's bag. */
function emitExtract(
  group: readonly AgentNode[],
  node: AgentNode,
  name: string,
  context: EmitContext,
): Vapi.AssistantOverridesToolsAppendItem.Code {
  const { variables, losses } = context;
  const path = ["nodes", node.id, "variables_to_extract"];
  const extraction = extractionOf(node, group, context.graph);
  const properties = Object.entries(extraction.properties).map(
    ([key, schema]) => [variables.emitted(key), schema] as const,
  );
  const required = extraction.required.map((key) => variables.emitted(key));
  losses.emulated(
    "extraction-timing",
    path,
    "Vapi extracts no variables by itself",
    `the code tool "${name}": the model calls it, and the handoffs behind it are rejected until then`,
    "Let a conversation node ask for the values",
  );
  return {
    type: "code",
    function: {
      name,
      description: emitDescription(emitText(extraction.description, path, context), path, context),
      parameters: { type: "object", properties: Object.fromEntries(properties), required },
    },
    code: "return args;",
    messages: [],
    variableExtractionPlan: {
      aliases: [
        ...properties.map(([key]) => ({ key, value: required.includes(key) ? `{{$.${key}}}` : kept(key) })),
        ...group.map(({ id }) => ({ key: context.markers.extracted(id), value: "true" })),
      ],
    },
  };
}

/** What the caller has not said stays what it was. */
function kept(key: string): string {
  return `{{ $.${key} | default: ${key}, allow_false: true }}`;
}

function reportFunction(node: AgentNode, context: EmitContext): void {
  const tool = toolOfNode(node);
  const isSkippable = tool !== undefined && workGuard(node, context.markers) === undefined;
  context.losses.emulated(
    "function-execution",
    ["nodes", node.id],
    isSkippable ? `Vapi does not report whether "${tool.name}" was called` : "Vapi has no node that calls a function",
    isSkippable
      ? "a prompt that tells the model to call the tool; nothing stops it from going on without"
      : "the tool at each member that leads there, a prompt that tells the model to call it, and no way on before",
    "Set a variable from the tool's response, and compare it in the transitions that follow",
  );
}

/** What the prompt says about variables that a node which speaks extracts: nothing else there leads to their tool. */
export function noteLines(work: WorkTools, { graph, variables }: EmitContext): readonly string[] {
  return [...work.extracts].flatMap(([id, tool]) => {
    const node = own(graph.nodes, id);
    if (!node || node.node_type === "extract") return [];
    const names = node.variables_to_extract.map(({ name }) => variables.emitted(name));
    return [`- As soon as you know ${names.join(" and ")}: call ${tool}.`];
  });
}
