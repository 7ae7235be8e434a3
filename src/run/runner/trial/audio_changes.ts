import type { JudgedCall } from "../../../call/judges/mod.ts";
import type { AudioChange, TextTwin, ToolCall, Verdict } from "../../../document/transcript/mod.ts";

/** The outcome of a call, in text or with audio. */
export interface AudioOutcome extends Pick<JudgedCall, "nodesVisited" | "toolsCalled" | "variables" | "endReason"> {
  readonly status: TextTwin["status"];
  readonly errorMessage: string | null;
  readonly verdicts: readonly Verdict[];
}

/** Lists the differences between a scenario in text and with audio, the most important first. */
export function audioChanges(text: AudioOutcome, audio: AudioOutcome): readonly AudioChange[] {
  const variables = new Set([...Object.keys(text.variables), ...Object.keys(audio.variables)]);
  const verdicts = new Map(audio.verdicts.map((verdict) => [verdict.criterion, verdict]));
  return [
    ...changed("status", text.status, audio.status),
    ...text.verdicts.flatMap(({ criterion, passed }) => {
      const heard = verdicts.get(criterion);
      return heard ? changed("criterion", wordOf(passed), wordOf(heard.passed), criterion) : [];
    }),
    ...changed("path", pathOf(text), pathOf(audio)),
    ...changed("end", text.endReason ?? null, audio.endReason ?? null),
    ...[...variables].flatMap((name) =>
      changed("variable", own(text.variables, name), own(audio.variables, name), name),
    ),
    ...toolChanges(text.toolsCalled, audio.toolsCalled),
  ];
}

function changed(
  kind: AudioChange["kind"],
  text: string | null,
  audio: string | null,
  name?: string,
): readonly AudioChange[] {
  return text === audio ? [] : [{ kind, ...(name === undefined ? {} : { name }), text, audio }];
}

/** Tool calls that only one of the two calls made, in any order. */
function toolChanges(text: readonly ToolCall[], audio: readonly ToolCall[]): readonly AudioChange[] {
  const [before, after] = [text, audio].map((calls) => calls.map(callText));
  const left = [...(after ?? [])];
  const missing = (before ?? []).filter((call) => {
    const at = left.indexOf(call);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((call): AudioChange => ({ kind: "tool", text: call, audio: null })),
    ...left.map((call): AudioChange => ({ kind: "tool", text: null, audio: call })),
  ];
}

function callText({ name, arguments: args }: ToolCall): string {
  return `${name}(${JSON.stringify(args)})`;
}

function pathOf({ nodesVisited }: AudioOutcome): string {
  return nodesVisited.join(" -> ");
}

function wordOf(passed: boolean): string {
  return passed ? "passed" : "failed";
}

function own(variables: { readonly [name: string]: string }, name: string): string | null {
  return Object.hasOwn(variables, name) ? (variables[name] ?? null) : null;
}
