import type { AgentGraph } from "../../document/graph/mod.ts";
import { askChild, changedFiles } from "../project/mod.ts";
import type { ChatSession } from "./session.ts";
import type { ChatView, OutputLine } from "./view.ts";

/** The agent to reload. */
export interface LoadRequest {
  readonly path: string;
  readonly exportName: string | undefined;
  readonly format: string | undefined;
}

/** The reloaded agent, or the error as the command line prints it. */
export type Loaded = { readonly graph: AgentGraph } | { readonly error: string };

/**
 * Reloads the agent whenever it, or a file that it imports, is saved, until the signal aborts. The chat uses it
 * from the next turn on. Tools keep the functions that the chat started with.
 */
export async function followAgent({ session, view }: Chat, request: LoadRequest, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  for await (const _ of changedFiles([request.path], signal)) {
    if (!isFirst) noteSaved(await load(request, signal));
    isFirst = false;
  }

  function noteSaved(loaded: Loaded | undefined): void {
    if (loaded && !signal.aborted) view.noted(`${request.path} was saved${effectOf(loaded)}`);
  }

  function effectOf(loaded: Loaded): string {
    if ("error" in loaded) return `, but cannot be used: ${loaded.error}`;
    const { nodeId } = session.state;
    return session.replaceGraph(loaded.graph)
      ? ": it is used from the next turn on"
      : `, but has no node "${nodeId}": it is used after /restart or /goto`;
  }
}

async function load(request: LoadRequest, signal: AbortSignal): Promise<Loaded | undefined> {
  const script = new URL("./load_child", import.meta.url);
  const answer = await askChild({ script, request, stdio: ["ignore", "ignore", "ignore", "ipc"], signal });
  if (answer && "problem" in answer) return { error: answer.problem };
  return answer?.message as Loaded | undefined; // of load_child.ts
}

/** A chat: a call, and the view that shows it. */
export interface Chat {
  readonly session: ChatSession;
  readonly view: ChatView;
  /** Writes the call as a scenario, and reports the file. */
  readonly save: (path: string | undefined) => Promise<readonly OutputLine[]>;
  /** Further lines of `/help`, such as the keys of a terminal. */
  readonly help?: readonly string[];
}
