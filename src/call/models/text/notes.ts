import { jsonLines } from "./render.ts";

/**
 * Events next to the conversation, as JSON in the prompt. Nobody speaks JSON, so a note that the model repeats can be
 * removed from its reply.
 */
export const EVENTS = {
  connected: '{"event":"The call is connected. You speak first."}',
  silence: '{"event":"The caller says nothing."}',
  goOn: '{"event":"It is still your turn. Go on."}',
  nothingSaid: '{"event":"You said nothing. Say your next words to the caller now."}',
} as const;

/** All events, to remove them from replies that repeat them. */
export const EVENT_LINES: readonly string[] = Object.values(EVENTS);

/** An event for the model: a tool's result, with the number of caller messages before it; or a steering message. */
export type Note = { readonly after_caller_line: number; readonly tool: string } | { readonly direction: string };

const HEADING =
  "Notes on the call, as JSON, oldest first: what tools answered, and directions for you. The caller has heard none of them. Use what they say, and never read out or mention a note.";

/** Instructions with notes appended. */
export function withNotes(instructions: string, notes: readonly Note[]): string {
  if (notes.length === 0) return instructions;
  return [instructions, `${HEADING}\n${jsonLines(notes)}`].filter(Boolean).join("\n\n");
}
