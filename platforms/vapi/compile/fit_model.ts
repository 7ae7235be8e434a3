import type { Vapi } from "@vapi-ai/server-sdk";
import { anything, flag, hasKind, kindOf, kinds, list, number, oneOf, type Rule, record, shape, text } from "./fit.ts";

type Model = Vapi.CreateAssistantDtoModel;

const toolRef = shape<Vapi.ToolRef>({ toolId: text(), version: text() }, ["toolId", "version"]);

const anthropicThinkingConfig = shape<Vapi.AnthropicThinkingConfig>(
  {
    type: oneOf("enabled"),
    budgetTokens: number(1024, 100000),
  },
  ["type", "budgetTokens"],
);

const geminiMultimodalLivePrebuiltVoiceConfig = shape<Vapi.GeminiMultimodalLivePrebuiltVoiceConfig>(
  {
    voiceName: oneOf("Puck Charon Kore Fenrir Aoede"),
  },
  ["voiceName"],
);

const geminiMultimodalLiveVoiceConfig = shape<Vapi.GeminiMultimodalLiveVoiceConfig>(
  {
    prebuiltVoiceConfig: geminiMultimodalLivePrebuiltVoiceConfig,
  },
  ["prebuiltVoiceConfig"],
);

const geminiMultimodalLiveSpeechConfig = shape<Vapi.GeminiMultimodalLiveSpeechConfig>(
  {
    voiceConfig: geminiMultimodalLiveVoiceConfig,
  },
  ["voiceConfig"],
);

const googleRealtimeConfig = shape<Vapi.GoogleRealtimeConfig>({
  topP: number(),
  topK: number(),
  presencePenalty: number(),
  frequencyPenalty: number(),
  speechConfig: geminiMultimodalLiveSpeechConfig,
});

const SHARED = {
  toolIds: list(text()),
  toolRefs: list(toolRef),
  temperature: number(0, 2),
  maxTokens: number(50, 10000),
  emotionRecognitionEnabled: flag,
  numFastTurns: number(0),
};

const MODELS = kinds<Model, "provider">(
  "provider",
  {
    anthropic: shape<Vapi.AnthropicModel>(
      {
        model: anything,
        thinking: anthropicThinkingConfig,
        ...SHARED,
      },
      ["model"],
    ),
    "anthropic-bedrock": shape<Vapi.AnthropicBedrockModel>(
      {
        model: anything,
        thinking: anthropicThinkingConfig,
        ...SHARED,
      },
      ["model"],
    ),
    anyscale: shape<Vapi.AnyscaleModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    cerebras: shape<Vapi.CerebrasModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    "custom-llm": shape<Vapi.CustomLlmModel>(
      {
        metadataSendMode: oneOf("off variable destructured"),
        headers: record,
        url: text(),
        wordLevelConfidenceEnabled: flag,
        timeoutSeconds: number(0, 300),
        model: anything,
        ...SHARED,
      },
      ["url", "model"],
    ),
    deepinfra: shape<Vapi.DeepInfraModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    "deep-seek": shape<Vapi.DeepSeekModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    google: shape<Vapi.GoogleModel>(
      {
        model: anything,
        realtimeConfig: googleRealtimeConfig,
        ...SHARED,
      },
      ["model"],
    ),
    groq: shape<Vapi.GroqModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    "inflection-ai": shape<Vapi.InflectionAiModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    minimax: shape<Vapi.MinimaxLlmModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    openai: shape<Vapi.OpenAiModel>(
      {
        model: anything,
        fallbackModels: anything,
        toolStrictCompatibilityMode: oneOf("strip-parameters-with-unsupported-validation strip-unsupported-validation"),
        promptCacheRetention: oneOf("in_memory 24h"),
        promptCacheKey: text(64),
        reasoningEffort: oneOf("minimal none low medium high xhigh"),
        ...SHARED,
      },
      ["model"],
    ),
    openrouter: shape<Vapi.OpenRouterModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    "perplexity-ai": shape<Vapi.PerplexityAiModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    "together-ai": shape<Vapi.TogetherAiModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    xai: shape<Vapi.XaiModel>(
      {
        model: anything,
        ...SHARED,
      },
      ["model"],
    ),
    vapi: shape<Vapi.VapiModel>({
      toolIds: list(text()),
      toolRefs: list(toolRef),
      model: anything,
      version: oneOf("latest 1"),
      workflowId: text(),
      workflow: record,
      temperature: number(0, 2),
      emotionRecognitionEnabled: flag,
      numFastTurns: number(0),
    }),
  },
  {
    bedrock: "anthropic-bedrock",
    chatgpt: "openai",
    claude: "anthropic",
    custom: "custom-llm",
    gemini: "google",
    grok: "xai",
    inflection: "inflection-ai",
    perplexity: "perplexity-ai",
    together: "together-ai",
  },
);

/** Whether Vapi has a provider, under this name or one that it is known to be written by. */
export const isModelProvider = (name: string) => hasKind(MODELS, name);

/** Holds a model's settings, but for its prompt and tools, to what Vapi's types know (SDK 2.0.1, `CreateAssistantDTO.model`). */
export const fitModel: Rule<never> = kindOf(MODELS);
