import { isRecord } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../src/document/platforms/mod.ts";
import type { FlowHead } from "../compile/mod.ts";
import type { FlowVoice } from "../generated/mod.ts";
import { array, type Code, call, name, object, type Property } from "./code.ts";
import type { EjectContext } from "./context.ts";
import type { DeclaredVariable } from "./declarations.ts";
import { optionCodes, platformSettings } from "./eject_edge.ts";
import type { EjectedTool } from "./eject_tool.ts";
import { propertyKey, stringCode } from "./text_code.ts";
import { compiles } from "./texts.ts";
import { valueCode } from "./value_code.ts";

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
export function ejectHead(graph: AgentGraph, parts: HeadParts, context: EjectContext): EjectedHead {
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
