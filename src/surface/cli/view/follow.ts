import { changedFiles } from "../../project/mod.ts";
import type { ViewState } from "../../web/mod.ts";
import { render, type ViewedSource } from "./render.ts";

/**
 * Draws an agent, and again whenever it, or a file that it imports, is saved, until the signal aborts.
 *
 * @param onState Called with each new state.
 */
export async function follow(
  source: ViewedSource,
  signal: AbortSignal,
  onState: (state: ViewState) => void,
): Promise<void> {
  let state: ViewState = { picture: undefined, error: undefined };
  let current = new AbortController();
  for await (const _ of changedFiles([source.path], signal)) {
    current.abort(); // what it draws is old
    current = new AbortController();
    void draw(AbortSignal.any([signal, current.signal]));
  }

  async function draw(stopped: AbortSignal): Promise<void> {
    const rendered = await render(source, stopped);
    if (!rendered || stopped.aborted) return;
    state = "picture" in rendered ? { ...rendered, error: undefined } : { ...state, error: rendered.error };
    onState(state);
  }
}
