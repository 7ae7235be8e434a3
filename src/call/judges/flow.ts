import type { Scenario } from "../../document/scenario/mod.ts";
import type { CheckResult, EndReason } from "../../document/transcript/mod.ts";
import type { JudgedCall } from "./judged_call.ts";

/** End reasons that fail a scenario unless it expects them. */
const FAULTS: readonly EndReason[] = ["hop_limit", "dead_air", "budget_exceeded", "turn_timeout"];

/** Checks the visited nodes and the end reason. */
export function checkFlow(
  { visits, avoids, ends }: Pick<Scenario, "visits" | "avoids" | "ends">,
  call: JudgedCall,
): readonly CheckResult[] {
  const { nodesVisited: visited } = call;
  return [
    ...(visits.length > 0 ? [checkVisits(visits, visited)] : []),
    ...avoids.map((id): CheckResult => {
      const reason = visited.includes(id) ? `visited ${pathTo(visited, id)}` : `visited ${path(visited)}`;
      return { kind: "avoids", expected: id, passed: !visited.includes(id), reason };
    }),
    ...checkEnd(ends ?? undefined, call),
  ];
}

/** Checks that nodes were visited in this order; others may come between. */
function checkVisits(visits: readonly string[], visited: readonly string[]): CheckResult {
  let from = 0;
  for (const [index, id] of visits.entries()) {
    const at = visited.indexOf(id, from);
    if (at === -1) {
      const before = visits[index - 1];
      const missed =
        visited.includes(id) && before !== undefined ? `never reached ${id} after ${before}` : `never reached ${id}`;
      return { kind: "visits", expected: path(visits), passed: false, reason: `visited ${path(visited)}; ${missed}` };
    }
    from = at + 1;
  }
  return { kind: "visits", expected: path(visits), passed: true, reason: `visited ${path(visited)}` };
}

function checkEnd(expected: EndReason | undefined, { endReason, endDetail }: JudgedCall): readonly CheckResult[] {
  const found = `the call ended with ${endReason ?? "no reason"}${endDetail ? `: ${endDetail}` : ""}`;
  if (expected) return [{ kind: "ends", expected, passed: endReason === expected, reason: found }];
  if (!endReason || !FAULTS.includes(endReason)) return [];
  return [{ kind: "ends", expected: `not ${endReason}`, passed: false, reason: found }];
}

function pathTo(visited: readonly string[], id: string): string {
  return path(visited.slice(0, visited.indexOf(id) + 1));
}

function path(ids: readonly string[]): string {
  return ids.length > 0 ? ids.join(" -> ") : "no node";
}
