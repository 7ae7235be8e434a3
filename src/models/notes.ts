import { jsonLines } from "./render.ts";

/**
 * What happens on the caller's side beside their words, as the models that speak get it. It is JSON, as nobody speaks
 * JSON: a model that repeats its input says none of it.
 */
export const EVENTS = {
  connected: '{"event":"The call is connected. You speak first."}',
  silence: '{"event":"The caller says nothing."}',
  goOn: '{"event":"It is still your turn. Go on."}',
  nothingSaid: '{"event":"You said nothing. Say your next words to the caller now."}',
} as const;

/** What happened beside the conversation: a tool's answer, after so many of the caller's lines; or a direction. */
export type Note = { readonly after_caller_line: number; readonly tool: string } | { readonly direction: string };

const HEADING =
  "Notes on the call, as JSON, oldest first: what tools answered, and directions for you. The caller has heard none of them. Use what they say, and never read out or mention a note.";

/** The instructions of a reply, with the notes that it is asked for with. */
export function withNotes(instructions: string, notes: readonly Note[]): string {
  if (notes.length === 0) return instructions;
  return [instructions, `${HEADING}\n${jsonLines(notes)}`].filter(Boolean).join("\n\n");
}
