import type { Scenario } from "../../document/scenario/mod.ts";
import type { CheckResult, Message } from "../../document/transcript/mod.ts";
import { foldText } from "./fold.ts";
import type { JudgedCall } from "./judged_call.ts";
import type { Pattern } from "./pattern.ts";
import { messagePlace, quoteLine, spokenLines } from "./quote.ts";
import { containsText } from "./text_search.ts";

/**
 * Checks each of the agent's messages. The caller's messages do not count: a caller who reads out an account number
 * breaks no rule of the agent. `includes` and `excludes` ignore white space, case and the style of quotes and dashes;
 * blank texts are skipped. An excluded text must not span consecutive messages either, because a caller hears them as
 * one.
 */
export function checkMessages(
  { includes, excludes }: Pick<Scenario, "includes" | "excludes">,
  patterns: readonly Pattern[],
  { transcript }: JudgedCall,
): readonly CheckResult[] {
  const spoken = spokenLines(transcript);
  const folded = spoken.map((line) => ({ line, text: foldText(line.content) }));
  const lineWith = (text: string) => {
    const wanted = foldText(text);
    return folded.find((each) => containsText(each.text, wanted))?.line;
  };
  const at = (line: Message) => quoteLine(transcript, line);
  const silent = spoken.length === 0 ? "the agent said nothing at all" : undefined;
  const isText = (text: string) => foldText(text) !== "";

  return [
    ...includes.filter(isText).map((text): CheckResult => {
      const line = lineWith(text);
      const reason = line ? `said in ${at(line)}` : (silent ?? "the agent never said it");
      return { kind: "includes", expected: text, passed: line !== undefined, reason };
    }),
    ...excludes.filter(isText).map((text): CheckResult => {
      const line = lineWith(text);
      if (line) return { kind: "excludes", expected: text, passed: false, reason: `said in ${at(line)}` };
      const wanted = foldText(text);
      const speech = speeches(transcript).find((lines) => containsText(joined(lines), wanted));
      const [first] = speech ?? [];
      const reason = first
        ? `said across lines, from ${messagePlace(transcript, first)} on`
        : "the agent never said it";
      return { kind: "excludes", expected: text, passed: speech === undefined, reason };
    }),
    ...patterns.map((pattern): CheckResult => {
      const line = spoken.find(({ content }) => pattern.matches(content));
      const what = pattern.kind === "glob" ? "glob" : "RE2 expression";
      const other = line ? undefined : spoken.map(({ content }) => pattern.spellingFor(content)).find(Boolean);
      const hint = other === undefined ? "" : `; "${other}" would match`;
      const reason = line ? `matched in ${at(line)}` : (silent ?? `nothing the agent said matches this ${what}${hint}`);
      return { kind: "patterns", expected: pattern.source, passed: line !== undefined, reason };
    }),
  ];
}

/** The groups of consecutive messages of the agent. */
function speeches(transcript: readonly Message[]): readonly (readonly Message[])[] {
  const turns: Message[][] = [[]];
  for (const line of transcript) {
    if (line.role === "user") turns.push([]);
    if (line.role === "assistant") turns.at(-1)?.push(line);
  }
  return turns;
}

function joined(lines: readonly Message[]): string {
  return foldText(lines.map(({ content }) => content).join(" "));
}
