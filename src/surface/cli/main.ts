#!/usr/bin/env node
import { quickAnswer } from "./quick_answer.ts";

const argv = process.argv.slice(2);
const answer = quickAnswer(argv);
if (answer !== undefined) {
  // on Bun, setting up process.stdout takes longer than everything else here
  console.log(answer);
} else {
  // standard output is for a command's data, so logs of a flow's module or a tool go to standard error
  console.log = console.info = console.debug = console.error;
  const [{ runCli, tellError }, { endProcess, guardExit, processTerminal, redirectConsole }] = await Promise.all([
    import("./run_cli.ts"),
    import("./io/mod.ts"),
  ]);
  const terminal = processTerminal();
  redirectConsole(terminal);
  const guard = guardExit("the command");
  // a rejection in a user's module that nothing awaits
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, async (error: unknown) => {
      try {
        await tellError(error, terminal);
      } catch (failure) {
        console.error(failure); // rethrown, it would reach this handler again, without end
      }
      await endProcess(2, terminal, 0);
    });
  }
  const code = await runCli(argv, terminal);
  guard.settle(code);
  await endProcess(code, terminal);
}
