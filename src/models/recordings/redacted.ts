import { createRedactor } from "../../redaction/mod.ts";
import { isRecord } from "../../values/mod.ts";
import type { Recording } from "./recording.ts";

/** Of the request's lines, those that hold JSON Schemas: what an answer may be, and the tools it may call. */
const SCHEMA = /^\[(?:answer|tool)\] (.*)$/s;

/**
 * A recording without secrets. The names and choices that its schemas offer stay, also where a variable of the environment
 * happens to have one of them as its value: an answer must name them to be replayed.
 */
export function redacted(recording: Recording): Recording {
  const { text } = createRedactor({ shown: recording.request.flatMap(offeredIn) });
  return {
    ...recording,
    request: redactedLines(recording.request, text),
    content: recording.content.map((part) =>
      part.type === "text" ? { ...part, text: text(part.text) } : { ...part, input: text(part.input) },
    ),
  };
}

/**
 * The lines of a request as they are recorded, and as it is known by: a call whose prompt holds a key is the same call when
 * the key has changed, or when an earlier answer is replayed in which the key was taken out.
 */
export function redactedRequest(request: readonly string[]): string[] {
  return redactedLines(request, createRedactor({ shown: request.flatMap(offeredIn) }).text);
}

/** As one text: a private key has several lines. */
function redactedLines(lines: readonly string[], clean: (text: string) => string): string[] {
  const whole = lines.join("\n");
  const redacted = clean(whole);
  return redacted === whole ? [...lines] : redacted.split("\n");
}

function offeredIn(line: string): readonly string[] {
  const json = SCHEMA.exec(line)?.[1];
  if (json === undefined) return [];
  try {
    return namesIn(JSON.parse(json));
  } catch {
    return []; // a line of a prompt that only begins like one of a schema
  }
}

/** Keys, and strings that an answer can be: names of tools, enumerations, constants. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === "enum" && Array.isArray(item)) return item.filter((choice) => typeof choice === "string");
    if ((key === "const" || key === "name") && typeof item === "string") return [item];
    return [key, ...namesIn(item)];
  });
}
