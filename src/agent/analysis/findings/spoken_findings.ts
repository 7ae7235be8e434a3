import type { Path } from "../../../base/errors.ts";
import { replacePlaceholders } from "../../../document/expressions/mod.ts";
import type { AgentGraph, Finding } from "../../../document/graph/mod.ts";

interface Unspeakable {
  readonly code: string;
  readonly what: string;
  readonly pattern: RegExp;
  readonly hint: string;
}

/** Finds text that a voice cannot read out, or reads out wrongly. SSML tags are left out: voices read them. */
const UNSPEAKABLE: readonly Unspeakable[] = [
  {
    code: "spoken-url",
    what: "a web address",
    pattern: /\bhttps?:\/\/\S+|\bwww\.\S+/i,
    hint: "Say where to find it in words, or send it as a message",
  },
  {
    code: "spoken-markup",
    what: "markup",
    pattern:
      /\*\*[^*\n]+\*\*|^#{1,6} \S|^\s*[-*•] \S|`[^`\n]+`|<\/?(?:b|i|u|p|br|div|span|strong|em|ul|ol|li|a|h[1-6])\b[^>]*>|\[[^\]\n]+\]\([^)\n]+\)/im,
    hint: "Write it as plain sentences",
  },
  {
    code: "spoken-digits",
    what: "digits without grouping",
    pattern: /(?<![\w.,-])\+?\d{7,}(?![\w])/,
    hint: "Group the digits as they should be spoken: 555 010 44 20",
  },
];

/** Findings for fixed words that a voice cannot say: the begin message and texts that are spoken verbatim. */
export function spokenFindings(graph: AgentGraph): readonly Finding[] {
  const texts: readonly (readonly [Path, string])[] = [
    [["source_metadata", "begin_message"], graph.source_metadata.begin_message ?? ""],
    ...Object.entries(graph.nodes).flatMap(([id, { instruction_type: type, state_prompt: text }]) =>
      type === "static_text" ? [[["nodes", id, "state_prompt"], text] as const] : [],
    ),
  ];
  return texts.flatMap(([path, text]) => {
    const words = replacePlaceholders(text, () => "it");
    return UNSPEAKABLE.flatMap(({ code, what, pattern, hint }): Finding[] => {
      const found = pattern.exec(words)?.[0];
      if (found === undefined) return [];
      const message = `the text that is spoken verbatim has ${what} in it: ${JSON.stringify(found.trim())}`;
      return [{ code, severity: "warning", path, message, hint }];
    });
  });
}
