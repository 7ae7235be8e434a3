import type { CheckResult, Message, Scenario } from "../graph/mod.ts";
import { foldText } from "./fold.ts";
import type { HeldCall } from "./held_call.ts";
import type { Pattern } from "./pattern.ts";
import { quoteLine, spokenLines } from "./quote.ts";

/**
 * Checks what the agent said. Only the agent's words count, each time it spoke by itself: a caller who reads out their
 * account number does not break the rule that the agent must not. White space and case make no difference to
 * `includes` and `excludes`; blank texts ask for nothing.
 */
export function checkTexts(
  { includes, excludes }: Pick<Scenario, "includes" | "excludes">,
  patterns: readonly Pattern[],
  { transcript }: HeldCall,
): readonly CheckResult[] {
  const spoken = spokenLines(transcript);
  const folded = spoken.map((line) => ({ line, text: foldText(line.content) }));
  const lineWith = (text: string) => folded.find((each) => each.text.includes(foldText(text)))?.line;
  const at = (line: Message) => quoteLine(transcript, line);
  const silent = spoken.length === 0 ? "the agent said nothing at all" : undefined;
  const isText = (text: string) => text.trim() !== "";

  return [
    ...includes.filter(isText).map((text): CheckResult => {
      const line = lineWith(text);
      const reason = line ? `said in ${at(line)}` : (silent ?? "the agent never said it");
      return { kind: "includes", expected: text, passed: line !== undefined, reason };
    }),
    ...excludes.filter(isText).map((text): CheckResult => {
      const line = lineWith(text);
      const reason = line ? `said in ${at(line)}` : "the agent never said it";
      return { kind: "excludes", expected: text, passed: line === undefined, reason };
    }),
    ...patterns.map((pattern): CheckResult => {
      const line = spoken.find(({ content }) => pattern.matches(content));
      const what = pattern.kind === "glob" ? "glob" : "RE2 expression";
      const reason = line ? `matched in ${at(line)}` : (silent ?? `nothing the agent said matches this ${what}`);
      return { kind: "patterns", expected: pattern.source, passed: line !== undefined, reason };
    }),
  ];
}
