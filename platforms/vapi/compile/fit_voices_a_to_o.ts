import type { Vapi } from "@vapi-ai/server-sdk";
import { anything, flag, language, list, number, oneOf, type Rule, record, shape, text } from "./fit.ts";
import { chunkPlan, server } from "./fit_common.ts";

const cartesiaExperimentalControls = shape<Vapi.CartesiaExperimentalControls>({
  speed: anything,
  emotion: oneOf(
    "anger:lowest anger:low anger:high anger:highest positivity:lowest positivity:low positivity:high",
    "positivity:highest surprise:lowest surprise:low surprise:high surprise:highest sadness:lowest",
    "sadness:low sadness:high sadness:highest curiosity:lowest curiosity:low curiosity:high",
    "curiosity:highest",
  ),
});

const cartesiaGenerationConfigExperimental = shape<Vapi.CartesiaGenerationConfigExperimental>({
  accentLocalization: number(0, 1),
});

const cartesiaGenerationConfig = shape<Vapi.CartesiaGenerationConfig>({
  speed: number(0.6, 1.5),
  volume: number(0.5, 2),
  experimental: cartesiaGenerationConfigExperimental,
});

const elevenLabsPronunciationDictionaryLocator = shape<Vapi.ElevenLabsPronunciationDictionaryLocator>(
  {
    pronunciationDictionaryId: text(),
    versionId: text(),
  },
  ["pronunciationDictionaryId"],
);

/**
 * Voices of the first half of the alphabet of providers, as Vapi lists them.
 *
 * @param others The rule for voices that take over where one fails.
 */
export const voicesAToO = (others: Rule<never>) => ({
  azure: shape<Vapi.AzureVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      chunkPlan: chunkPlan,
      speed: number(0.5, 2),
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  cartesia: shape<Vapi.CartesiaVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      language: language(
        "ar bg bn cs da de el en es fi fr gu he hi hr hu id it ja ka kn ko ml mr ms nl no pa pl pt ro ru",
        "sk sv ta te th tl tr uk vi zh",
      ),
      experimentalControls: cartesiaExperimentalControls,
      generationConfig: cartesiaGenerationConfig,
      pronunciationDictId: text(),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  "custom-voice": shape<Vapi.CustomVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      chunkPlan: chunkPlan,
      server: server,
      fallbackPlan: others,
    },
    ["server"],
  ),
  deepgram: shape<Vapi.DeepgramVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      mipOptOut: flag,
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  "11labs": shape<Vapi.ElevenLabsVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      stability: number(0, 1),
      similarityBoost: number(0, 1),
      style: number(0, 1),
      useSpeakerBoost: flag,
      speed: number(0.7, 1.2),
      optimizeStreamingLatency: number(0, 4),
      enableSsmlParsing: flag,
      autoMode: flag,
      model: anything,
      language: text(),
      chunkPlan: chunkPlan,
      pronunciationDictionaryLocators: list(elevenLabsPronunciationDictionaryLocator),
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  hume: shape<Vapi.HumeVoice>(
    {
      cachingEnabled: flag,
      model: anything,
      voiceId: anything,
      isCustomHumeVoice: flag,
      chunkPlan: chunkPlan,
      description: text(),
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  lmnt: shape<Vapi.LmntVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      speed: number(0.25, 2),
      language: anything,
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  neuphonic: shape<Vapi.NeuphonicVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      language: record,
      speed: number(0.25, 2),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId", "language"],
  ),
  openai: shape<Vapi.OpenAiVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      instructions: text(10000),
      speed: number(0.25, 4),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
});
