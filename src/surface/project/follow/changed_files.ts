import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import { readAllFiles } from "./read_files.ts";

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

/** Reports changes of files. */
export interface FileWatcher {
  /**
   * Sets the files to watch.
   *
   * @returns Whether new folders are being watched; a change just before may have been missed.
   */
  readonly watch: (files: Iterable<string>) => boolean;
  readonly close: () => void;
}

/**
 * Watches files by their folders: many editors save by renaming a new file, after which a watched file would be gone.
 *
 * @param onChange Called for each change, sometimes also when the content is the same.
 */
function watchFiles(onChange: () => void): FileWatcher {
  const folders = new Map<string, FSWatcher>();
  let watched: ReadonlySet<string> = new Set();
  const close = (folder: string) => {
    folders.get(folder)?.close();
    folders.delete(folder);
  };
  return {
    watch: (files) => {
      watched = new Set(files);
      const wanted = new Set([...watched].map((file) => dirname(file)));
      for (const folder of [...folders.keys()]) if (!wanted.has(folder)) close(folder);
      const before = folders.size;
      for (const folder of wanted) {
        if (folders.has(folder)) continue;
        try {
          const watcher = watch(folder, (_, name) => {
            if (name === null || watched.has(join(folder, name))) onChange();
          });
          watcher.on("error", () => close(folder)); // the folder was removed
          folders.set(folder, watcher);
        } catch {
          // the folder does not exist
        }
      }
      return folders.size > before;
    },
    close: () => {
      for (const folder of [...folders.keys()]) close(folder);
    },
  };
}
