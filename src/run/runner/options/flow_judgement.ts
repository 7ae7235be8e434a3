import type { FlowJudgement } from "../../../call/judges/mod.ts";
import type { RunOptions } from "./options.ts";

/** Settings of the flow judge; `undefined` turns it off. */
export function flowJudgement({
  judgeFlow,
  threshold,
}: Pick<RunOptions, "judgeFlow" | "threshold">): FlowJudgement | undefined {
  if (judgeFlow === undefined || judgeFlow === false) return undefined;
  return { ...(threshold === undefined ? {} : { threshold }), ...(judgeFlow === true ? {} : judgeFlow) };
}
