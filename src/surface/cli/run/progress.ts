import { cut, oneLine, styleFor } from "../../../base/values/mod.ts";
import { type AgentGraph, type NodeNames, nodeNames } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { RunEvent, RunOptions } from "../../../run/runner/mod.ts";
import { createCallLines, formatCallLine } from "../../reporters/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { createLiveView } from "./live.ts";

/** Shows the progress of a run on standard error. */
export interface Progress extends Disposable {
  readonly onProgress: (event: RunEvent) => void;
  /** Removes the redrawn lines; other lines stay. */
  readonly close: () => void;
}

/**
 * Shows the progress of a run on standard error: a line for each finished call and for each retried request. On a
 * terminal, the running calls are shown below these lines and redrawn in place; of scenarios with several calls, only
 * calls that did not pass get a line there.
 */
export function createProgress(
  scenarios: readonly Scenario[],
  terminal: Terminal,
  { repeat: { times = 1 } = {}, graph }: Pick<RunOptions, "repeat"> & { readonly graph: AgentGraph },
): Progress {
  const { stderr, env, err, live, signal } = terminal;
  const style = styleFor(stderr, env);
  const planned = scenarios.map(({ name, repeat: own }) => ({ name, trials: own ?? times }));
  const several = planned.some(({ trials }) => trials > 1);
  const nodes = nodeNames(graph);
  const names = planned.map(({ name }) => name);
  const lineOf = createCallLines(names, style, several);
  let total = planned.reduce((sum, { trials }) => sum + trials, 0);
  let over = 0;
  const view =
    live && createLiveView({ scenarios: planned, draw: live, stream: stderr, isColored: style.color, signal });
  const close = () => view?.[Symbol.dispose]();
  return {
    onProgress: (given) => {
      const event = given.kind === "node" ? { ...given, node: nodes.of(given.node) } : withResultNames(given, nodes);
      // fewer in a shard, and in a run that is resumed
      if (event.kind === "run-start") total = event.scenarios.reduce((sum, { calls }) => sum + calls, 0);
      if (event.kind === "retry") {
        const { signature, reason } = event.retry;
        const text = `  … ${oneLine(event.scenario)}: retrying "${signature}". ${oneLine(reason)}`;
        err(`${cut(text, live ? style.width : 400)}\n`);
      }
      if (event.kind === "call-end") {
        over += 1;
        const { result } = event;
        if (!live) err(`  ${over}/${total} ${formatCallLine(result, style, several)}\n`);
        else if (!several || result.status !== "pass") err(`${lineOf(result)}\n`);
      }
      view?.onProgress(event);
    },
    close,
    [Symbol.dispose]: close,
  };
}

function withResultNames(event: RunEvent, nodes: NodeNames): RunEvent {
  return event.kind === "call-end" ? { ...event, result: nodes.inResult(event.result) } : event;
}
