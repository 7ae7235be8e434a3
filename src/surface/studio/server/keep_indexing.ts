import { setTimeout } from "node:timers/promises";
import { indexWords, type StudioData } from "../data/mod.ts";

const PAUSE_MS = 20;
const LOOK_MS = 5_000;

/** Indexes the words of calls that the index lacks, in the background, until the signal aborts. */
export async function keepIndexing(
  data: StudioData,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    let isMore = false;
    try {
      isMore = await indexWords(data, 1);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await setTimeout(isMore ? PAUSE_MS : LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
