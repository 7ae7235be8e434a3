import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentCreateParams } from "retell-sdk/resources/agent";

/** Languages of a Retell agent, by retell-sdk 5.66.1 (`AgentCreateParams.language`). */
const RETELL = [
  ...(["en-US", "en-IN", "en-GB", "en-AU", "en-NZ", "de-DE", "es-ES", "es-419", "hi-IN", "fr-FR"] as const),
  ...(["fr-CA", "ja-JP", "pt-PT", "pt-BR", "zh-CN", "ru-RU", "it-IT", "ko-KR", "nl-NL", "nl-BE"] as const),
  ...(["pl-PL", "tr-TR", "vi-VN", "ro-RO", "bg-BG", "ca-ES", "th-TH", "da-DK", "fi-FI", "el-GR"] as const),
  ...(["hu-HU", "id-ID", "no-NO", "sk-SK", "sv-SE", "lt-LT", "lv-LV", "cs-CZ", "ms-MY", "af-ZA"] as const),
  ...(["ar-SA", "az-AZ", "bs-BA", "cy-GB", "fa-IR", "fil-PH", "gl-ES", "he-IL", "hr-HR", "hy-AM"] as const),
  ...(["is-IS", "kk-KZ", "kn-IN", "mk-MK", "mr-IN", "ne-NP", "sl-SI", "sr-RS", "sw-KE", "ta-IN"] as const),
  ...(["ur-IN", "yue-CN", "uk-UA", "multi"] as const),
] as const satisfies readonly AgentCreateParams["language"][];

/** Languages of Deepgram, which Vapi listens with by default, by its SDK 2.0.1 (`DeepgramTranscriberLanguage`). */
const VAPI = [
  ...(["bg", "ca", "cs", "da", "da-DK", "de", "de-CH", "el", "en", "en-AU", "en-GB", "en-IN", "en-NZ"] as const),
  ...(["en-US", "es", "es-419", "es-LATAM", "et", "fi", "fr", "fr-CA", "hi", "hi-Latn", "hu", "id"] as const),
  ...(["it", "ja", "ko", "ko-KR", "lt", "lv", "ms", "multi", "nl", "nl-BE", "no", "pl", "pt", "pt-BR"] as const),
  ...(["ro", "ru", "sk", "sv", "sv-SE", "ta", "taq", "th", "th-TH", "tr", "uk", "vi", "zh", "zh-CN"] as const),
  ...(["zh-Hans", "zh-Hant", "zh-TW"] as const),
] as const satisfies readonly Vapi.DeepgramTranscriberLanguage[];

const LANGUAGES: { readonly [platform in "retell" | "vapi"]: readonly string[] } = { retell: RETELL, vapi: VAPI };

/**
 * A platform's own tag for a language: the same one, else that of the language in any region (`de` for `de-AT`, `de-DE`
 * for `de`); `undefined` where the platform does not know the language.
 */
export function languageOf(platform: "retell" | "vapi", tag: string): string | undefined {
  const known = LANGUAGES[platform];
  const [base = ""] = tag.toLowerCase().split("-");
  return (
    known.find((each) => each.toLowerCase() === tag.toLowerCase()) ??
    known.find((each) => each === base) ??
    known.find((each) => each.startsWith(`${base}-`))
  );
}
