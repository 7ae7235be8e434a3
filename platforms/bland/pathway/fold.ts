import { ELSE, ELSE_NAME, type Exit, lensOf, ROUTE } from "./edges.ts";
import { isPill, type RawNode } from "./read_node.ts";

/** The nodes of a document that are one node of the graph, and what to keep of those that are folded. */
export interface Folded {
  readonly exits: ReadonlyMap<string, readonly Exit[]>;
  /** Ids of nodes that are parts of others. */
  readonly parts: ReadonlySet<string>;
  /** What nodes keep of their parts. */
  readonly kept: ReadonlyMap<string, { readonly route?: string; readonly rest?: string }>;
}

/** Whether an id is that of a part: `route_ask`, or `route_ask-2` if that was taken. */
function isPartOf(part: string, prefix: string, id: string): boolean {
  const name = `${prefix}${id}`;
  return part === name || (part.startsWith(`${name}-`) && /^\d+$/.test(part.slice(name.length + 1)));
}

/**
 * Makes one node of those that belong together: a node with an edge to its route, and a route whose fallback asks for
 * what is left.
 */
export function foldParts(
  nodes: readonly RawNode[],
  read: ReadonlyMap<string, readonly Exit[]>,
  entry: string,
): Folded {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const exits = new Map(read);
  const parts = new Set<string>();
  const kept = new Map<string, { readonly route?: string; readonly rest?: string }>();
  const callers = countCallers(read);
  const nameOf = (id: string) => String(byId.get(id)?.data.name ?? "");
  for (const { id } of nodes) {
    if (parts.has(id)) continue;
    const own = exits.get(id) ?? [];
    const links = own.filter(({ condition }) => condition.type !== "tool_call");
    const [link] = links.length === 1 ? links : [];
    const routeId = link?.target_node_id ?? "";
    const route = byId.get(routeId);
    const isLinked =
      link !== undefined &&
      lensOf(link).picks === "link" &&
      isPartOf(routeId, ROUTE, id) &&
      Array.isArray(route?.data.routes);
    if (link && isLinked && routeId !== entry && callers.get(routeId) === 1 && route?.data.isGlobal !== true) {
      const { inner, more } = unfold(id, exits.get(routeId) ?? []);
      exits.set(id, [...own.filter((each) => each !== link), ...inner]);
      parts.add(routeId);
      kept.set(id, { route: nameOf(routeId), ...more });
    } else if (Array.isArray(byId.get(id)?.data.routes)) {
      const { inner, more } = unfold(id, own);
      exits.set(id, inner);
      if (Object.keys(more).length > 0) kept.set(id, more);
    }
  }
  return { exits, parts, kept };

  /** Puts the exits of a route's fallback in its place, if it is a part of the node. */
  function unfold(id: string, all: readonly Exit[]): { inner: readonly Exit[]; more: { readonly rest?: string } } {
    const fallback = all.find((each) => lensOf(each).fallback === true);
    const to = fallback?.target_node_id ?? "";
    const rest = byId.get(to);
    const others = all.filter((each) => each !== fallback);
    const isBack = fallback !== undefined && to === id && byId.get(id)?.data.routes === undefined;
    if (isBack) return { inner: others, more: {} };
    const isPart = rest && isPartOf(to, ELSE, id) && isPill(rest) && rest.data.name === ELSE_NAME;
    if (!isPart || to === entry || callers.get(to) !== 1 || rest.data.extractVars !== undefined)
      return { inner: fallback ? [...others, withTiming(fallback, id)] : others, more: {} };
    parts.add(to);
    const asked = exits.get(to) ?? [];
    const back = asked.find((each) => each.condition.type === "always" && each.target_node_id === id);
    return {
      inner: [...others, ...asked.filter((each) => each !== back).map((each) => withTiming(each, id))],
      more: { rest: ELSE_NAME },
    };
  }

  /** At a node that speaks, what is left is for when the caller has answered. */
  function withTiming(each: Exit, id: string): Exit {
    const node = byId.get(id);
    const speaks = node !== undefined && !isPill(node) && node.data.routes === undefined && node.type !== "Webhook";
    return each.condition.type === "always" && speaks ? { ...each, timing: "else" } : each;
  }
}

function countCallers(exits: ReadonlyMap<string, readonly Exit[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of [...exits.values()].flat())
    counts.set(each.target_node_id, (counts.get(each.target_node_id) ?? 0) + 1);
  return counts;
}
