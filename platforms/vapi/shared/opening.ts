import { dropAt, getAt, isRecord, type JsonObject, setAt } from "../../../src/base/values/mod.ts";
import type { SourceMetadata } from "../../../src/document/graph/mod.ts";
import { placeOf } from "./directory.ts";
import { isText } from "./texts.ts";

/** Values of Vapi's `firstMessageMode`. Default: the assistant speaks first. */
const WAITS = "assistant-waits-for-user";
const GENERATES = "assistant-speaks-first-with-model-generated-message";
const SPEAKS = "assistant-speaks-first";

/** Settings of a graph for the start of a call. */
export type Opening = Pick<SourceMetadata, "begin_message" | "start_speaker">;

/** The opening of the first member. */
export interface OpeningRead {
  readonly opening: Opening;
  /** The member without the message; with a blank if the message was in an override. */
  readonly rest: JsonObject;
}

/**
 * Reads the opening of the member where calls start. `firstMessage` is spoken verbatim. Without it Vapi waits for the
 * caller, as with an empty `begin_message`. If the model generates the message, neither key is set: the entry node's
 * prompt is used.
 *
 * @see https://docs.vapi.ai/api-reference/assistants/create (`firstMessage`, `firstMessageMode`)
 */
export function readOpening(home: JsonObject): OpeningRead {
  const mode = getAt(home, modePlace(home));
  if (mode === GENERATES) return { opening: {}, rest: home };
  const at = messagePlace(home);
  const message = getAt(home, at);
  const speaker: Opening = mode === WAITS ? { start_speaker: "user" } : {};
  if (isText(message)) {
    const isOverride = at[0] === "assistantOverrides" && isRecord(home.assistant);
    const rest = isOverride ? setAt(home, at, "") : dropAt(home, at);
    return { opening: { ...speaker, begin_message: message }, rest };
  }
  // an assistant that is not in the document may have a first message
  const silent = mode !== WAITS && (isRecord(home.assistant) || message === "");
  return { opening: silent ? { begin_message: "" } : speaker, rest: home };
}

/** Writes the opening into a member. Changes the mode only if the opening would otherwise be read differently. */
export function writeOpening(home: JsonObject, opening: Opening): JsonObject {
  const message: unknown = opening.begin_message;
  const withMessage = isText(message) ? setAt(home, messagePlace(home), message) : home;
  const bases = isText(message) ? [withMessage] : [home, withoutMessage(home)];
  const mode = opening.start_speaker === "user" ? WAITS : typeof message === "string" ? SPEAKS : GENERATES;
  const candidates = [...bases, ...bases.map((base) => setAt(base, modePlace(base), mode))];
  const found = candidates.find((candidate) => says(readOpening(candidate).opening, opening));
  const last = setAt(withMessage, modePlace(withMessage), mode);
  return found ?? setAt(last, messagePlace(last), message ?? "");
}

/** Whether two openings are equivalent. By default, the agent speaks first. */
function says(a: Opening, b: Opening): boolean {
  const user = (opening: Opening) => opening.start_speaker === "user";
  // if the caller speaks first, an empty message and no message are equivalent
  const message = (opening: Opening) =>
    user(opening) ? opening.begin_message || null : (opening.begin_message ?? null);
  return user(a) === user(b) && message(a) === message(b);
}

const modePlace = (home: JsonObject) => placeOf(home, "firstMessageMode");
const messagePlace = (home: JsonObject) => placeOf(home, "firstMessage");

function withoutMessage(home: JsonObject): JsonObject {
  return dropAt(dropAt(home, ["assistantOverrides", "firstMessage"]), ["assistant", "firstMessage"]);
}
