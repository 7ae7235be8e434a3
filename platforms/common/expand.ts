import { isRecord, type JsonObject, nearLanguage, omit, recordAt, sameJson } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import type { PlatformFacts } from "../facts.ts";
import { expandModel } from "../models.ts";
import type { Loss } from "../platform.ts";
import { expandDestinations } from "./destinations.ts";

/** A graph for one platform, with the losses of its common settings. */
interface Expanded {
  readonly graph: AgentGraph;
  readonly losses: readonly Loss[];
}

/**
 * Converts `language`, `voice`, `transfer_to` and `default_model` of a graph to a platform's own settings. In code,
 * existing settings for that platform take precedence. An imported graph only has the first three if they were added,
 * so they replace the settings that were imported.
 */
export function expandCommon(source: AgentGraph, facts: PlatformFacts): Expanded {
  const { name: platform, title, settings: write } = facts;
  const { language, voice } = source.source_metadata;
  const losses: Loss[] = [];
  const isImported = source.source_type.split("-")[0] === platform;
  const { key } = write;
  const lists = { title, ...write.models() };
  const graph = expandModel(expandDestinations(source, facts, isImported, losses), lists, isImported, losses);
  if (language == null && voice == null) return { graph, losses };
  const own = recordAt(graph.source_metadata, platform);
  const languageTag = typeof language === "string" ? languageFor(facts, language, losses) : undefined;
  const voiceValue = isRecord(voice) ? voiceFor(facts, voice, losses) : undefined;
  const common: JsonObject = {
    ...(languageTag === undefined ? {} : write.language(languageTag)),
    ...(voiceValue === undefined ? {} : write.voice(voiceValue)),
  };
  const settings: JsonObject = isImported ? { ...recordAt(own, key), ...common } : { ...common, ...recordAt(own, key) };
  for (const [name, value] of Object.entries(common).filter(([name, value]) => !sameJson(settings[name], value))) {
    const message = `The ${platform} option sets ${name}, so ${JSON.stringify(value)} is left out`;
    const path = ["source_metadata", name.startsWith("voice") ? "voice" : "language"];
    const hint = "Set one of them";
    losses.push({ code: "overridden", kind: "dropped", path, message, instead: JSON.stringify(settings[name]), hint });
  }
  const isSet = languageTag !== undefined || voiceValue !== undefined;
  return {
    graph: {
      ...graph,
      source_metadata: {
        ...omit(graph.source_metadata, ["language", "voice"]),
        ...(isSet ? { [platform]: { ...own, [key]: settings } } : {}),
      },
    },
    losses,
  };
}

function languageFor({ name, title, settings }: PlatformFacts, language: string, losses: Loss[]): string | undefined {
  const path = ["source_metadata", "language"];
  const found = nearLanguage(settings.languages(), language);
  const message = `${title} does not support the language "${language}"`;
  if (found === undefined) {
    const hint = `Set a language of ${title} in the ${name} option`;
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

function voiceFor({ name, title }: PlatformFacts, voice: JsonObject, losses: Loss[]): unknown {
  const found = voice[name] ?? undefined;
  if (found === undefined) {
    const message = `The flow has no voice for ${title}`;
    const [path, hint] = [["source_metadata", "voice"], `Add ${name} to the voice`];
    losses.push({ code: "voice", kind: "dropped", path, message, hint });
  }
  return found;
}
