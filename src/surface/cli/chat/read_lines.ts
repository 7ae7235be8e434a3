import { type Chat, enterLine, openChat } from "../../chat/mod.ts";
import type { ExitCode } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";

/**
 * Handles each line of standard input as the caller's words or a command, as it arrives.
 *
 * @returns 3 when a turn or a command has failed.
 */
export async function readLines(chat: Chat, terminal: Terminal): Promise<ExitCode> {
  let failures = (await openChat(chat)) === "failed" ? 1 : 0;
  for await (const line of linesOf(terminal)) {
    const entered = await enterLine(chat, line);
    if (entered === "quit") break;
    if (entered === "failed") failures += 1;
  }
  return failures > 0 || terminal.signal.aborted ? 3 : 0;
}

async function* linesOf({ lines, input, signal }: Terminal): AsyncGenerator<string> {
  if (!lines) {
    yield* (await input()).split(/\r?\n/);
    return;
  }
  const aborted = new Promise<{ readonly done: true }>((resolve) => {
    if (signal.aborted) resolve({ done: true });
    signal.addEventListener("abort", () => resolve({ done: true }), { once: true });
  });
  const arriving = lines()[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([arriving.next(), aborted]);
    if (next.done === true) return;
    yield next.value;
  }
}
