import type { Path } from "../../../../src/base/errors.ts";
import { canonicalJson, groupBy, type Names } from "../../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../../src/document/graph/mod.ts";
import { extractionByTool, isTerminal } from "../../../lower/mod.ts";
import { functionSlug, type VapiTool } from "../common/mod.ts";
import { type EmitContext, joinTools, outcomeSource, toolOfNode } from "../plan/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitFailureNote } from "./code_tools.ts";
import { emitCustomTool } from "./custom_tool.ts";
import { answerOr, codeTool, type EmittedTool, emitDescription } from "./parts.ts";

/** The tools of a member's nodes, and their names for the prompt. */
export interface WorkTools {
  readonly tools: readonly VapiTool[];
  readonly toolIds: readonly string[];
  /** Name of the extract node's tool, by the node's id. */
  readonly extracts: ReadonlyMap<string, string>;
  /** Name of the function node's tool, by the node's id. */
  readonly functions: ReadonlyMap<string, string>;
  /** Names of the tools that report a failure, by the name of the tool that failed. */
  readonly failures: ReadonlyMap<string, string>;
  /** Indexes in `tools`, by the JSON of the graph's tools. */
  readonly places: ReadonlyMap<string, number>;
}

/** Emits the tools of all nodes that a member executes, each tool once. */
export function emitWorkTools(nodes: readonly AgentNode[], pool: Names, context: EmitContext): WorkTools {
  const { markers, losses } = context;
  const emitted: EmittedTool[] = [];
  const extracts = new Map<string, string>();
  const functions = new Map<string, string>();
  const failures = new Map<string, string>();
  const names = new Map<string, string>();
  const places = new Map<string, number>();
  // one variable for each node that reads the outcome of a tool
  const answers = nodes.flatMap((node) =>
    node.tools.map((tool) => ({ tool, flag: markers.readAnswer(node, tool.name) })),
  );
  const flagsOf = groupBy(answers, ({ tool, flag }) => flag && canonicalJson(tool));
  for (const node of nodes.filter((each) => !isTerminal(each))) {
    for (const [index, definition] of node.tools.entries()) {
      const key = canonicalJson(definition);
      if (names.has(key)) continue;
      const flags = (flagsOf.get(key) ?? []).flatMap(({ flag }) => flag ?? []);
      const place = { path: ["nodes", node.id, "tools", index], names: pool, flags };
      const made = emitCustomTool(definition, place, context);
      names.set(key, made.name);
      const isUnnamed = plainName(definition.name) === plainName(definition.type ?? "");
      if (!made.toolId && !isUnnamed && plainName(made.name) !== plainName(definition.name))
        losses.add("tool-renamed", place.path, definition.name, made.name);
      const at = addTool(made, emitted, place.path, context);
      places.set(key, emitted.slice(0, at).filter(({ tool }) => tool).length);
      if (!made.tool || flags.length === 0 || outcomeSource(definition) !== "noted") continue;
      const note = emitFailureNote(made.name, flags, pool);
      emitted.push(note);
      failures.set(made.name, note.name);
    }
    if (node.node_type !== "function") continue;
    const tool = toolOfNode(node);
    const isKept = tool?.tool_id && !tool.url;
    if (tool) functions.set(node.id, isKept ? `the tool of "${node.id}"` : (names.get(canonicalJson(tool)) ?? ""));
    const isSkippable = tool !== undefined && markers.work(node) === undefined;
    losses.add("function-execution", ["nodes", node.id], isSkippable ? tool.name : undefined);
  }
  // nodes that extract the same variables with the same instructions share a tool
  for (const [, group] of groupBy(nodes, extractionKey)) {
    const [first] = group;
    if (!first) continue;
    // extract nodes that the importer of workflows inserts have ids like "from > to"
    const name = pool.take(`extract_${functionSlug(first.id.split(" > ")[0] ?? first.id)}`);
    emitted.push({ tool: emitExtract(first, group, name, context), name });
    extracts.set(first.id, name);
  }
  return {
    tools: emitted.flatMap(({ tool }) => tool ?? []),
    toolIds: emitted.flatMap(({ toolId }) => toolId ?? []),
    extracts,
    functions,
    failures,
    places,
  };
}

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function extractionKey({ node_type, state_prompt, variables_to_extract: variables }: AgentNode): string | undefined {
  return variables.length > 0 ? canonicalJson([variables, node_type === "extract" ? state_prompt : ""]) : undefined;
}

/**
 * Adds a tool, or merges it into an existing tool if Vapi would keep only one of them.
 *
 * @returns The index of the tool.
 */
function addTool(made: EmittedTool, emitted: EmittedTool[], path: Path, { losses }: EmitContext): number {
  for (const [index, { tool, name }] of emitted.entries()) {
    const joined = tool && made.tool && joinTools(tool, made.tool, path, losses);
    if (!joined) continue;
    emitted[index] = { tool: joined, name };
    return index;
  }
  return emitted.push(made) - 1;
}

/** Emits a code tool that returns its arguments, so that its aliases set the extracted variables. */
function emitExtract(node: AgentNode, group: readonly AgentNode[], name: string, context: EmitContext): VapiTool {
  const { variables, losses, markers } = context;
  const path = ["nodes", node.id, "variables_to_extract"];
  const extraction = extractionByTool(node, group, context.graph);
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
