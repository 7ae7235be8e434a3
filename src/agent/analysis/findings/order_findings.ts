import type { AgentNode, Finding, Transition, TransitionCondition } from "../../../document/graph/mod.ts";
import { failing, holding, lefts, satisfy, type ValueFacts } from "../equations/mod.ts";
import { conditionText, equationTransitions, valuesText } from "../facts/mod.ts";

/** Earlier transitions that one is compared with; nodes with more equations are rare. */
const MOST_EARLIER = 60;

type Numbered = readonly [number, Transition];

/**
 * Findings for the order of equations: transitions that earlier ones always shadow, and pairs over the same variables
 * that can both hold, where neither is a special case of the other.
 *
 * @param dead Conditions that never hold, which other findings name.
 */
export function orderFindings(
  id: string,
  node: AgentNode,
  facts: ValueFacts,
  dead: ReadonlySet<TransitionCondition>,
): readonly Finding[] {
  const live = equationTransitions(node).filter(([, { condition }]) => !dead.has(condition));
  return live.flatMap((transition, place) => {
    const earlier = live.slice(Math.max(0, place - MOST_EARLIER), place);
    if (earlier.length === 0) return [];
    const hidden = shadowed(id, transition, earlier, facts);
    return hidden ? [hidden] : overlaps(id, transition, earlier, facts);
  });
}

function shadowed(
  id: string,
  [index, { condition }]: Numbered,
  earlier: readonly Numbered[],
  facts: ValueFacts,
): Finding | undefined {
  const left = earlier.flatMap(([, other]) => failing(other.condition));
  if (satisfy([...holding(condition), ...left], facts) !== "none") return undefined;
  const alone = earlier.find(
    ([, other]) => satisfy([...holding(condition), ...failing(other.condition)], facts) === "none",
  );
  const by = alone ? `transition ${alone[0]}, "${conditionText(alone[1].condition)}",` : "those before it together";
  return {
    code: "shadowed-transition",
    severity: "warning",
    path: ["nodes", id, "transitions", index],
    message: `"${conditionText(condition)}" is never taken: ${by} always ${alone ? "comes" : "come"} first`,
    hint: "Move it up, or remove it",
  };
}

function overlaps(
  id: string,
  [index, transition]: Numbered,
  earlier: readonly Numbered[],
  facts: ValueFacts,
): readonly Finding[] {
  const here = holding(transition.condition);
  const names = [...lefts(here)].sort().join("\n");
  for (const [place, other] of earlier) {
    const there = holding(other.condition);
    if (other.target_node_id === transition.target_node_id || [...lefts(there)].sort().join("\n") !== names) continue;
    const both = satisfy([...there, ...here], facts);
    if (typeof both === "string") continue;
    if (satisfy([...there, ...failing(transition.condition)], facts) === "none") continue; // a special case comes first
    const message = `"${conditionText(other.condition)}" and "${conditionText(transition.condition)}" can both hold, such as with ${valuesText(lefts(here), both)}; the first is taken`;
    return [
      {
        code: "overlapping-transitions",
        severity: "info",
        path: ["nodes", id, "transitions", index],
        message,
        hint: `Make them exclude each other, if transition ${place} should not come first there`,
        witness: { variables: Object.fromEntries(both) },
      },
    ];
  }
  return [];
}
