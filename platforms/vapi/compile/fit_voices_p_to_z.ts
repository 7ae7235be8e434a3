import type { Vapi } from "@vapi-ai/server-sdk";
import { anything, flag, language, list, number, oneOf, type Rule, shape, text } from "./fit.ts";
import { chunkPlan } from "./fit_common.ts";

const tavusConversationProperties = shape<Vapi.TavusConversationProperties>({
  maxCallDuration: number(),
  participantLeftTimeout: number(),
  participantAbsentTimeout: number(),
  enableRecording: flag,
  enableTranscription: flag,
  applyGreenscreen: flag,
  language: text(),
  recordingS3BucketName: text(),
  recordingS3BucketRegion: text(),
  awsAssumeRoleArn: text(),
});

const vapiPronunciationDictionaryLocator = shape<Vapi.VapiPronunciationDictionaryLocator>(
  {
    pronunciationDictId: text(),
    versionId: text(),
    provider: oneOf("cartesia 11labs"),
  },
  ["pronunciationDictId"],
);

/**
 * Voices of the other half of the providers, as Vapi lists them.
 *
 * @param others The rule for voices that take over where one fails.
 */
export const voicesPToZ = (others: Rule<never>) => ({
  playht: shape<Vapi.PlayHtVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      speed: number(0.1, 5),
      temperature: number(0.1, 2),
      emotion: oneOf(
        "female_happy female_sad female_angry female_fearful female_disgust female_surprised male_happy",
        "male_sad male_angry male_fearful male_disgust male_surprised",
      ),
      voiceGuidance: number(1, 6),
      styleGuidance: number(1, 30),
      textGuidance: number(1, 2),
      model: anything,
      language: language(
        "afrikaans albanian amharic arabic bengali bulgarian catalan croatian czech danish dutch english",
        "french galician german greek hebrew hindi hungarian indonesian italian japanese korean malay",
        "mandarin polish portuguese russian serbian spanish swedish tagalog thai turkish ukrainian urdu",
        "xhosa",
      ),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  wellsaid: shape<Vapi.WellSaidVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      enableSsml: flag,
      libraryIds: list(text()),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  "rime-ai": shape<Vapi.RimeAiVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      speed: number(0.1),
      pauseBetweenBrackets: flag,
      phonemizeBetweenBrackets: flag,
      reduceLatency: flag,
      inlineSpeedAlpha: text(),
      language: language("en es de fr ar hi ja he pt ta si"),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  "smallest-ai": shape<Vapi.SmallestAiVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      speed: number(),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  tavus: shape<Vapi.TavusVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      chunkPlan: chunkPlan,
      personaId: text(),
      callbackUrl: text(),
      conversationName: text(),
      conversationalContext: text(),
      customGreeting: text(),
      properties: tavusConversationProperties,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  vapi: shape<Vapi.VapiVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      version: anything,
      speed: number(0.25, 2),
      language: language(
        "en-US en-GB en-AU en-CA ja zh de hi fr-FR fr-CA ko pt-BR pt-PT it es-ES es-MX id nl tr fil pl sv",
        "bg ro ar-SA ar-AE cs el fi hr ms sk da ta uk ru hu no vi auto en ar ar-EG bn es fr gu he ka kn ml",
        "mr pa pt te th tl",
      ),
      pronunciationDictionary: list(vapiPronunciationDictionaryLocator),
      chunkPlan: chunkPlan,
    },
    ["voiceId"],
  ),
  sesame: shape<Vapi.SesameVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId", "model"],
  ),
  inworld: shape<Vapi.InworldVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      languageCode: language("en zh ko nl fr es ja de it pl pt ru hi he ar"),
      temperature: number(0.1, 2),
      speakingRate: number(0.5, 1.5),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  minimax: shape<Vapi.MinimaxVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      model: anything,
      emotion: text(),
      subtitleType: oneOf("word sentence"),
      pitch: number(-12, 12),
      speed: number(0.5, 2),
      volume: number(0.5, 2),
      region: oneOf("worldwide china"),
      languageBoost: oneOf(
        "Chinese Chinese,Yue English Arabic Russian Spanish French Portuguese German Turkish Dutch",
        "Ukrainian Vietnamese Indonesian Japanese Italian Korean Thai Polish Romanian Greek Czech Finnish",
        "Hindi Bulgarian Danish Hebrew Malay Persian Slovak Swedish Croatian Filipino Hungarian Norwegian",
        "Slovenian Catalan Nynorsk Tamil Afrikaans auto",
      ),
      textNormalizationEnabled: flag,
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  xai: shape<Vapi.XaiVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      language: language("auto en ar-EG ar-SA ar-AE bn zh fr de hi id it ja ko pt-BR pt-PT ru es-MX es-ES tr vi"),
      speed: number(0.7, 1.5),
      chunkPlan: chunkPlan,
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
  microsoft: shape<Vapi.MicrosoftVoice>(
    {
      cachingEnabled: flag,
      voiceId: anything,
      style: oneOf(
        "adventurous angry caring cheerful confused curious determined disappointed disgusted embarrassed",
        "empathy encouraging excited fearful friendly happy hopeful jealous joyful nostalgic reflective",
        "regretful relieved sad serious shouting softvoice surprised whispering",
      ),
      styleDegree: number(0.01, 2),
      role: oneOf("Girl Boy YoungAdultFemale YoungAdultMale OlderAdultFemale OlderAdultMale SeniorFemale SeniorMale"),
      chunkPlan: chunkPlan,
      speed: number(0.5, 2),
      fallbackPlan: others,
    },
    ["voiceId"],
  ),
});
