import { connect, verify } from "../../../api/connect.ts";
import { keyed } from "../../platforms/connections/_runs.ts";
import { AGENT_ID, startPlayground } from "../../platforms/retell/talk/_playground.ts";
import { planted } from "./_planted.ts";

/** Number of the random graphs that were verified, and what was wrong, in words. */
export interface VerifyCount {
  readonly tried: number;
  readonly wrong: readonly string[];
}

/** Verifies random agents against their own graph, and against a graph that differs from it in one place. */
export async function tryPlanted(count: number): Promise<VerifyCount> {
  using _ = keyed("retell");
  const wrong: string[] = [];
  for (let seed = 1; seed <= count; seed++)
    wrong.push(...(await problemsOf(seed)).map((problem) => `seed ${seed}: ${problem}`));
  return { tried: Math.max(0, count), wrong };
}

async function problemsOf(seed: number): Promise<readonly string[]> {
  const { graph, deployed, scenarios, kind, node, name } = planted(seed);
  await using server = await startPlayground({ graph: deployed });
  const agent = connect.retell({ agentId: AGENT_ID, baseUrl: server.url });
  const found: string[] = [];

  const itself = await verify(agent, scenarios, { store: false, graph: deployed });
  if (itself.differences.length > 0)
    found.push(`the deployed graph differs from itself: ${JSON.stringify(itself.differences, null, 1)}`);
  if (!itself.same) found.push("the deployed graph is not the same as itself");

  const { same, differences } = await verify(agent, scenarios, { store: false, graph });
  const named = differences.map((difference) => [difference.kind, difference.nodeId, difference.name ?? null]);
  if (JSON.stringify(named) !== JSON.stringify([[kind, node, name ?? null]]))
    found.push(`not ${kind} at ${node}, but ${JSON.stringify(differences, null, 1)}`);
  if (kind === "path" && !differences[0]?.words?.length) found.push("the words of the condition are missing");
  if (same) found.push("a graph with a difference is the same");
  return found;
}
