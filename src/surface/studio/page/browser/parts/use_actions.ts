import { useState } from "preact/hooks";
import { noteError } from "../state/mod.ts";

/** The buttons of a part of a screen: one action at a time, and what came of the last one. */
export interface Actions {
  readonly isBusy: boolean;
  /** What was done, in words; empty while something is being done. */
  readonly note: string;
  readonly setNote: (note: string) => void;
  readonly error: unknown;
  /** Does something. Never rejects: an error is kept. */
  readonly act: (action: () => Promise<void>) => Promise<void>;
}

/** Keeps what a part of a screen does. */
export function useActions(): Actions {
  const [note, setNote] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const act = async (action: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    setNote("");
    try {
      await action();
    } catch (problem) {
      noteError(problem);
      setError(problem);
    }
    setBusy(false);
  };
  return { isBusy, note, setNote, error, act };
}
