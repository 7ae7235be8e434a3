import type { Path } from "../../../src/base/errors.ts";
import { nearLanguage } from "../../../src/base/values/mod.ts";
import { correct, type Fault, named, refuse, someOf } from "./faults.ts";

/** Aliases of Vapi's providers and types, in lower case without punctuation. */
const KNOWN_AS: ReadonlyMap<string, readonly string[]> = new Map([
  ["assembly", ["assembly-ai"]],
  ["azurespeech", ["azure"]],
  ["bedrock", ["anthropic-bedrock"]],
  ["chatgpt", ["openai"]],
  ["claude", ["anthropic"]],
  ["custom", ["custom-llm", "custom-transcriber", "custom-voice"]],
  ["deepgramaura", ["deepgram"]],
  ["elevenlabs", ["11labs"]],
  ["gemini", ["google"]],
  ["grok", ["xai"]],
  ["humeai", ["hume"]],
  ["inflection", ["inflection-ai"]],
  ["inworldai", ["inworld"]],
  ["perplexity", ["perplexity-ai"]],
  ["phone", ["number"]],
  ["phonenumber", ["number"]],
  ["playai", ["playht"]],
  ["pstn", ["number"]],
  ["rime", ["rime-ai"]],
  ["sipuri", ["sip"]],
  ["smallest", ["smallest-ai"]],
  ["together", ["together-ai"]],
  ["wellsaidlabs", ["wellsaid"]],
]);

/** Keys whose values are languages. */
const LANGUAGE_KEY = /^languages?(Codes?)?$/;

/**
 * Returns the matching known value. Corrects case, spaces and punctuation, and a language that Vapi supports only with
 * or without a region.
 */
export function choose(known: readonly unknown[], value: unknown, at: Path, faults: Fault[]): unknown {
  if (known.includes(value)) return value;
  const texts = known.filter((each) => typeof each === "string");
  const wanted = typeof value === "string" ? value : "";
  const isLanguage = LANGUAGE_KEY.test(String(at.findLast((key) => typeof key === "string")));
  const found = sameWord(texts, wanted) ?? (isLanguage ? nearLanguage(texts, wanted) : undefined);
  if (typeof value !== "string" || found === undefined) return refuse(value, at, someOf(known), faults);
  correct(at, `"${wanted}" for "${named(at)}"`, `"${found}"`, faults);
  return found;
}

/** Returns the type or provider with this name or alias. */
export function kindNamed(kinds: readonly string[], name: string): string | undefined {
  return sameWord(kinds, name) ?? KNOWN_AS.get(plain(name))?.find((kind) => kinds.includes(kind));
}

/** Like {@link kindNamed}, but reports a correction for an alias. */
export function chooseKind(kinds: readonly string[], value: unknown, at: Path, faults: Fault[]): string | undefined {
  const found = typeof value === "string" ? kindNamed(kinds, value) : undefined;
  if (found === undefined) return refuse(value, at, someOf(kinds), faults);
  if (found !== value) correct(at, `"${value}" for "${named(at)}"`, `"${found}"`, faults);
  return found;
}

function sameWord(known: readonly string[], wanted: string): string | undefined {
  if (known.includes(wanted)) return wanted;
  return plain(wanted) === "" ? undefined : known.find((each) => plain(each) === plain(wanted));
}

const plain = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, "");
