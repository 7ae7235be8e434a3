import type { ChatSession } from "./session.ts";
import type { ChatView, OutputLine } from "./view.ts";

/** A chat: a call, and the view that shows it. */
export interface Chat {
  readonly session: ChatSession;
  readonly view: ChatView;
  /** Writes the call as a scenario, and reports the file. */
  readonly save: (path: string | undefined) => Promise<readonly OutputLine[]>;
  /** Further lines of `/help`, such as the keys of a terminal. */
  readonly help?: readonly string[];
}
