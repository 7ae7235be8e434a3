import { type PolicyAnswer, playPath } from "../../../../src/agent/analysis/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import type { PolicySource } from "../../../../src/document/scenario/mod.ts";
import { run } from "../../../../src/run/runner/mod.ts";

/** Runs a counterexample as a scenario. Returns the problem if the run does not report the violation. */
export async function problemOf(
  graph: AgentGraph,
  policy: PolicySource,
  answer: Extract<PolicyAnswer, { verdict: "broken" }>,
): Promise<string | undefined> {
  const { answers } = playPath(graph, answer.path);
  const options = { models: { agent: scripted(answers) }, judging: { policies: [policy] }, store: false } as const;
  const { results } = await run(graph, [answer.scenario], options);
  const [result] = results;
  const found = result?.checks.filter(({ kind }) => kind === "policy") ?? [];
  if (result?.status === "fail" && found.length === 1 && found[0]?.passed === false) return undefined;
  return `${JSON.stringify(answer.rule)}: ${result?.status} ${result?.errorMessage} ${result?.endReason}`;
}
