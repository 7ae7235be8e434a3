import { ScenarioError } from "../../src/base/errors.ts";
import { isRecord } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { type Policy, type PolicyPoint, type PolicyRule, parsePolicies } from "../../src/document/scenario/mod.ts";
import type { EndReason } from "../../src/document/transcript/mod.ts";
import { isReady, type ReadyCondition, type When, when } from "../edges.ts";
import type { FlowGraph } from "../flow_graph.ts";
import type { TypedTool } from "../tools.ts";
import type { Variables } from "../variables.ts";
import type { AnyVariable, ScenarioNames } from "./scenario_draft.ts";

/** A point of a call: a node's id, or a result of the kit's `tool` and `ends`. */
export type PointOf<Names extends ScenarioNames> = Names["node"] | Exclude<PolicyPoint, { readonly node: string }>;

/** One point, or a list of alternatives. */
export type PointsOf<Names extends ScenarioNames> = PointOf<Names> | readonly [PointOf<Names>, ...PointOf<Names>[]];

/** The verbs of a policy. `docs/policies.md` defines each. */
export interface PolicyKit<Names extends ScenarioNames> {
  /** The second point does not happen before the first has happened. */
  before(first: PointsOf<Names>, second: PointsOf<Names>): PolicyRule;
  /** The point does not happen; with an equation, not while it is true. */
  never(points: PointsOf<Names>, equation?: ReadyCondition): PolicyRule;
  /** The point happens once or not at all. */
  atMostOnce(points: PointsOf<Names>): PolicyRule;
  /** Once the first point has happened, the agent does not end the call before the second has. */
  after(first: PointsOf<Names>, second: PointsOf<Names>): PolicyRule;
  /** Once the first point has happened, the second can still be reached, until it has happened. */
  leadsTo(first: PointsOf<Names>, second: PointsOf<Names>): PolicyRule;
  /** Whenever the agent waits for the caller, one of the points can be reached. */
  wayTo(points: PointsOf<Names>): PolicyRule;
  /** A text with one of these placeholders is not spoken while the variable is not set. */
  known<const Variables extends readonly (keyof Names["variables"] & string)[]>(...variables: Variables): PolicyRule;
  /** A tool has answered; without an outcome, success and failure both count. */
  tool(name: Names["tool"]["name"], outcome?: "succeeded" | "failed"): PolicyPoint & { readonly tool: string };
  /** The call has ended for this reason. */
  ends(reason: EndReason): PolicyPoint & { readonly end: EndReason };
  readonly when: When<Names["variables"]>;
}

/**
 * Defines a rule for every call. `check()` and `callweave check` decide it on the graph, `run()` checks it in
 * each call. With a compiled flow as the last argument, names are checked while you type.
 *
 * @throws {ScenarioError} `invalid-policy`.
 * @example
 * ```ts
 * import { policy } from "callweave";
 *
 * export const identified = policy("identity before payment", ({ before }) => before("verify_identity", "take_payment"));
 * ```
 */
export function policy<
  NodeId extends string = string,
  Vars extends Variables = { readonly [name: string]: AnyVariable },
  OneTool extends TypedTool = TypedTool,
>(
  name: string,
  build: (
    kit: PolicyKit<{ readonly node: NodeId; readonly tool: OneTool; readonly variables: Vars }>,
  ) => PolicyRule | readonly PolicyRule[],
  _graph?: AgentGraph | FlowGraph<NodeId, Vars, OneTool>,
): Policy {
  if (typeof build !== "function") {
    throw new ScenarioError("Cannot create a policy: there is no function that builds its rules", {
      code: "invalid-policy",
      hint: 'Write policy("…", ({ before }) => before("one_node", "another_node"))',
    });
  }
  // the kit is the same for all graphs; only its types differ
  const built: unknown = (build as (kit: unknown) => unknown)(KIT);
  const rules: readonly unknown[] = Array.isArray(built) ? built : [built];
  const [read] = parsePolicies([{ name, rules }]);
  if (!read) throw new TypeError("unreachable: a document without issues is a policy");
  return Object.freeze(read);
}

const KIT = Object.freeze({
  before: (first: unknown, second: unknown) => ({ verb: "before", first: points(first), second: points(second) }),
  never: (list: unknown, equation?: unknown) => ({
    verb: "never",
    points: points(list),
    ...(equation === undefined ? {} : { while: isReady(equation) ? equation.condition() : equation }),
  }),
  atMostOnce: (list: unknown) => ({ verb: "at_most_once", points: points(list) }),
  after: (first: unknown, second: unknown) => ({ verb: "after", first: points(first), second: points(second) }),
  leadsTo: (first: unknown, second: unknown) => ({ verb: "leads_to", first: points(first), second: points(second) }),
  wayTo: (list: unknown) => ({ verb: "way_to", points: points(list) }),
  known: (...variables: readonly unknown[]) => ({ verb: "known", variables }),
  tool: (tool: unknown, outcome?: unknown) => ({ tool, ...(outcome === undefined ? {} : { outcome }) }),
  ends: (end: unknown) => ({ end }),
  when,
});

function points(given: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map((point) => (isRecord(point) ? point : { node: point }));
}
