import { createCallLines, formatCallLine } from "../../reporters/mod.ts";
import type { RunEvent } from "../../runner/mod.ts";
import type { Scenario } from "../../scenario/mod.ts";
import { cut, styleFor } from "../../values/mod.ts";
import type { Terminal } from "../io/mod.ts";

/** Goes back to the start of the line and clears it. */
const CLEAR = "\r\u001b[K";

/**
 * Writes a line to standard error for each call that is over and for each request that is made again. A terminal also
 * shows how many calls are left, in a last line that is overwritten, and the nodes of each call, as the report leaves
 * these lines out there.
 */
export function createProgress(scenarios: readonly Scenario[], terminal: Terminal): (event: RunEvent) => void {
  const { stderr, env, err } = terminal;
  const style = styleFor(stderr, env);
  const lineOf = createCallLines(
    scenarios.map(({ name }) => name),
    style,
  );
  const total = scenarios.length;
  let over = 0;
  let held = 0;
  const write = (line: string) => err(stderr.isTTY ? `${CLEAR}${line}\n` : `${line}\n`);
  return (event) => {
    if (event.kind === "call-start") held += 1;
    if (event.kind === "retry") {
      const { signature, reason } = event.retry;
      write(cut(`  … ${event.scenario}: retrying "${signature}". ${reason}`, stderr.isTTY ? style.width : 400));
    }
    if (event.kind === "call-end") {
      over += 1;
      write(stderr.isTTY ? lineOf(event.result) : `  ${over}/${total} ${formatCallLine(event.result, style)}`);
    }
    if (!stderr.isTTY || event.kind === "turn-end") return;
    const left = `${over} of ${total} calls, ${Math.max(0, held - over)} running`;
    err(over < total ? `${CLEAR}${left}` : `${CLEAR}\n`);
  };
}
