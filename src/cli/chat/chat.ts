import type { ChatSession } from "./session.ts";
import type { ChatView, OutputLine } from "./view.ts";

/** A chat: a call, and where it is shown. */
export interface Chat {
  readonly session: ChatSession;
  readonly view: ChatView;
  /** Writes the call as a scenario, and says where. */
  readonly save: (path: string | undefined) => Promise<readonly OutputLine[]>;
}
