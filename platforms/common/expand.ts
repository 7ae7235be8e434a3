import type { AgentGraph, AgentNode } from "../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../src/values/mod.ts";
import type { Loss } from "../platform.ts";
import { languageOf } from "./languages.ts";

type Platform = "retell" | "vapi";
const TITLES = { retell: "Retell", vapi: "Vapi" };

/** A graph for one platform, with the losses of common settings. */
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
  const hasWords = language != null || voice != null;
  if (!hasWords && nodes.every(([id, node]) => node === graph.nodes[id])) return { graph, losses };
  const own = isRecord(graph.source_metadata[platform]) ? graph.source_metadata[platform] : {};
  const spoken = typeof language === "string" ? languageFor(platform, language, losses) : undefined;
  const heard = isRecord(voice) ? voiceFor(platform, voice, losses) : undefined;
  const settings = platform === "retell" ? retellSettings(own, spoken, heard) : vapiSettings(own, spoken, heard);
  return {
    graph: {
      ...graph,
      nodes: Object.fromEntries(nodes),
      source_metadata: {
        ...omit(graph.source_metadata, ["language", "voice"]),
        ...(spoken === undefined && heard === undefined ? {} : { [platform]: settings }),
      },
    },
    losses,
  };
}

function languageFor(platform: Platform, language: string, losses: Loss[]): string | undefined {
  const path = ["source_metadata", "language"];
  const found = languageOf(platform, language);
  const message = `${TITLES[platform]} does not support the language "${language}"`;
  if (found === undefined) {
    const hint = `Set a language of ${TITLES[platform]} in the ${platform} option`;
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
    const message = `The flow has no voice for ${TITLES[platform]}`;
    const [path, hint] = [["source_metadata", "voice"], `Add ${platform} to the voice`];
    losses.push({ code: "voice", kind: "dropped", path, message, hint });
  }
  return found;
}

function retellSettings(own: JsonObject, language: string | undefined, voice: unknown): JsonObject {
  const agent = {
    ...(language === undefined ? {} : { language }),
    ...(voice === undefined ? {} : { voice_id: voice }),
    ...(isRecord(own.agent) ? own.agent : {}),
  };
  return { ...own, agent };
}

function vapiSettings(own: JsonObject, language: string | undefined, voice: unknown): JsonObject {
  const shared = isRecord(own.membersOverrides) ? own.membersOverrides : {};
  const membersOverrides = {
    ...(language === undefined ? {} : { transcriber: { provider: "deepgram", language } }),
    ...(voice === undefined ? {} : { voice }),
    ...shared,
  };
  return { ...own, membersOverrides };
}

/** Adds the destination in Retell's form, which every emitter reads unless the node has its platform's own setting. */
function withDestination(node: AgentNode): AgentNode {
  const { transfer_to: to, ...rest } = node;
  if (typeof to !== "string") return node;
  const own = isRecord(node.metadata.retell) ? node.metadata.retell : {};
  const retell = {
    transfer_destination: { type: "predefined", number: to },
    ...(/^sips?:/i.test(to) ? { ignore_e164_validation: true } : {}),
    ...own,
  };
  return { ...rest, metadata: { ...node.metadata, retell } };
}
