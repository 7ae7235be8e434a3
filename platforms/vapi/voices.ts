import type { Path } from "../../src/base/errors.ts";
import { type JsonObject, recordAt, sameJson } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { type CarriedSetting, elevenLabsVoice, type VendorVoice } from "../voices.ts";

/** Vapi's `voice.provider` of a vendor, https://docs.vapi.ai/providers/voice/overview. */
const PROVIDERS: { readonly [vendor: string]: string } = {
  azure: "azure",
  cartesia: "cartesia",
  deepgram: "deepgram",
  elevenlabs: "11labs",
  hume: "hume",
  inworld: "inworld",
  lmnt: "lmnt",
  minimax: "minimax",
  neuphonic: "neuphonic",
  openai: "openai",
  playht: "playht",
  rime: "rime-ai",
  smallest: "smallest-ai",
};
const VENDORS = new Map(Object.entries(PROVIDERS).map(([vendor, provider]) => [provider, vendor]));

function vapiVoice(provider: string, id: string): VendorVoice {
  // people write ElevenLabs in their own ways, and Vapi takes some of them
  const vendor = /^(?:11|eleven)-?labs$/.test(provider) ? "elevenlabs" : (VENDORS.get(provider) ?? provider);
  return vendor === "elevenlabs" ? elevenLabsVoice(id) : { vendor, id };
}

/** Vapi's setting of a vendor's voice. Vapi takes the ids of its vendors as they are. */
export function vapiVoiceFrom({ vendor, id }: VendorVoice): JsonObject | undefined {
  const provider = Object.hasOwn(PROVIDERS, vendor) ? PROVIDERS[vendor] : undefined;
  if (provider === undefined || id === undefined) return undefined;
  return { provider, voiceId: id };
}

/** Voice and language of an imported Vapi agent: those of all members, or those of the member that takes the call. */
export function vapiCarried(graph: AgentGraph): readonly CarriedSetting[] {
  const all = placesOf(graph);
  const voices = all.flatMap(({ settings, path }) => {
    const { provider, voiceId } = recordAt(settings, "voice");
    if (typeof provider !== "string" || typeof voiceId !== "string") return [];
    return [{ value: [provider, voiceId] as const, path: [...path, "voice"] }];
  });
  const languages = all.flatMap(({ settings, path }) => {
    const { language } = recordAt(settings, "transcriber");
    return typeof language === "string" ? [{ value: language, path: [...path, "transcriber"] }] : [];
  });
  const [voice] = voices;
  const [language] = languages;
  const same = (places: readonly { readonly value: unknown; readonly path: Path }[], keys: readonly string[]) =>
    places
      .filter(({ value }) => sameJson(value, places[0]?.value))
      .flatMap(({ path }) => keys.map((key) => [...path, key]));
  return [
    ...(voice
      ? [
          {
            kind: "voice",
            voice: vapiVoice(...voice.value),
            words: `${voice.value[0]} ${voice.value[1]}`,
            paths: same(voices, ["provider", "voiceId"]),
          } as const,
        ]
      : []),
    ...(language
      ? [{ kind: "language", language: language.value, paths: same(languages, ["language"]) } as const]
      : []),
  ];
}

/** Where Vapi's documents have the settings of an assistant, what counts first coming first. */
function placesOf(graph: AgentGraph): readonly { readonly settings: JsonObject; readonly path: Path }[] {
  const source = recordAt(graph.source_metadata, "vapi");
  const at = ["source_metadata", "vapi"];
  const entry = graph.entry_node_id;
  const ids = [entry, ...Object.keys(graph.nodes).filter((id) => id !== entry)];
  const ofNodes = ids.flatMap((id) => {
    const settings = recordAt(graph.nodes[id]?.metadata ?? {}, "vapi");
    const path = ["nodes", id, "metadata", "vapi"];
    const home = recordAt(settings, "home");
    const kept = ["assistantOverrides", "assistant"].map((key) => ({
      settings: recordAt(home, key),
      path: [...path, "home", key],
    }));
    return [...kept, { settings, path }];
  });
  // in squads of Vapi's own, and in graphs that Callweave emitted as squads
  const members = ["membersOverrides", "memberOverrides"].flatMap((key) => [
    { settings: recordAt(recordAt(source, "squad"), key), path: [...at, "squad", key] },
    { settings: recordAt(source, key), path: [...at, key] },
  ]);
  return [...members, ...ofNodes, { settings: source, path: at }];
}
