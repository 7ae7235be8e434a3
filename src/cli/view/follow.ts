import { readFiles } from "./read_files.ts";
import { type Picture, render, type ViewedSource } from "./render.ts";
import { watchFiles } from "./watch_files.ts";

/** What the page shows. */
export interface ViewState {
  /** The last picture that could be drawn. */
  readonly picture: Picture | undefined;
  /** Why the agent cannot be drawn as it is now. */
  readonly error: string | undefined;
}

/**
 * Draws an agent now and whenever it, or a file that it imports, is saved, until the signal aborts.
 *
 * @param onState Called with each new state.
 */
export async function follow(
  source: ViewedSource,
  signal: AbortSignal,
  onState: (state: ViewState) => void,
): Promise<void> {
  let state: ViewState = { picture: undefined, error: undefined };
  let drawn: ReadonlyMap<string, string | undefined> = new Map();
  let current = new AbortController();
  let wake = () => {};
  let isChanged = true;
  const changed = () => {
    isChanged = true;
    wake();
  };
  const watcher = watchFiles(changed);
  signal.addEventListener("abort", changed);
  while (!signal.aborted) {
    if (!isChanged) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    isChanged = false;
    const files = await readFiles(source.path);
    if (watcher.watch(files.keys())) isChanged = true;
    if (isChanged || isSame(files, drawn)) continue;
    drawn = files;
    current.abort(); // what it draws is old
    current = new AbortController();
    void draw(AbortSignal.any([signal, current.signal]));
  }
  signal.removeEventListener("abort", changed);
  watcher.close();

  async function draw(stopped: AbortSignal): Promise<void> {
    const rendered = await render(source, stopped);
    if (!rendered || stopped.aborted) return;
    state = "picture" in rendered ? { ...rendered, error: undefined } : { ...state, error: rendered.error };
    onState(state);
  }
}

/** Some systems report that a file was read, which is not a change. */
function isSame(files: ReadonlyMap<string, string | undefined>, others: ReadonlyMap<string, string | undefined>) {
  return (
    files.size === others.size && [...files].every(([file, text]) => others.has(file) && others.get(file) === text)
  );
}
