import { type OpenQueue, openQueue } from "../../../run/worker/mod.ts";
import { type Arguments, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";

/** The queue of a run; empty if the calls run in this process. */
interface ChosenQueue extends AsyncDisposable {
  readonly queue?: OpenQueue;
}

/** Opens the queue that the flags name. Dispose of it after the run. */
export async function chooseQueue(args: Arguments, terminal: Terminal): Promise<ChosenQueue> {
  const url = args.text("queue");
  const seconds = args.number("worker-timeout");
  if (url === undefined) {
    if (seconds !== undefined) throw usage("--worker-timeout is for runs with a queue", "Pass --queue too");
    return { [Symbol.asyncDispose]: async () => {} };
  }
  const queue = await openQueue(url, {
    onWarning: ({ warning }) => terminal.err(`warning: ${warning}\n`),
    signal: terminal.signal,
    ...(seconds === undefined ? {} : { workerTimeoutMs: seconds * 1_000 }),
  });
  return { queue, [Symbol.asyncDispose]: queue.close };
}
