import { readAllFiles } from "./read_files.ts";
import { watchFiles } from "./watch_files.ts";

/**
 * Yields once at the start, and again whenever the content of one of the files, or of a file that they import or name,
 * has changed. Ends when the signal aborts. Changes while the consumer works are yielded afterwards.
 */
export async function* changedFiles(paths: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  let known: ReadonlyMap<string, string | undefined> = new Map();
  let wake = () => {};
  let isChanged = true;
  const changed = () => {
    isChanged = true;
    wake();
  };
  const watcher = watchFiles(changed);
  signal.addEventListener("abort", changed);
  try {
    while (!signal.aborted) {
      if (!isChanged) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      isChanged = false;
      const files = await readAllFiles(paths);
      if (watcher.watch(files.keys())) isChanged = true;
      if (isChanged || isSame(files, known)) continue;
      known = files;
      yield;
    }
  } finally {
    signal.removeEventListener("abort", changed);
    watcher.close();
  }
}

/** Some systems report that a file was read, which is not a change. */
function isSame(files: ReadonlyMap<string, string | undefined>, others: ReadonlyMap<string, string | undefined>) {
  return (
    files.size === others.size && [...files].every(([file, text]) => others.has(file) && others.get(file) === text)
  );
}
