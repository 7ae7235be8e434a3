/**
 * Models that Telnyx writes with their providers, for names without one. Its field is a free text.
 *
 * @see https://developers.telnyx.com/docs/inference/ai-assistants/no-code-voice-assistant (models)
 */
export const MODELS: { readonly [provider: string]: readonly string[] } = {
  openai: ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-5", "gpt-5-mini", "gpt-5-nano"],
  anthropic: ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-sonnet-4-6", "claude-opus-4-6"],
  google: ["gemini-2.5-flash", "gemini-2.5-pro", "gemini-3-flash-preview"],
  Qwen: ["Qwen3-235B-A22B"],
};

/** Languages of the transcription, as Deepgram names them, which is the default of the API. */
export const LANGUAGES: readonly string[] = [
  ...["en", "en-US", "en-GB", "en-AU", "en-IN", "en-NZ", "es", "es-419", "fr", "fr-CA", "de", "de-CH", "hi", "ru"],
  ...["pt", "pt-BR", "pt-PT", "ja", "it", "nl", "nl-BE", "da", "sv", "no", "fi", "pl", "tr", "uk", "cs", "el", "hu"],
  ...["ro", "bg", "ko", "zh", "zh-TW", "id", "ms", "th", "vi", "ca", "et", "lv", "lt", "sk", "multi"],
];
