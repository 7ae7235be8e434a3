/** The process that `watchRun()` starts for each run: it loads the files, selects scenarios, runs them and ends. */
import process from "node:process";
import { formatError, isRecord } from "../../../../base/values/mod.ts";
import { endWithParent } from "../../../project/mod.ts";
import { processTerminal, redirectConsole } from "../../io/mod.ts";
import type { WatchAnswer, WatchRequest } from "./messages.ts";
import { runAgain } from "./run_again.ts";

// standard output is for a command's data, so logs of a flow's module or a tool go to standard error
console.log = console.info = console.debug = console.error;
process.on("SIGINT", () => {}); // Ctrl-C reaches this process too; the parent sends a message for each
const watched = endWithParent();
const terminal = processTerminal((interrupt) => {
  process.on("message", (message) => {
    if (message === "interrupt") interrupt();
  });
});
redirectConsole(terminal);
process.on("message", async (message) => {
  if (!isRecord(message)) return;
  await watched;
  const answer = await run(message as unknown as WatchRequest); // of watch_run.ts
  await terminal.flush().catch(() => {});
  process.send?.(answer, undefined, undefined, () => process.exit(0));
});

async function run(request: WatchRequest): Promise<WatchAnswer> {
  try {
    return await runAgain(request, terminal);
  } catch (error) {
    terminal.err(formatError(error));
    return { code: 2 };
  }
}
