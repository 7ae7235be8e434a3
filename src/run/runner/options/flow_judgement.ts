import type { FlowJudgement } from "../../../call/judges/mod.ts";
import type { RunOptions } from "./options.ts";

/** Settings of the flow judge; `undefined` turns it off. */
export function flowJudgement({
  judging: { flow = false, threshold } = {},
}: Pick<RunOptions, "judging">): FlowJudgement | undefined {
  if (flow === false) return undefined;
  return { ...(threshold === undefined ? {} : { threshold }), ...(flow === true ? {} : flow) };
}
