import { type JsonObject, jsonOrText, own, recordsAt } from "../../../src/base/values/mod.ts";
import { argumentsFrom, type CallDraft, numberAt, outcomeOf, sayLabelledText, textAt } from "../../reading/mod.ts";

/** An answer of the agent: its first utterance after the caller's. */
export interface TurnAnswer {
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  readonly nodeId: string;
  /** From the caller's last word to the agent's first one, by the words' times. */
  readonly gapMs: number | undefined;
}

const MS = 1_000;

/**
 * Adds the messages of a Retell call to its draft: from the transcript with tools and transitions if there is one,
 * else from the utterances, else from the transcript as text.
 *
 * @returns The agent's answers.
 */
export function readRetellTurns(record: JsonObject, draft: CallDraft): readonly TurnAnswer[] {
  const lists = ["transcript_with_tool_calls", "scrubbed_transcript_with_tool_calls", "transcript_object"];
  const lines = lists.map((key) => recordsAt(record, [key])).find((list) => list.length > 0);
  if (!lines) {
    sayLabelledText(textAt(record, "transcript") ?? "", draft);
    return [];
  }
  const results = new Map(
    lines.filter(({ role }) => role === "tool_call_result").map((line) => [own(line, "tool_call_id"), line]),
  );
  const answers: TurnAnswer[] = [];
  let turn = 0;
  let speaker = "";
  let heardMs: number | undefined;
  for (const line of lines) {
    const role = textAt(line, "role") ?? "";
    const content = textAt(line, "content") ?? "";
    const { fromMs, toMs } = wordTimes(line);
    if (role === "agent") {
      if (speaker !== role) {
        const gapMs = fromMs === undefined || heardMs === undefined ? undefined : Math.max(0, fromMs - heardMs);
        answers.push({ turn, nodeId: draft.at, gapMs });
      }
      draft.say("assistant", content, fromMs);
    } else if (role === "user") {
      if (speaker !== role) turn++;
      heardMs = toMs;
      draft.say("user", content, fromMs);
    } else addEvent(draft, { role, line, result: results.get(own(line, "tool_call_id")) });
    if (role === "agent" || role === "user") speaker = role;
  }
  return answers;
}

function addEvent(
  draft: CallDraft,
  { role, line, result }: { readonly role: string; readonly line: JsonObject; readonly result: JsonObject | undefined },
): void {
  const seconds = numberAt(line, "time_sec");
  const atMs = seconds === undefined ? undefined : seconds * MS;
  const content = textAt(line, "content") ?? "";
  if (role === "node_transition" || role === "state_transition") addMove(draft, line, atMs);
  else if (role === "tool_call_invocation") {
    const value = jsonOrText(own(result ?? {}, "content") ?? null);
    const successful = own(result ?? {}, "successful");
    draft.call(
      {
        name: textAt(line, "name") ?? "",
        arguments: argumentsFrom(own(line, "arguments")),
        result: value,
        outcome: typeof successful === "boolean" ? (successful ? "succeeded" : "failed") : outcomeOf(value),
      },
      atMs,
    );
  } else if (role === "dtmf") draft.say("user", textAt(line, "digit") ?? "", atMs, { dtmf: true });
  else if (role === "transfer_target") draft.say("system", content, wordTimes(line).fromMs, { speaker: role });
  else if (role === "sms" || role === "injected") draft.say("system", content, atMs, { kind: role });
}

/** The first transition of real calls comes from "begin", which is no node. */
function addMove(draft: CallDraft, line: JsonObject, atMs: number | undefined): void {
  const nodeOf = (which: string) =>
    textAt(line, `${which}_node_id`) ?? textAt(line, `${which}_state_name`) ?? textAt(line, `${which}_node_name`) ?? "";
  const from = nodeOf("former");
  if (from !== "begin") draft.enter(from);
  const type = textAt(line, "transition_type");
  draft.arrive(nodeOf("new"), type === undefined ? "Retell's transition" : `Retell's transition (${type})`, atMs);
}

/** When the first word of a line began and the last one ended, from the start of the call. */
function wordTimes(line: JsonObject): { readonly fromMs: number | undefined; readonly toMs: number | undefined } {
  const words = recordsAt(line, ["words"]);
  const [first, last] = [words[0], words.at(-1)];
  const ms = (word: JsonObject | undefined, key: string) => {
    const seconds = word && numberAt(word, key);
    return seconds === undefined ? undefined : Math.round(seconds * MS);
  };
  return { fromMs: ms(first, "start"), toMs: ms(last, "end") };
}
