// A process with a run that is killed while calls wait: `_waiting_run.ts '{"db": …}'`, see `WaitingRun`. Prints its
// events as JSON lines.
import { writeSync } from "node:fs";
import process from "node:process";
import { runWaiting } from "./_waiting.ts";

await runWaiting(JSON.parse(process.argv[2] ?? "{}"), (event) => void writeSync(1, `${JSON.stringify(event)}\n`));
