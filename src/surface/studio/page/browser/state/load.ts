import { useEffect, useRef, useState } from "preact/hooks";
import { noteError } from "./api.ts";

/** What is loaded for a screen, the error, or neither while it is on its way. */
export interface Loaded<Value> {
  readonly value?: Value;
  readonly error?: unknown;
  /** Whether a newer value is on its way; the old one stays until then. */
  readonly isLoading: boolean;
  /** Loads it again. */
  readonly again: () => void;
}

/**
 * Loads a value, and again when the key changes. An answer that comes after a newer question is dropped.
 *
 * @param key What the value depends on. A key that starts differently, before the first space, drops the old value.
 */
export function useLoaded<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: unknown; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const [times, setTimes] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const control = new AbortController();
    setState((old) =>
      subjectOf(old.key) === subjectOf(key) ? { ...old, key, isLoading: true } : { key, isLoading: true },
    );
    latest.current(control.signal).then(
      (value) => control.signal.aborted || setState({ key, value, isLoading: false }),
      (error: unknown) => {
        if (control.signal.aborted) return;
        noteError(error);
        setState({ key, error, isLoading: false });
      },
    );
    return () => control.abort();
  }, [key, times]);
  const isOfKey = subjectOf(state.key) === subjectOf(key);
  return {
    ...(isOfKey && state.value !== undefined ? { value: state.value } : {}),
    ...(isOfKey && state.error !== undefined ? { error: state.error } : {}),
    isLoading: state.isLoading || !isOfKey,
    again: () => setTimes((count) => count + 1),
  };
}

function subjectOf(key: string): string {
  return key.split(" ", 1)[0] ?? "";
}
