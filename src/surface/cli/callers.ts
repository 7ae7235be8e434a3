import { paint, type Style, styleFor, wrap } from "../../base/values/mod.ts";
import {
  CALLER_SETS,
  CALLERS,
  type TraitAudit,
  type TraitEffect,
  traitNames,
  traitsText,
  traitWords,
} from "../../document/scenario/mod.ts";
import type { Command } from "./arguments.ts";

/** `callweave callers`. */
export const callersCommand: Command = {
  name: "callers",
  summary: "List the traits of simulated callers, callers that have them, and sets of callers",
  spec: { positionals: [], flags: { json: { description: "Print the vocabulary as JSON" } } },
  notes: [
    'A scenario names traits with .caller({ mood: "angry" }); callweave run --callers runs each scenario with each caller.',
    "A caller that does not show its traits makes the call invalid.",
  ],
  examples: ["callweave callers", "callweave callers --json", "callweave run flow.ts --callers difficult,elderly"],
  run: async (args, terminal) => {
    const style = styleFor(terminal.stdout, terminal.env);
    terminal.out(args.has("json") ? `${JSON.stringify(vocabulary(), null, 2)}\n` : formatVocabulary(style));
    return 0;
  },
};

/** A value of a trait, for JSON. */
interface ListedValue {
  readonly value: string;
  readonly is: string;
  readonly words: string;
  readonly voice: string | null;
  readonly examples: readonly string[];
  readonly audit: { readonly by: "rule" | "judge"; readonly shows: string };
  readonly offline: boolean;
}

/** The vocabulary as plain data: traits with their values, callers, and sets. */
export function vocabulary() {
  return {
    traits: traitNames().map((trait) => {
      const words = traitWords(trait);
      const values: readonly ListedValue[] =
        "values" in words
          ? Object.entries(words.values).map(([value, effect]) => listed(value, effect))
          : [listed("BCP 47 tag", words.ofLanguage)];
      return { trait, what: words.what, values };
    }),
    callers: Object.entries(CALLERS).map(([name, traits]) => ({ name, traits })),
    sets: Object.entries(CALLER_SETS).map(([name, { what, callers }]) => ({ name, what, callers })),
  };
}

function listed(value: string, effect: TraitEffect): ListedValue {
  const { is, prompt, examples, audit, offline } = effect;
  return {
    value,
    is,
    words: prompt,
    voice: voiceText(effect),
    examples,
    audit: { by: auditor(audit), shows: audit.shows },
    offline: Object.keys(offline).length > 0 || audit.rule === "hangs-up" || audit.rule === "interrupts",
  };
}

function auditor({ rule }: TraitAudit): "rule" | "judge" {
  return rule === "judge" ? "judge" : "rule";
}

/** What a trait does by voice: `rate 0.75`, `noise 10 dB`. */
export function voiceText({ voice = {}, interrupts }: TraitEffect): string | null {
  const { rate, noise_db: noise, packet_loss: loss } = voice;
  const parts = [
    ...(typeof rate === "number" ? [`rate ${rate}`] : []),
    ...(typeof noise === "number" ? [`noise ${noise} dB`] : []),
    ...(typeof loss === "number" ? [`${Math.round(loss * 100)} % of packets lost`] : []),
    ...(interrupts ? [`talks over 1 of ${interrupts.every} replies after ${interrupts.after_words} words`] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

function formatVocabulary(style: Style): string {
  const { traits, callers, sets } = vocabulary();
  const lines: string[] = [];
  for (const { trait, what, values } of traits) {
    lines.push(`${paint(style, "bold", trait)}: ${what}`);
    for (const { value, words, voice, audit } of values) {
      const how = audit.by === "rule" ? "rule" : "judge's model";
      lines.push(`  ${value}`, ...wrap(style, words, 4));
      if (voice) lines.push(...wrap(style, `by voice: ${voice}`, 4));
      lines.push(...wrap(style, `audit (${how}): ${audit.shows}`, 4).map((line) => paint(style, "dim", line)));
    }
    lines.push("");
  }
  lines.push(paint(style, "bold", "Callers"));
  const columns = Math.max(...callers.map(({ name }) => name.length));
  for (const { name, traits: own } of callers) {
    lines.push(`  ${name.padEnd(columns)}  ${traitsText(own) || "no traits, to compare with"}`);
  }
  lines.push("", paint(style, "bold", "Sets, for --callers"));
  for (const { name, what, callers: members } of sets)
    lines.push(`  ${name}: ${what}`, ...wrap(style, members.join(", "), 4));
  return `${lines.join("\n")}\n`;
}
