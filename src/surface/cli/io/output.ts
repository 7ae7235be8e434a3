import { errorCode } from "../../../base/values/mod.ts";

/** An output stream whose writes can be awaited. */
export interface Output {
  readonly write: (text: string) => void;
  /** Waits until everything was written or the stream has failed. */
  readonly settled: () => Promise<void>;
  /** Returns the error of a failed write, once. A reader that has closed its pipe is not an error. */
  readonly takeFailure: () => unknown;
}

/** Writes to a stream of the process. A stream that has failed is not written to again. */
export function createOutput(stream: NodeJS.WriteStream): Output {
  const writes = new Set<Promise<void>>();
  let failure: unknown;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let isStopped = false;
  const fail = (error: unknown) => {
    if (!isStopped && !isClosedPipe(error)) failure = error;
    isStopped = true;
    stop(); // Deno does not call back for writes to a stream that has failed
  };
  stream.on("error", fail);
  return {
    write: (text) => {
      // Bun calls back for an empty string before earlier writes are flushed
      if (text === "" || isStopped) return;
      const done = new Promise<void>((taken) => {
        try {
          stream.write(text, (error) => {
            if (error) fail(error);
            taken();
          });
        } catch (error) {
          fail(error);
          taken();
        }
      });
      writes.add(done);
      done.then(() => writes.delete(done));
    },
    settled: async () => void (await Promise.race([Promise.all(writes), stopped])),
    takeFailure: () => {
      const taken = failure;
      failure = undefined;
      return taken;
    },
  };
}

/** `callweave … | head` closes the pipe while there is more to write. */
function isClosedPipe(error: unknown): boolean {
  return errorCode(error) === "EPIPE";
}
