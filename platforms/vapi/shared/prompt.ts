import type { Path } from "../../../src/base/errors.ts";
import { dropAt, getAt, isRecord, type JsonObject, recordAt, setAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";

/**
 * Writes the graph's language and voice, which are under `membersOverrides`, into an assistant, a workflow or the
 * overrides of a squad. A transcriber keeps its provider.
 */
export function withSpeech(settings: JsonObject, { source_metadata: source }: AgentGraph): JsonObject {
  const { transcriber, voice } = recordAt(recordAt(source, "vapi"), "membersOverrides");
  return {
    ...settings,
    ...(voice === undefined ? {} : { voice }),
    ...(isRecord(transcriber)
      ? { transcriber: { ...transcriber, ...recordAt(settings, "transcriber"), language: transcriber.language } }
      : {}),
  };
}

/** Places of models. Overrides take precedence. */
const MODELS: readonly Path[] = [
  ["assistantOverrides", "model"],
  ["assistant", "model"],
];

/** A prompt, and the member with a blank in its place. */
export interface PromptRead {
  readonly text: string;
  readonly rest: JsonObject;
}

/**
 * Reads the prompt of a member: its first system message, or a key of older API versions. Messages of an override
 * replace those of the assistant.
 */
export function readPrompt(home: JsonObject): PromptRead {
  const { text, rest } = takeText(home, places(home));
  return { text: text ?? "", rest };
}

/** Writes the prompt to its blank. A new prompt becomes the first system message. */
export function writePrompt(home: JsonObject, text: string): JsonObject {
  const blank = textPlace(home, places(home));
  if (blank) return setAt(home, blank, text);
  if (!text) return home;
  const empty = systemMessages(home)[0];
  if (empty) return setAt(home, empty, text);
  const model: Path = [isRecord(home.assistant) ? "assistant" : "assistantOverrides", "model"];
  const current = getAt(home, model);
  if (current !== undefined && !isRecord(current)) return setAt(home, ["assistant", "systemPrompt"], text);
  const messages = getAt(home, [...model, "messages"]);
  if (messages !== undefined && !Array.isArray(messages)) return setAt(home, [...model, "systemPrompt"], text);
  return setAt(home, [...model, "messages"], [{ role: "system", content: text }, ...(messages ?? [])]);
}

function places(home: JsonObject): readonly Path[] {
  return [
    ...systemMessages(home),
    ...MODELS.flatMap((model) => [
      [...model, "systemPrompt"],
      [...model, "systemMessage"],
    ]),
    ["assistant", "systemPrompt"],
  ];
}

/** Returns the place of the first system message of each model. */
function systemMessages(home: JsonObject): readonly Path[] {
  return MODELS.flatMap((model) => {
    const messages = getAt(home, [...model, "messages"]);
    if (!Array.isArray(messages)) return [];
    const index = messages.findIndex((message) => isRecord(message) && message.role === "system");
    return index < 0 ? [] : [[...model, "messages", index, "content"]];
  });
}

/** Whether a value is a non-empty string. Empty strings stay in the platform's settings. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns the first place at which a record has a text or a blank. */
export function textPlace(record: JsonObject, places: readonly Path[]): Path | undefined {
  return places.find((place) => typeof getAt(record, place) === "string");
}

/** Removes the first text at one of the places and leaves a blank. Empty texts at the other places are removed. */
export function takeText(
  record: JsonObject,
  places: readonly Path[],
): { readonly text?: string; readonly rest: JsonObject } {
  const at = places.find((place) => isText(getAt(record, place)));
  const text = at && getAt(record, at);
  const rest = places.filter((place) => getAt(record, place) === "").reduce(dropAt, record);
  return at && isText(text) ? { text, rest: setAt(rest, at, "") } : { rest };
}
