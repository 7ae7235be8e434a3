import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, recordAt, records, shown } from "../../../src/base/values/mod.ts";
import { type GraphDraft, textOf, type Variables, withoutTags } from "../shared/mod.ts";
import { filledIn, unfilled } from "./references.ts";

/** What a fulfillment does, in the order in which it is done. */
export type Step =
  | { readonly does: "set"; readonly values: readonly JsonObject[]; readonly path: Path }
  | { readonly does: "say"; readonly text: string; readonly path: Path }
  | { readonly does: "choose"; readonly cases: readonly Case[]; readonly path: Path }
  | { readonly does: "call"; readonly webhook: string; readonly tag: string; readonly path: Path }
  | { readonly does: "transfer"; readonly to: string; readonly path: Path }
  | { readonly does: "end"; readonly path: Path };

/** A branch of a fulfillment. Without a condition it is always taken. */
export interface Case {
  readonly condition: string;
  readonly steps: readonly Step[];
  readonly path: Path;
}

/** What all fulfillments of an agent share while they are read. */
export interface Reading {
  readonly draft: GraphDraft;
  readonly variables: Variables;
  readonly language: string | undefined;
  /** Languages whose messages are left out. */
  readonly unread: Set<string>;
}

const READ = ["messages", "setParameterActions", "conditionalCases", "webhook", "tag"];

/** Deeper cases are left out, and named. */
const MOST_CASES = 10;

/** Reads a fulfillment. */
export function stepsOf(fulfillment: JsonObject, path: Path, reading: Reading): readonly Step[] {
  const { draft } = reading;
  draft.left(fulfillment, [...READ, "returnPartialResponses"], path);
  const values = records(fulfillment.setParameterActions);
  const said = messagesIn(fulfillment.messages, [...path, "messages"], reading);
  // messages come one after another; a call that ends or is passed on does so after all of them
  const words = said.filter((step) => step.does === "say");
  const last = said.filter((step) => step.does !== "say");
  const spoken = words.map((step) => (step.does === "say" ? step.text : "")).join(" ");
  const cases = records(fulfillment.conditionalCases).flatMap((each, index): readonly Step[] => {
    const at = [...path, "conditionalCases", index];
    return [{ does: "choose", cases: casesOf(each, at, reading, 1), path: at }];
  });
  const webhook = textOf(fulfillment.webhook);
  return [
    ...(values.length > 0 ? [{ does: "set" as const, values, path: [...path, "setParameterActions"] }] : []),
    ...(spoken === "" ? [] : [{ does: "say" as const, text: spoken, path: [...path, "messages"] }]),
    ...cases,
    ...(webhook === ""
      ? []
      : [{ does: "call" as const, webhook, tag: textOf(fulfillment.tag), path: [...path, "webhook"] }]),
    ...last.slice(0, 1),
  ];
}

function casesOf(list: JsonObject, path: Path, reading: Reading, depth: number): readonly Case[] {
  if (depth > MOST_CASES) {
    reading.draft.warn("unread-part", path, "Its cases are nested too deep", "Use fewer levels");
    return [];
  }
  return records(list.cases).map((each, index) => {
    const at = [...path, "cases", index];
    const steps = records(each.caseContent).flatMap((content, position): readonly Step[] => {
      const inside = [...at, "caseContent", position];
      const message = recordAt(content, "message");
      const said = Object.keys(message).length > 0 ? messagesIn([message], inside, reading) : [];
      const nested = recordAt(content, "additionalCases");
      if (Object.keys(nested).length === 0) return said;
      const cases = casesOf(nested, [...inside, "additionalCases"], reading, depth + 1);
      return [...said, { does: "choose", cases, path: inside }];
    });
    return { condition: textOf(each.condition), steps, path: at };
  });
}

/** Reads messages, those of the agent's own language if there are any. */
function messagesIn(messages: unknown, path: Path, reading: Reading): readonly Step[] {
  const all = records(messages).map((message, index) => ({ message, path: [...path, index] }));
  const own = all.filter(({ message }) => isIn(message.languageCode, reading.language));
  const taken =
    own.length > 0 ? own : all.filter(({ message }) => isIn(message.languageCode, languageOf(all[0]?.message)));
  for (const each of all) if (!taken.includes(each)) reading.unread.add(languageOf(each.message) ?? "another");
  return taken.flatMap(({ message, path: at }) => messageOf(message, at, reading));
}

const languageOf = (message: JsonObject | undefined): string | undefined =>
  typeof message?.languageCode === "string" ? message.languageCode : undefined;

const isIn = (code: unknown, language: string | undefined): boolean =>
  code === undefined || language === undefined || code === language;

function messageOf(message: JsonObject, path: Path, reading: Reading): readonly Step[] {
  const { draft } = reading;
  const found: Step[] = [];
  const say = (text: string, at: Path) => {
    const filled = wordsOf(text, at, reading);
    if (filled !== "") found.push({ does: "say", text: filled, path: at });
  };
  const variants = recordAt(message, "text").text;
  if (Array.isArray(variants)) {
    say(textOf(variants[0]), [...path, "text"]);
    if (variants.length > 1)
      draft.note(
        "approximated",
        [...path, "text"],
        `One of ${variants.length} texts is said; the first one is taken`,
        "Write a prompt that asks for other words each time",
      );
  }
  const audio = recordAt(message, "outputAudioText");
  say(textOf(audio.text), [...path, "outputAudioText", "text"]);
  if (textOf(audio.ssml) !== "") {
    draft.note(
      "markup",
      [...path, "outputAudioText", "ssml"],
      "Tags of SSML are left out",
      "Check the text of the node",
    );
    say(withoutTags(textOf(audio.ssml)), [...path, "outputAudioText", "ssml"]);
  }
  if (message.playAudio !== undefined)
    draft.warn(
      "recording",
      [...path, "playAudio"],
      "The words of its recording are not in the agent",
      "Write them into the node",
    );
  const call = recordAt(message, "telephonyTransferCall");
  if (Object.keys(call).length > 0) found.push({ does: "transfer", to: textOf(call.phoneNumber), path });
  if (message.liveAgentHandoff !== undefined) {
    draft.warn(
      "destination",
      [...path, "liveAgentHandoff"],
      "A handoff to people has no number",
      "Set the destination of the transfer",
    );
    found.push({ does: "transfer", to: "", path });
  }
  if (message.endInteraction !== undefined) found.push({ does: "end", path });
  const read = ["text", "outputAudioText", "playAudio", "telephonyTransferCall", "liveAgentHandoff", "endInteraction"];
  draft.left(message, [...read, "languageCode"], path);
  return found;
}

/** A text with variables. What no variable has is named. */
export function wordsOf(text: string, path: Path, { draft, variables }: Reading): string {
  if (unfilled(text))
    draft.warn(
      "template",
      path,
      `Functions and parts of values are not computed: ${shown(text)}`,
      "Write the text without them",
    );
  return filledIn(text.trim(), variables);
}
