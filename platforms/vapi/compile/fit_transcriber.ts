import type { Vapi } from "@vapi-ai/server-sdk";
import {
  anything,
  beyondSdk,
  flag,
  kindOf,
  kinds,
  language,
  list,
  matching,
  number,
  oneOf,
  type Rule,
  record,
  shape,
  text,
} from "./fit.ts";
import { server } from "./fit_common.ts";
import {
  AZURE_LANGUAGES,
  DEEPGRAM_LANGUAGES,
  GLADIA_LANGUAGES,
  GOOGLE_LANGUAGES,
  ISO_639_LANGUAGES,
  OPENAI_LANGUAGES,
  SPEECHMATICS_LANGUAGES,
  TALKSCRIBER_LANGUAGES,
} from "./languages.ts";

type Transcriber = Vapi.CreateAssistantDtoTranscriber;

/** Those that take over where one fails; each is held to the same rules. */
const others: Rule<never> = (value, at, faults) => {
  const plan = shape<Vapi.FallbackTranscriberPlan>({ transcribers: list(fitTranscriber) }, ["transcribers"]);
  return anything(plan(value, at, faults), at, faults);
};

/** A word, and how much it is to be preferred: `Callweave:2`. */
const keyword = matching(/^\p{L}[\p{L}\d]*(?::[+-]?\d+)?$/u, 'one word, such as "Callweave" or "Callweave:2"');

const gladiaCustomVocabularyConfigDto = shape<Vapi.GladiaCustomVocabularyConfigDto>(
  {
    vocabulary: list(record),
    defaultIntensity: number(0, 1),
  },
  ["vocabulary"],
);

const speechmaticsCustomVocabularyItem = shape<Vapi.SpeechmaticsCustomVocabularyItem>(
  {
    content: text(),
    soundsLike: list(text()),
  },
  ["content"],
);

const sonioxContextGeneralItem = shape<Vapi.SonioxContextGeneralItem>(
  {
    key: text(),
    value: text(),
  },
  ["key", "value"],
);

const TRANSCRIBERS = kinds<Transcriber, "provider">(
  "provider",
  {
    "assembly-ai": shape<Vapi.AssemblyAiTranscriber>({
      language: language("multi en"),
      confidenceThreshold: number(0, 1),
      formatTurns: flag,
      endOfTurnConfidenceThreshold: number(0, 1),
      minEndOfTurnSilenceWhenConfident: number(0),
      wordFinalizationMaxWaitTime: number(0),
      maxTurnSilence: number(0),
      vadAssistedEndpointingEnabled: flag,
      mode: oneOf("max_accuracy min_latency balanced"),
      prompt: text(1750),
      agentContext: text(1750),
      languageCodes: list(language("en es fr de it pt tr nl sv no da fi hi vi ar he ja zh")),
      speechModel: oneOf("universal-streaming-english universal-streaming-multilingual universal-3-5-pro"),
      realtimeUrl: text(),
      wordBoost: list(text(2500)),
      keytermsPrompt: list(text(50)),
      endUtteranceSilenceThreshold: number(),
      disablePartialTranscripts: flag,
      fallbackPlan: others,
    }),
    azure: shape<Vapi.AzureSpeechTranscriber>({
      language: AZURE_LANGUAGES,
      segmentationStrategy: oneOf("Default Time Semantic"),
      segmentationSilenceTimeoutMs: number(100, 5000),
      segmentationMaximumTimeMs: number(20000, 70000),
      fallbackPlan: others,
    }),
    "custom-transcriber": shape<Vapi.CustomTranscriber>(
      {
        server: server,
        fallbackPlan: others,
      },
      ["server"],
    ),
    deepgram: shape<Vapi.DeepgramTranscriber>({
      model: anything,
      language: beyondSdk(DEEPGRAM_LANGUAGES),
      smartFormat: flag,
      mipOptOut: flag,
      numerals: flag,
      profanityFilter: flag,
      redaction: list(oneOf("pci pii phi numbers")),
      confidenceThreshold: number(0, 1),
      eotThreshold: number(0.5, 0.9),
      eotTimeoutMs: number(500, 10000),
      languages: list(text()),
      keywords: list(keyword),
      keyterm: list(text()),
      endpointing: number(10, 500),
      fallbackPlan: others,
    }),
    "11labs": shape<Vapi.ElevenLabsTranscriber>({
      model: anything,
      language: ISO_639_LANGUAGES,
      silenceThresholdSeconds: number(0.3, 3),
      confidenceThreshold: number(0.1, 0.9),
      minSpeechDurationMs: number(50, 2000),
      minSilenceDurationMs: number(50, 2000),
      fallbackPlan: others,
    }),
    gladia: shape<Vapi.GladiaTranscriber>({
      model: anything,
      languageBehaviour: anything,
      language: GLADIA_LANGUAGES,
      languages: list(GLADIA_LANGUAGES),
      transcriptionHint: text(600),
      prosody: flag,
      audioEnhancer: flag,
      confidenceThreshold: number(0, 1),
      endpointing: number(0.01, 10),
      speechThreshold: number(0, 1),
      customVocabularyEnabled: flag,
      customVocabularyConfig: gladiaCustomVocabularyConfigDto,
      region: oneOf("us-west eu-west"),
      receivePartialTranscripts: flag,
      fallbackPlan: others,
    }),
    google: shape<Vapi.GoogleTranscriber>({
      model: anything,
      language: GOOGLE_LANGUAGES,
      fallbackPlan: others,
    }),
    speechmatics: shape<Vapi.SpeechmaticsTranscriber>(
      {
        model: anything,
        language: SPEECHMATICS_LANGUAGES,
        operatingPoint: oneOf("standard enhanced"),
        region: oneOf("eu us"),
        enableDiarization: flag,
        maxDelay: number(500, 10000),
        customVocabulary: list(speechmaticsCustomVocabularyItem),
        numeralStyle: oneOf("written spoken"),
        endOfTurnSensitivity: number(0, 1),
        removeDisfluencies: flag,
        minimumSpeechDuration: number(0, 5),
        fallbackPlan: others,
      },
      ["customVocabulary"],
    ),
    talkscriber: shape<Vapi.TalkscriberTranscriber>({
      model: anything,
      language: TALKSCRIBER_LANGUAGES,
      fallbackPlan: others,
    }),
    openai: shape<Vapi.OpenAiTranscriber>(
      {
        model: anything,
        language: OPENAI_LANGUAGES,
        fallbackPlan: others,
      },
      ["model"],
    ),
    cartesia: shape<Vapi.CartesiaTranscriber>({
      model: anything,
      language: ISO_639_LANGUAGES,
      fallbackPlan: others,
    }),
    soniox: shape<Vapi.SonioxTranscriber>({
      model: anything,
      language: ISO_639_LANGUAGES,
      languages: list(ISO_639_LANGUAGES),
      languageHintsStrict: flag,
      maxEndpointDelayMs: number(500, 3000),
      customVocabulary: list(text()),
      contextGeneral: list(sonioxContextGeneralItem),
      fallbackPlan: others,
    }),
    xai: shape<Vapi.XaiTranscriber>({
      model: anything,
      language: language("ar cs da nl en fil fr de hi id it ja ko mk ms fa pl pt ro ru es sv th tr vi"),
      fallbackPlan: others,
    }),
    vapi: shape<Vapi.VapiTranscriber>({
      version: oneOf("latest 1"),
      language: ISO_639_LANGUAGES,
      languages: list(ISO_639_LANGUAGES),
      keywords: list(keyword),
      turnTaking: oneOf("intelligent manual"),
    }),
  },
  {
    assembly: "assembly-ai",
    azurespeech: "azure",
    custom: "custom-transcriber",
    elevenlabs: "11labs",
    gemini: "google",
  },
);

/** Holds the settings of speech recognition to what Vapi's types know (SDK 2.0.1, `CreateAssistantDTO.transcriber`). */
export const fitTranscriber: Rule<never> = kindOf(TRANSCRIBERS);
