import type { AgentGraph, AgentNode, Metadata } from "../../src/graph/mod.ts";
import { getAt, isRecord, type JsonObject, nearLanguage, omit, recordAt, setAt } from "../../src/values/mod.ts";
import type { Loss } from "../platform.ts";
import { predefined, retellLanguages } from "../retell/mod.ts";
import { vapiLanguages } from "../vapi/mod.ts";

type Platform = "retell" | "vapi";

/** How each platform writes language and voice, and the settings key that contains them. */
const PLATFORMS = {
  retell: {
    title: "Retell",
    key: "agent",
    languages: retellLanguages,
    language: (language: string) => ({ language }),
    voice: (voice: unknown) => ({ voice_id: voice }),
  },
  vapi: {
    title: "Vapi",
    key: "membersOverrides",
    languages: vapiLanguages,
    language: (language: string) => ({ transcriber: { provider: "deepgram", language } }),
    voice: (voice: unknown) => ({ voice }),
  },
};

/** A graph for one platform, with the losses of its common settings. */
interface Expanded {
  readonly graph: AgentGraph;
  readonly losses: readonly Loss[];
}

/**
 * Converts `language`, `voice` and `transfer_to` of a graph to a platform's own settings. In code, existing settings for
 * that platform take precedence. An imported graph only has these fields if they were added, so they replace the
 * settings that were imported.
 */
export function expandCommon(graph: AgentGraph, platform: Platform): Expanded {
  const { language, voice } = graph.source_metadata;
  const losses: Loss[] = [];
  const isImported = graph.source_type.startsWith(platform);
  const destined = isImported ? replaceDestination[platform] : addDestination;
  const nodes = Object.entries(graph.nodes).map(([id, node]) => [id, withDestination(node, destined)] as const);
  const hasSpeech = language != null || voice != null;
  if (!hasSpeech && nodes.every(([id, node]) => node === graph.nodes[id])) return { graph, losses };
  const { key, ...write } = PLATFORMS[platform];
  const own = recordAt(graph.source_metadata, platform);
  const languageTag = typeof language === "string" ? languageFor(platform, language, losses) : undefined;
  const voiceValue = isRecord(voice) ? voiceFor(platform, voice, losses) : undefined;
  const common = {
    ...(languageTag === undefined ? {} : write.language(languageTag)),
    ...(voiceValue === undefined ? {} : write.voice(voiceValue)),
  };
  const settings = isImported ? { ...recordAt(own, key), ...common } : { ...common, ...recordAt(own, key) };
  return {
    graph: {
      ...graph,
      nodes: Object.fromEntries(nodes),
      source_metadata: {
        ...omit(graph.source_metadata, ["language", "voice"]),
        ...(languageTag === undefined && voiceValue === undefined ? {} : { [platform]: { ...own, [key]: settings } }),
      },
    },
    losses,
  };
}

function languageFor(platform: Platform, language: string, losses: Loss[]): string | undefined {
  const path = ["source_metadata", "language"];
  const { title, languages } = PLATFORMS[platform];
  const found = nearLanguage(languages(), language);
  const message = `${title} does not support the language "${language}"`;
  if (found === undefined) {
    const hint = `Set a language of ${title} in the ${platform} option`;
    losses.push({ code: "language", kind: "dropped", path, message, hint });
  } else if (language.includes("-") && !isSameSpeech(found, language)) {
    losses.push({ code: "language", kind: "emulated", path, message, instead: `"${found}"` });
  }
  return found;
}

/** Whether two language tags differ only in case or in the language's home region: `de`, `de-DE`. */
function isSameSpeech(found: string, wanted: string): boolean {
  return [found, `${found}-${found}`].some((tag) => tag.toLowerCase() === wanted.toLowerCase());
}

function voiceFor(platform: Platform, voice: JsonObject, losses: Loss[]): unknown {
  const found = voice[platform] ?? undefined;
  if (found === undefined) {
    const message = `The flow has no voice for ${PLATFORMS[platform].title}`;
    const [path, hint] = [["source_metadata", "voice"], `Add ${platform} to the voice`];
    losses.push({ code: "voice", kind: "dropped", path, message, hint });
  }
  return found;
}

/** Writes a destination into the metadata of a node. */
type Destined = (metadata: Metadata, to: string) => Metadata;

function withDestination(node: AgentNode, destined: Destined): AgentNode {
  const { transfer_to: to, ...rest } = node;
  return typeof to === "string" ? { ...rest, metadata: destined(node.metadata, to) } : node;
}

/** Adds the destination in Retell's form. Every emitter reads it, unless the node has a setting of its own platform. */
const addDestination: Destined = (metadata, to) => ({
  ...metadata,
  retell: { ...retellDestination(to), ...recordAt(metadata, "retell") },
});

/** Replaces the imported destination of a node. */
const replaceDestination: { readonly [platform in Platform]: Destined } = {
  retell: (metadata, to) => {
    const own = recordAt(metadata, "retell");
    return { ...metadata, retell: { ...own, ...retellDestination(to, own.transfer_destination) } };
  },
  vapi: (metadata, to) => {
    if (!isRecord(metadata.vapi)) return addDestination(metadata, to);
    const places = [["tool", "destination"], ["destination"], ["tool", "destinations", 0], ["destinations", 0]];
    const given = places.find((each) => isRecord(getAt(metadata.vapi, each)));
    const at = given ?? [...(isRecord(metadata.vapi.tool) ? ["tool"] : []), "destinations", 0];
    const written = vapiDestination(to, getAt(metadata.vapi, at));
    const [place, value] = at.at(-1) === 0 ? [at.slice(0, -1), [written]] : [at, written];
    return { ...metadata, vapi: setAt(metadata.vapi, place, value) };
  },
};

/** Keys of a destination that change with its number or address. */
const TARGET_KEYS = ["type", "number", "extension", "prompt", "numberE164CheckEnabled", "sipUri"];
const ASSISTANT_KEYS = ["assistantId", "assistantName"];
const othersOf = (before: unknown) => omit(isRecord(before) ? before : {}, [...TARGET_KEYS, ...ASSISTANT_KEYS]);
const isSip = (to: string) => /^sips?:/i.test(to);

function retellDestination(to: string, before?: unknown): JsonObject {
  return predefined(to, othersOf(before));
}

function vapiDestination(to: string, before: unknown): JsonObject {
  if (isSip(to)) return { type: "sip", sipUri: to, ...othersOf(before) };
  const unchecked = /^\+[1-9]\d{1,14}$/.test(to) ? {} : { numberE164CheckEnabled: false };
  return { type: "number", number: to, ...unchecked, ...othersOf(before) };
}
