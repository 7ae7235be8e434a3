import { setTimeout } from "node:timers/promises";
import { indexWords, type StudioData } from "../data/mod.ts";

/** Calls that are indexed at a time, so that requests are answered between. */
const AT_A_TIME = 200;
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
      isMore = await indexWords(data, AT_A_TIME);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await setTimeout(isMore ? PAUSE_MS : LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
