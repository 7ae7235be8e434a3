import type { RecordedCall, UnreadableCall } from "../../../../platforms/mod.ts";
import { isRecordedCall } from "../read/mod.ts";

/** Maximum number of calls, and of their messages, in memory. A single call may have more messages. */
const [MOST_CALLS, MOST_MESSAGES] = [50, 5_000];

type Read = RecordedCall | UnreadableCall;

/**
 * Reads in batches, so that few calls are in memory at a time: nothing is read while a batch is processed. Ends when the
 * signal aborts, even while the source is silent.
 */
export async function* batched(
  calls: AsyncIterable<Read>,
  signal: AbortSignal | undefined,
): AsyncIterable<readonly Read[]> {
  const iterator = calls[Symbol.asyncIterator]();
  let batch: Read[] = [];
  let messages = 0;
  try {
    for (;;) {
      const next = await nextOf(iterator, signal);
      if (next === undefined || next.done === true) break;
      batch.push(next.value);
      messages += isRecordedCall(next.value) ? next.value.transcript.length : 1;
      if (batch.length < MOST_CALLS && messages < MOST_MESSAGES) continue;
      yield batch;
      [batch, messages] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  } finally {
    // a source that is silent ends later or never; nothing waits for it
    iterator.return?.()?.then(undefined, () => {});
  }
}

/**
 * Waits for the next item; `undefined` when the signal aborts first. A shared promise for all waits would keep a
 * reaction for each of them.
 */
async function nextOf(
  iterator: AsyncIterator<Read>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Read> | undefined> {
  if (signal === undefined) return await iterator.next();
  if (signal.aborted) return undefined;
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([iterator.next(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
