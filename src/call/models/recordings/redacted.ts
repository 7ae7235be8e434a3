import { createRedactor } from "../../../base/redaction/mod.ts";
import { isRecord } from "../../../base/values/mod.ts";
import type { Recording } from "./recording.ts";

/** Lines of a request that hold JSON Schemas: of answers and of tools. */
const SCHEMA = /^\[(?:answer|tool)\] (.*)$/s;

/**
 * Redacts a recording. Names and choices in its schemas stay even if an environment variable has the same value,
 * because a replayed answer must use them.
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
 * Redacts the lines of a request. The redacted lines identify the recording, so that it is found after a key has
 * changed.
 */
export function redactedRequest(request: readonly string[]): string[] {
  return redactedLines(request, createRedactor({ shown: request.flatMap(offeredIn) }).text);
}

/** Redacts the lines as one text, because a private key spans several. */
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
    return []; // a line of a prompt that looks like the start of a schema
  }
}

/** Returns the keys of a schema and the strings that an answer may contain: tool names, enumerations, constants. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === "enum" && Array.isArray(item)) return item.filter((choice) => typeof choice === "string");
    if ((key === "const" || key === "name") && typeof item === "string") return [item];
    return [key, ...namesIn(item)];
  });
}
