import { isRecord } from "../values/mod.ts";

/** An output stream whose writes can be waited for. */
export interface Output {
  readonly write: (text: string) => void;
  /** Waits until everything was written, or until it is known that it cannot be. */
  readonly settled: () => Promise<void>;
  /** Why something could not be written, once; a reader that has closed its pipe is no failure. */
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
    stop(); // Deno calls back for no write of a stream that has failed
  };
  stream.on("error", fail);
  return {
    write: (text) => {
      // Bun calls back for an empty text before what was written ahead of it is gone
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
  return isRecord(error) && error.code === "EPIPE";
}
