import type { Path } from "../../../../src/errors.ts";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import { extractionOf, isTerminal } from "../../../lower/mod.ts";
import { type NamePool, slug } from "../common/mod.ts";
import { type EmitContext, isNamed, joinTools, outcomeSource, toolOfNode } from "../plan/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitFailureNote } from "./code_tools.ts";
import { emitCustomTool } from "./custom_tool.ts";
import { answerOr, codeTool, type EmittedTool, emitDescription, type Tool } from "./parts.ts";

/** The tools with which a member does the work of nodes, and their names for the prompt. */
export interface WorkTools {
  readonly tools: readonly Tool[];
  readonly toolIds: readonly string[];
  /** Name of the extract node's tool, by the node's id. */
  readonly extracts: ReadonlyMap<string, string>;
  /** Name of the function node's tool, by the node's id. */
  readonly functions: ReadonlyMap<string, string>;
  /** Names of the tools that note a failure, by the tool that failed. */
  readonly failures: ReadonlyMap<string, string>;
}

/** Emits the tools of all nodes whose work a member does, each tool once. */
export function emitWorkTools(nodes: readonly AgentNode[], names: NamePool, context: EmitContext): WorkTools {
  const emitted: EmittedTool[] = [];
  const extracts = new Map<string, string>();
  const functions = new Map<string, string>();
  const failures = new Map<string, string>();
  const known = new Map<string, string>();
  const flagsOf = outcomeFlags(nodes, context);
  for (const node of nodes.filter((each) => !isTerminal(each))) {
    for (const [index, definition] of node.tools.entries()) {
      const key = JSON.stringify(definition);
      if (known.has(key)) continue;
      const place = { path: ["nodes", node.id, "tools", index], names, flags: flagsOf.get(key) ?? [] };
      const made = emitCustomTool(definition, place, context);
      known.set(key, made.name);
      addTool(made, emitted, place.path, context);
      if (!made.tool || place.flags.length === 0 || outcomeSource(definition) !== "noted") continue;
      const note = emitFailureNote(made.name, place.flags, names);
      emitted.push(note);
      failures.set(made.name, note.name);
    }
    if (node.node_type !== "function") continue;
    const tool = toolOfNode(node);
    const isKept = tool?.tool_id && !tool.url;
    if (tool) functions.set(node.id, isKept ? `the tool of "${node.id}"` : (known.get(JSON.stringify(tool)) ?? ""));
    const isSkippable = tool !== undefined && context.markers.work(node) === undefined;
    context.losses.add("function-execution", ["nodes", node.id], isSkippable ? tool.name : undefined);
  }
  for (const group of sameExtractions(nodes)) {
    const [first] = group;
    // what reading a workflow puts between two of its nodes is called "from > to"
    const name = names.take(`extract_${slug(first.id.split(" > ")[0] ?? first.id)}`);
    emitted.push({ tool: emitExtract(group, name, context), name });
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

/** The variables that hold the outcome of each tool, by the tool: one for each of the nodes that ask. */
function outcomeFlags(nodes: readonly AgentNode[], { markers }: EmitContext): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const node of nodes)
    for (const definition of node.tools) {
      const key = JSON.stringify(definition);
      const flag = markers.readAnswer(node, definition.name);
      if (flag) found.set(key, [...(found.get(key) ?? []), flag]);
    }
  return found;
}

/** Adds a tool to those of a member, or joins it with the one of them that Vapi would take it for. */
function addTool(made: EmittedTool, emitted: EmittedTool[], path: Path, { losses }: EmitContext): void {
  for (const [index, { tool, name }] of made.tool && !isNamed(made.tool) ? emitted.entries() : []) {
    const joined = tool && made.tool && joinTools(tool, made.tool, path, losses);
    if (!joined) continue;
    emitted[index] = { tool: joined, name };
    return;
  }
  emitted.push(made);
}

type Group = [AgentNode, ...AgentNode[]];

/** Nodes that extract the same variables in the same words share a tool: ways that part only afterwards. */
function sameExtractions(nodes: readonly AgentNode[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const node of nodes) {
    if (node.variables_to_extract.length === 0) continue;
    const key = JSON.stringify([node.variables_to_extract, node.node_type === "extract" ? node.state_prompt : ""]);
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  return [...groups.values()];
}

/** A code tool that takes the variables as arguments and returns them, so that its aliases set them in the call. */
function emitExtract(group: Group, name: string, context: EmitContext): Tool {
  const { variables, losses, markers } = context;
  const [node] = group;
  const path = ["nodes", node.id, "variables_to_extract"];
  const extraction = extractionOf(node, group, context.graph);
  const properties = Object.entries(extraction.properties).map(
    ([key, schema]) => [variables.emitted(key), schema] as const,
  );
  const required = extraction.required.map((key) => variables.emitted(key));
  losses.add("extraction-timing", path, name);
  return codeTool({
    name,
    description: emitDescription(emitText(extraction.description, path, context), path, context),
    parameters: { type: "object", properties: Object.fromEntries(properties), required },
    code: "return args;",
    aliases: [
      ...properties.map(([key]) => ({
        key,
        value: required.includes(key) ? `{{$.${key}}}` : answerOr(`$.${key}`, key),
      })),
      ...group.map(({ id }) => ({ key: markers.extracted(id), value: "true" })),
    ],
  });
}
