import {
  type AnyFormatName,
  type CarriedSetting,
  type CheckFormat,
  checkFormat,
  type EmittedFile,
  emit,
  type Finding,
  type FormatName,
  formatNamed,
  formats,
  importAgent,
  platformOf,
  VOICE_VENDORS,
  voiceWords,
} from "../../../platforms/mod.ts";
import { type Path, PlatformError } from "../../base/errors.ts";
import { checkOptions, dropAt, getAt, isFlow, isRecord, type JsonObject, OPTION, rule } from "../../base/values/mod.ts";
import { type AgentGraph, originalOf, toGraph } from "../../document/graph/mod.ts";
import { extractSecrets, type SecretVariable, withTakenOut } from "../../document/secrets/mod.ts";
import { type Change, changesOf } from "./changes.ts";
import { type Construct, constructsOf } from "./constructs.ts";

/** Options of {@link convert}. */
export interface ConvertOptions<Name extends AnyFormatName = FormatName> {
  /** Format of the target. */
  readonly to: Name & CheckFormat<Name>;
  /** Format of the document. Default: detected from its keys. */
  readonly from?: AnyFormatName;
  /** The target's voice, as its own option takes it. Default: that of the source, if the target has the same one. */
  readonly voice?: string | { readonly [key: string]: unknown };
  /** BCP 47 tag. Default: that of the source. */
  readonly language?: string;
  /** The target's model. Default: the same model, by the target's name for it. */
  readonly model?: string;
  /** Values for the references to secrets. Default: the references stay. */
  readonly env?: { readonly [name: string]: string | undefined };
}

/** What a person has to decide, because the tables of the platforms do not say it. */
export interface Decision {
  readonly about: "voice" | "language" | "model" | "destination";
  readonly path: Path;
  readonly message: string;
  readonly hint: string;
}

/** An agent in another platform's format, and what is different there. */
export interface Conversion {
  /** Format that the agent was read from, or what wrote its graph. */
  readonly from: string;
  readonly to: FormatName;
  /** The agent with the settings that both platforms have, without secrets. */
  readonly graph: AgentGraph;
  /** The target's document, as `emit()` returns it. */
  readonly config: unknown;
  readonly text: string;
  /** Files beside the document, such as the program around a flow. */
  readonly files?: readonly EmittedFile[];
  /** Every part of the agent. */
  readonly constructs: readonly Construct[];
  /** What is not exact, the heaviest for callers first. */
  readonly changes: readonly Change[];
  readonly decisions: readonly Decision[];
  /** Secrets that were replaced by `{{env:NAME}}` references. */
  readonly secrets: readonly SecretVariable[];
  /** What could not be read as intended. */
  readonly findings: readonly Finding[];
}

const ACTION = "Cannot convert agent";
/** Code of the loss of a reference that may not be replaced, which only `emit()` with an environment knows. */
const FOREIGN_REFERENCE = "foreign-reference";

const RULES = {
  to: OPTION.text,
  from: OPTION.text,
  language: OPTION.text,
  model: OPTION.text,
  env: OPTION.object,
  voice: rule("a voice of the target: a text or an object", (value) => typeof value === "string" || isRecord(value)),
};

/**
 * Converts an agent to another platform's format: language, voice and model are taken over where both platforms have
 * them, secrets become references, and every part of the agent is said to be exact, emulated, dropped or refused.
 *
 * @param source A document of any format that can be imported, as text or as a parsed value, or a graph.
 * @throws {PlatformError} Like `importAgent()` and `emit()`.
 * @throws {GraphError} For an AgentGraph document with errors.
 */
export function convert<const Name extends AnyFormatName>(
  source: AgentGraph | string | { readonly [key: string]: unknown },
  options: ConvertOptions<Name>,
): Conversion {
  checkOptions(options ?? {}, RULES, PlatformError, ACTION);
  const wanted: unknown = options?.to;
  if (typeof wanted !== "string")
    throw new PlatformError(`${ACTION}: its target is missing`, {
      code: "invalid-option",
      path: ["to"],
      hint: `Set to, such as { to: "${formats()[0]?.name}" }`,
    });
  const to = formatNamed(wanted).name;
  const imported = isDocument(source) ? read(source, options.from) : { graph: toGraph(source, ACTION), findings: [] };
  const { graph: bare, variables } = extractSecrets(imported.graph);
  const { graph, decisions } = carryOver(bare, to, options);
  const { config, text, losses, files } = emit(
    graph,
    to,
    options.env === undefined ? {} : { env: options.env, allowEnv: variables.map(({ name }) => name) },
  );
  // what is reported has the references, also where the document has the values
  const { findings, losses: lost } = checkFormat(to, withTakenOut(graph, []));
  const known = [...losses.filter(({ code }) => code === FOREIGN_REFERENCE), ...lost];
  const changes = changesOf(known, findings);
  return {
    from: formatOf(imported.graph),
    to,
    graph,
    config,
    text,
    ...(files === undefined ? {} : { files }),
    constructs: constructsOf(
      imported.graph,
      [...known, ...decisions.map(({ path }) => ({ path, kind: "dropped" as const }))],
      findings,
    ),
    changes,
    decisions: [...decisions, ...openQuestions(changes)],
    secrets: variables,
    findings: imported.findings,
  };
}

/** Whether a value is to be imported: a text, or an object that is neither a graph nor a flow before `compile()`. */
function isDocument(source: unknown): boolean {
  if (typeof source === "string") return true;
  return isRecord(source) && !isFlow(source) && !("entry_node_id" in source && isRecord(source.nodes));
}

function read(text: unknown, from: AnyFormatName | undefined) {
  return importAgent(text, from === undefined ? {} : { format: formatNamed(from).name });
}

/** The format of the document that a graph was read from; a squad that Callweave emitted is read as the graph it was. */
function formatOf(graph: AgentGraph): string {
  return originalOf(graph)?.format ?? graph.source_type;
}

/** A graph with the settings that the target has too where all platforms read them, and what was not found there. */
function carryOver(
  graph: AgentGraph,
  to: FormatName,
  { voice, language, model }: Pick<ConvertOptions, "voice" | "language" | "model">,
): { readonly graph: AgentGraph; readonly decisions: readonly Decision[] } {
  const target = platformOf(to);
  const origin = platformOf(formatOf(graph));
  const carried = target === undefined || target.name === origin?.name ? [] : (origin?.settings.carried(graph) ?? []);
  const decisions: Decision[] = [];
  const set: { language?: string; voice?: JsonObject } = {};
  let left: JsonObject = { ...graph };
  const drop = ({ paths }: CarriedSetting) => {
    for (const path of paths) left = withoutPart(left, path);
  };
  for (const setting of carried) {
    if (setting.kind === "language") {
      set.language = setting.language;
      drop(setting);
      continue;
    }
    const found = voice ?? target?.settings.voiceFrom(setting.voice);
    if (found !== undefined && target) {
      set.voice = { [target.name]: found };
      drop(setting);
    } else if (target) {
      // a decision names it, so that no loss does once more
      decisions.push(voiceDecision(setting, origin?.title ?? "", target));
      drop(setting);
    }
  }
  if (language !== undefined) set.language = language;
  if (voice !== undefined && target) set.voice = { [target.name]: voice };
  const { source_metadata: source } = toGraph(left, ACTION);
  const whole = {
    ...left,
    source_metadata: { ...source, ...set },
    ...(model === undefined ? {} : { default_model: model }),
  };
  return { graph: toGraph(whole, ACTION), decisions };
}

/** Removes a setting, and the objects around it that held nothing else: an empty one would be reported as lost. */
function withoutPart(graph: JsonObject, path: Path): JsonObject {
  const left = dropAt(graph, path);
  const around = path.slice(0, -1);
  const value = getAt(left, around);
  const isEmpty = isRecord(value) && Object.keys(value).length === 0;
  return isEmpty && around.length > 1 ? withoutPart(left, around) : left;
}

function voiceDecision(
  { voice, words, paths }: Extract<CarriedSetting, { readonly kind: "voice" }>,
  origin: string,
  target: { readonly title: string; readonly settings: { readonly voiceKind: "text" | "object" } },
): Decision {
  const known = voice.id === undefined ? "" : `, whose id there is ${voice.id}`;
  const isOwn = !Object.hasOwn(VOICE_VENDORS, voice.vendor);
  const what = isOwn ? `is made by ${origin}` : `is ${voiceWords(voice)}${known}`;
  return {
    about: "voice",
    path: paths[0] ?? [],
    message: `The voice "${words}" ${what}; ${target.title} does not have it under this name`,
    hint: `Choose a voice of ${target.title}, and pass it with --voice (voice in code), as ${
      target.settings.voiceKind === "text" ? "its id" : "JSON"
    }`,
  };
}

/** Losses that only a person can mend, by what they are about. */
const ASKED: { readonly [code: string]: Exclude<Decision["about"], "voice"> } = {
  "unknown-model": "model",
  language: "language",
  "destination-missing": "destination",
};

function openQuestions(changes: readonly Change[]): readonly Decision[] {
  return changes.flatMap(({ code, state, path, message, hint }) => {
    const about = Object.hasOwn(ASKED, code) ? ASKED[code] : undefined;
    if (about === undefined || state === "emulated") return [];
    return [{ about, path, message, hint: hint ?? "" }];
  });
}
