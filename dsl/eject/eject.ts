import { FlowError } from "../../src/base/errors.ts";
import { checkOptions, isRecord, OPTION, sameJson } from "../../src/base/values/mod.ts";
import {
  type AgentGraph,
  ORIGINAL,
  type OriginalDocument,
  originalOf,
  parseGraph,
  toGraph,
  type VariableExtraction,
} from "../../src/document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../src/document/platforms/mod.ts";
import { parseScenarios, plainScenario, type ScenarioSource } from "../../src/document/scenario/mod.ts";
import { compileFlow, type FlowHead, variableExtraction } from "../compile/mod.ts";
import { missingFields } from "../document_fields.ts";
import type { FlowVoice } from "../generated/mod.ts";
import {
  Constants,
  compiles,
  type DeclaredVariable,
  declaredSnippets,
  declaredTools,
  declaredVariables,
  wordsFor,
} from "./declarations.ts";
import { type EjectContext, type EjectedNode, ejectNode, optionCodes, platformSettings } from "./eject_node.ts";
import { scenarioFile } from "./eject_scenarios.ts";
import { type EjectedFile, type EjectedTool, ejectTool, flowFiles } from "./module_text.ts";
import { CodeNames } from "./names.ts";
import {
  array,
  type Code,
  call,
  name,
  object,
  type Property,
  propertyKey,
  stringCode,
  valueCode,
} from "./print_code.ts";

/** Options of {@link eject}. */
export interface EjectOptions {
  /** Name of the flow, for graphs without one. Default: `agent`. */
  readonly name?: string;
  /** Scenarios to write beside the flow, in `scenarios.ts`. */
  readonly scenarios?: readonly ScenarioSource[];
}

/**
 * Writes a graph as TypeScript code that uses the builder. Compiling it gives the same document; what the builder has no
 * option for is in options called `document`.
 *
 * @returns `flow.ts`, which exports the compiled flow, and the files that it imports: long prompts in `prompts.ts`,
 *   settings of platforms in `platform.ts`, tools in `tools.ts`, the nodes of large graphs in `parts/`, and the
 *   document that the graph was imported from in `original.json`.
 * @throws {FlowError} `empty-name`, if a node's id is blank: flows cannot declare it.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 * @throws {GraphError} `not-a-graph`, and what `parseGraph()` throws.
 */
export function eject(graph: AgentGraph, options: EjectOptions = {}): readonly EjectedFile[] {
  checkOptions(options, { name: OPTION.text, scenarios: OPTION.list }, FlowError, "Cannot eject a graph");
  // documents do not contain what is attached to a graph, such as functions of tools
  const wanted = parseGraph(JSON.parse(JSON.stringify(toGraph(graph, "Cannot eject a graph"))));
  const scenarios = parseScenarios((options.scenarios ?? []).map(plainScenario));
  const flowName = [wanted.source_metadata.name, options.name].find((each) => each?.trim()) ?? "agent";
  const names = new CodeNames();
  const constant = names.constant(flowName, "", "agent");
  const constants = new Constants(names);
  const tools = [...declaredTools(wanted).values()].map((definition) => ({
    ...ejectTool(definition),
    constant: names.constant(definition.name, "", "tool"),
  }));
  const definitions = new Map(tools.map(({ tool }) => [tool.name, tool.definition]));
  const variables = declaredVariables(wanted, definitions);
  const filled = tools.flatMap(({ tool }) => Object.keys(tool.responseVariables));
  const known = new Map<string, VariableExtraction>([
    ...filled.map((key) => [key, { name: key, description: "", type: "string" }] as const),
    ...[...variables].map(([key, { variable }]) => [key, variableExtraction(key, variable)] as const),
  ]);
  const fillable = new Map([...variables].map(([key, { extraction }]) => [key, extraction]));
  const snippets = declaredSnippets(wanted, known);
  const context: EjectContext = { variables: known, fillable, snippets, tools: definitions, constants };

  const { head, entries } = ejectHead(wanted, { name: flowName, variables, tools }, context);
  const nodes = Object.values(wanted.nodes).map((node) => ({ ...ejectNode(node, context), words: wordsFor(node) }));
  const { document, code } = headDocument(wanted, head, nodes, context);
  const whole = document ? { ...head, document } : head;
  const compiled = compileFlow(
    whole,
    nodes.map(({ node }) => node),
  );
  if (!sameJson(compiled, wanted)) throw new TypeError("the ejected flow compiles to another document");
  const original = originalFile(wanted);
  return [
    ...flowFiles({
      name: flowName,
      constant,
      head: object([...entries, ...code], true),
      nodes,
      tools,
      constants,
      names,
    }),
    ...(scenarios.length > 0 ? [scenarioFile(scenarios, wanted, constant)] : []),
    ...(original ? [{ path: original.path, text: original.text }] : []),
  ];
}

/** The fields that the options of a flow cannot express. */
function headDocument(wanted: AgentGraph, head: FlowHead, nodes: readonly EjectedNode[], context: EjectContext) {
  const compiled = compileFlow(
    head,
    nodes.map(({ node }) => node),
  );
  const document = missingFields(compiled, wanted);
  if (Object.keys(document).length === 0) return { code: [] };
  const original = originalFile(wanted);
  const rest = document.source_metadata;
  const plain = original && isRecord(rest) ? { ...document, source_metadata: without(rest, ORIGINAL) } : document;
  const [property] = optionCodes({ document: plain }, "platform", context);
  if (!property) return { document, code: [] };
  const isUnnamed = isRecord(rest) && Object.hasOwn(rest, "name") && rest.name === undefined;
  const explained = isUnnamed ? withSource(property, explainedName) : property;
  return { document, code: [original ? withFile(explained, original) : explained] };
}

const UNNAMED = "The agent has no name of its own. Remove this line, and it gets the flow's.";

/** A removed key would be a riddle without words. */
function explainedName(entries: readonly Property[]): readonly Property[] {
  return entries.map((entry) => (entry.key === "name" ? { ...entry, comment: UNNAMED } : entry));
}

function without(record: { readonly [key: string]: unknown }, key: string) {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== key));
}

interface OriginalFile extends OriginalDocument {
  readonly path: string;
}

/** The imported document, if a file can represent it exactly. */
function originalFile(graph: AgentGraph): OriginalFile | undefined {
  const original = originalOf(graph);
  if (!original || Object.keys(original).length !== 2) return undefined;
  const { format, text } = original;
  // files cannot contain lone surrogates, and runtimes handle byte order marks differently
  if (/\p{Cs}|^\ufeff/u.test(text)) return undefined;
  return { format, text, path: /^\s*[[{]/.test(text) ? "original.json" : "original.txt" };
}

const COMMENT = "The agent as it was imported. emit() writes changes into it, so that everything else stays as it is.";

/** Adds code that attaches the imported document, read from its file. */
function withFile(property: Property, { format, path }: OriginalFile): Property {
  const read = name(`readFileSync(new URL("./${path}", import.meta.url), "utf8")`);
  const value = object([
    { key: "format", value: stringCode(format) },
    { key: "text", value: read },
  ]);
  const original: Property = { key: ORIGINAL, value, comment: COMMENT };
  return withSource(property, (inner) => [...inner, original]);
}

/** Changes the code of `source_metadata` in the option `document`. */
function withSource(property: Property, change: (entries: readonly Property[]) => readonly Property[]): Property {
  const isSource = ({ key }: Property) => key === "source_metadata";
  const entries = entriesOf(property.value);
  const inner = entriesOf(entries.find(isSource)?.value);
  const source: Property = { key: "source_metadata", value: object([...change(inner)], true) };
  return { ...property, value: object([...entries.filter((each) => !isSource(each)), source], true) };
}

function entriesOf(code: Code | undefined): readonly Property[] {
  return code?.kind === "object" ? code.entries : [];
}

/** The inputs of a flow's options. */
export interface HeadParts {
  readonly name: string;
  readonly variables: ReadonlyMap<string, DeclaredVariable>;
  readonly tools: readonly (EjectedTool & { readonly constant: string })[];
}

/** A flow's options without `document`, and their code. */
export interface EjectedHead {
  readonly head: FlowHead;
  readonly entries: readonly Property[];
}

/** Writes the options of `flow()`. */
function ejectHead(graph: AgentGraph, parts: HeadParts, context: EjectContext): EjectedHead {
  const {
    general_prompt: prompt,
    begin_message: opening,
    start_speaker: speaker,
    language,
    voice,
  } = graph.source_metadata;
  const [first] = Object.keys(graph.nodes);
  const isSayable = (text: string | null | undefined): text is string =>
    typeof text === "string" && compiles(text, context);
  const snippets = Object.fromEntries(Object.entries(graph.snippets).filter(([key]) => context.snippets.includes(key)));
  const platforms = platformSettings("flow", graph.source_metadata);
  const plain = {
    ...(speaker === "agent" || speaker === "user" ? { startSpeaker: speaker } : {}),
    ...(typeof language === "string" && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(language) ? { language } : {}),
    ...voiceOption(voice),
    ...(typeof graph.default_model === "string" ? { model: graph.default_model } : {}),
    ...(graph.entry_node_id === first ? {} : { start: graph.entry_node_id }),
  };
  const { constants } = context;
  const entries: readonly Property[] = [
    ...(isSayable(prompt) ? [{ key: "prompt", value: constants.text(prompt, "general", "Prompt", context) }] : []),
    ...(isSayable(opening)
      ? [{ key: "beginMessage", value: constants.text(opening, "begin", "Message", context) }]
      : []),
    ...optionCodes(plain, parts.name, context),
    ...group(
      "variables",
      [...parts.variables].map(([key, each]) => ({ key: propertyKey(key), value: variableCode(each) })),
    ),
    ...group(
      "snippets",
      Object.entries(snippets).map(([key, text]) => ({
        key: propertyKey(key),
        value: constants.text(text, key, "Snippet", context),
      })),
    ),
    ...(parts.tools.length > 0
      ? [{ key: "tools", value: array(parts.tools.map(({ constant }) => name(constant))) }]
      : []),
    ...optionCodes(platforms, parts.name, context),
  ];
  const variables = Object.fromEntries([...parts.variables].map(([key, { variable }]) => [key, variable]));
  const head: FlowHead = {
    name: parts.name,
    ...(isSayable(prompt) ? { prompt } : {}),
    ...(isSayable(opening) ? { beginMessage: opening } : {}),
    ...plain,
    variables,
    snippets,
    tools: parts.tools.map(({ tool }) => tool),
    ...platforms,
  };
  return { head, entries };
}

function group(key: string, entries: readonly Property[]): readonly Property[] {
  return entries.length > 0 ? [{ key, value: object(entries, true) }] : [];
}

/** The option `voice`, with the ids of platforms that have voices by id. */
function voiceOption(voice: unknown): { readonly voice?: FlowVoice } {
  const ids = PLATFORM_NAMES.flatMap((name) => {
    const id = isRecord(voice) && PLATFORM_DATA[name].voiceKind === "text" ? voice[name] : undefined;
    return typeof id === "string" ? [[name, id] as const] : [];
  });
  return ids.length > 0 ? { voice: Object.fromEntries(ids) } : {};
}

const MAKERS = { string: "text", number: "number", boolean: "boolean", enum: "choice" };

function variableCode({ variable }: DeclaredVariable): Code {
  const { type, description, choices, default: value, document } = variable;
  const options = [
    ...(value === undefined ? [] : [{ key: "default", value: valueCode(value) }]),
    ...(document ? [{ key: "document", value: valueCode(document) }] : []),
  ];
  const args = [
    stringCode(description),
    ...(type === "enum" ? [valueCode(choices)] : []),
    ...(options.length > 0 ? [object(options)] : []),
  ];
  return call(MAKERS[type], ...args);
}
