import type { JudgedCall } from "../../../call/judges/mod.ts";
import type { CallOptions, Model } from "../../../call/models/mod.ts";
import type { Verdict } from "../../../document/transcript/mod.ts";
import type { ResolvedScenario, RunSetup } from "../call/mod.ts";
import { flowJudgement } from "../options/mod.ts";
import { judgeCall, judgePath } from "./judge_call.ts";

/** Everything that the judge's model judges of a call: its criteria and, if the run asks for it, its path. */
export async function verdictsOf(
  { metrics }: ResolvedScenario,
  { graph, options: run }: RunSetup,
  call: JudgedCall,
  options: CallOptions & { readonly model: Model },
): Promise<readonly Verdict[]> {
  const verdicts = metrics.length > 0 ? await judgeCall(metrics, call.transcript, options) : [];
  const judgement = flowJudgement(run);
  const path = judgement && (await judgePath(graph, call, { ...options, judgement }));
  return path ? [...verdicts, path] : verdicts;
}
