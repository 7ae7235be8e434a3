import type { AgentGraph, AgentNode } from "../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, recordAt } from "../../src/values/mod.ts";
import { nearLanguage } from "../near_language.ts";
import type { Loss } from "../platform.ts";
import { retellLanguages } from "../retell/mod.ts";
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
 * Converts `language`, `voice` and `transfer_to` of a graph to a platform's own settings. Existing settings for that
 * platform take precedence.
 */
export function expandCommon(graph: AgentGraph, platform: Platform): Expanded {
  const { language, voice } = graph.source_metadata;
  const losses: Loss[] = [];
  const nodes = Object.entries(graph.nodes).map(([id, node]) => [id, withDestination(node)] as const);
  const hasSpeech = language != null || voice != null;
  if (!hasSpeech && nodes.every(([id, node]) => node === graph.nodes[id])) return { graph, losses };
  const { key, ...write } = PLATFORMS[platform];
  const own = recordAt(graph.source_metadata, platform);
  const languageTag = typeof language === "string" ? languageFor(platform, language, losses) : undefined;
  const voiceValue = isRecord(voice) ? voiceFor(platform, voice, losses) : undefined;
  const settings = {
    ...(languageTag === undefined ? {} : write.language(languageTag)),
    ...(voiceValue === undefined ? {} : write.voice(voiceValue)),
    ...recordAt(own, key),
  };
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

/** Adds the destination in Retell's form. Every emitter reads it, unless the node has a setting of its own platform. */
function withDestination(node: AgentNode): AgentNode {
  const { transfer_to: to, ...rest } = node;
  if (typeof to !== "string") return node;
  const retell = {
    transfer_destination: { type: "predefined", number: to },
    ...(/^sips?:/i.test(to) ? { ignore_e164_validation: true } : {}),
    ...recordAt(node.metadata, "retell"),
  };
  return { ...rest, metadata: { ...node.metadata, retell } };
}
