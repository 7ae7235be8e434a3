/**
 * Prints more than a pipe holds, and ends like a command whose module keeps running, with a grace period of 1 ms.
 * Reports on standard error when the grace period would be over if it had begun with the last output.
 */
import process from "node:process";
import { endProcess, processTerminal } from "../../../src/surface/cli/io/terminal.ts";

const terminal = processTerminal();
setInterval(() => {}, 1_000);
terminal.out("0123456789".repeat(200_000));
const ended = endProcess(0, terminal, 1);
setTimeout(() => process.stderr.write("late"), 5);
await ended;
