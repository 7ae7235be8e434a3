import {
  type AgentGraph,
  type AgentNode,
  type NodeNames,
  type NodeType,
  nodeNames,
  type Transition,
} from "../../../document/graph/mod.ts";
import {
  conditionLabel,
  drawableLine,
  leavingOf,
  nodeLabels,
  nodeWords,
  shortened,
  stubTargets,
  stubWords,
  transitionLabel,
  wrappedLines,
} from "../shared.ts";
import { MARKS, type Mark, type Marks } from "./marks.ts";
import { rank } from "./ranks.ts";

const LONGEST_NAME = 32;
const LONGEST_WORDS = 84;
const LONGEST_TOOLTIP = 600;
const LINE = 18;
const NO_NAME = "(no name)";
const MOST_EXTRA_LINES = 4;
// A link has a bend in every row that it crosses. Beyond this many bends, long links end at a small box that names the
// target.
const MOST_BENDS = 4000;
const LONG = 6;

export interface PlannedBox {
  readonly shape: NodeType;
  /** Name of its colours. */
  readonly look: "entry" | NodeType | "anywhere" | "missing" | "elsewhere";
  readonly isGlobal: boolean;
  /** The first line is the name. */
  readonly lines: readonly string[];
  /** Absent: none. */
  readonly tooltip?: string;
  readonly mark?: Mark;
  /** Id of the node; absent for boxes that stand for no node. */
  readonly node?: string;
}

export interface PlannedLink {
  readonly from: number;
  readonly to: number;
  readonly kind: "transition" | "enter" | "back";
  readonly lines: readonly string[];
  readonly mark?: Mark;
  readonly address?: LinkAddress;
}

/** The transition behind an arrow. */
export interface LinkAddress {
  /** Node of the transition or go-back condition; absent for the entry of a global node. */
  readonly from?: string;
  /** Target of the transition, or the global node; absent for a go-back condition. */
  readonly to?: string;
  /** Index in the node's transitions or go-back conditions. */
  readonly place?: number;
}

/** Contents of a picture. */
export interface PicturePlan {
  readonly boxes: readonly PlannedBox[];
  readonly links: readonly PlannedLink[];
  /** Boxes that links lead away from: "wherever the caller is", and last the entry. */
  readonly tops: readonly number[];
}

/** The part of a graph to plan, and options. */
export interface PlanOptions {
  readonly marks?: Marks | undefined;
  /** The nodes to draw. Default: all. */
  readonly drawn?: ReadonlySet<string> | undefined;
  /** The first node of the picture. Default: the entry. */
  readonly first?: string | undefined;
  /** Whether each transition to a node that is not drawn gets its own box, or all of a node share one. */
  readonly stubs?: "each" | "counted";
}

/** Plans the boxes: nodes in order, then one for "wherever the caller is", then missing targets. */
export function planPicture(
  graph: AgentGraph,
  { marks, drawn, first, stubs = "counted" }: PlanOptions = {},
): PicturePlan {
  const nodes = Object.entries(graph.nodes).filter(([id]) => drawn?.has(id) ?? true);
  const indexes = new Map(nodes.map(([id], index) => [id, index]));
  const labelOf = nodeLabels(graph, LONGEST_NAME);
  const names = nodeNames(graph);
  const boxes: PlannedBox[] = nodes.map(([id, node]) =>
    boxOf(node, { id, title: labelOf(id), name: names.of(id), isEntry: id === graph.entry_node_id, marks }),
  );
  const links: PlannedLink[] = [];
  const indexOf = (id: string): number => {
    const known = indexes.get(id);
    if (known !== undefined) return known;
    const lines = [`${labelOf(id)} is missing`];
    const index = boxes.push({ shape: "conversation", look: "missing", isGlobal: false, lines }) - 1;
    indexes.set(id, index);
    return index;
  };

  const globals = nodes.filter(([, node]) => node.global_node_setting);
  const lines = ["wherever", "the caller is"];
  const anywhere =
    globals.length === 0 ? -1 : boxes.push({ shape: "end", look: "anywhere", isGlobal: false, lines }) - 1;
  for (const [index, [id, node]] of nodes.entries()) {
    const own = marks?.transitions.get(id);
    const leaving = leavingOf(node, graph, drawn);
    const isCounted = stubs === "counted" && leaving.size > 1;
    const addStub = (
      transitions: ReadonlySet<Transition>,
      lines: readonly string[],
      more: Pick<PlannedLink, "address" | "mark"> = {},
    ) =>
      links.push({
        from: index,
        to: boxes.push(stubOf(transitions, labelOf, names)) - 1,
        kind: "transition",
        lines,
        ...more,
      });
    if (isCounted) addStub(leaving, []);
    for (const [place, transition] of node.transitions.entries()) {
      const mark = own?.get(place);
      const lines = marked(mark, label(transitionLabel(transition, node)));
      const more = { address: { from: id, to: transition.target_node_id, place }, ...(mark ? { mark } : {}) };
      if (leaving.has(transition)) {
        if (!isCounted) addStub(new Set([transition]), lines, more);
        continue;
      }
      links.push({ from: index, to: indexOf(transition.target_node_id), kind: "transition", lines, ...more });
    }
    const setting = node.global_node_setting;
    if (!setting) continue;
    const entry = marks?.entries?.get(id);
    const lines = marked(entry, label(setting.condition));
    const into = { from: anywhere, to: index, lines, address: { to: id } };
    links.push({ ...into, kind: "enter", ...(entry ? { mark: entry } : {}) });
    for (const [place, { condition }] of setting.go_back_conditions.entries()) {
      const mark = marks?.backs?.get(id)?.get(place);
      const lines = marked(mark, label(conditionLabel(condition) || "back"));
      const back = { from: index, to: anywhere, lines, address: { from: id, place } };
      links.push({ ...back, kind: "back", ...(mark ? { mark } : {}) });
    }
  }
  const entry = indexes.get(first ?? graph.entry_node_id) ?? 0;
  return cutLong({ boxes, links, tops: anywhere < 0 ? [entry] : [anywhere, entry] });
}

/** The lines of a label with the sign of a mark. */
function marked(mark: Mark | undefined, [first, ...others]: readonly string[]): readonly string[] {
  if (!mark) return first === undefined ? [] : [first, ...others];
  return [[MARKS[mark].sign, first].filter(Boolean).join(" "), ...others];
}

interface NodeBox {
  readonly id: string;
  readonly title: string;
  /** The title as a whole. */
  readonly name: string;
  readonly isEntry: boolean;
  readonly marks: Marks | undefined;
}

function boxOf(node: AgentNode, { id, title, name, isEntry, marks }: NodeBox): PlannedBox {
  const former = marks?.formerIds?.get(id);
  const note = marks?.notes?.get(id);
  const mark = marks?.nodes.get(id);
  const extra = [...(former === undefined ? [] : [`was ${former}`]), ...nodeWords(node)];
  const left = extra.length - MOST_EXTRA_LINES;
  const others = [...extra.slice(0, MOST_EXTRA_LINES), ...(left > 0 ? [`and ${left} more`] : [])];
  return {
    shape: node.node_type,
    look: isEntry ? "entry" : node.node_type,
    isGlobal: Boolean(node.global_node_setting),
    lines: [title, ...others.map((line) => shortened(line, LONGEST_NAME))].map((line) => line || NO_NAME),
    tooltip: `${tooltipOf(id, name, node)}${note === undefined ? "" : `\n${note}`}`,
    node: id,
    ...(mark ? { mark } : {}),
  };
}

/** A box for nodes that are not drawn. */
function stubOf(transitions: ReadonlySet<Transition>, labelOf: (id: string) => string, names: NodeNames): PlannedBox {
  const lines = [stubWords(transitions, labelOf)];
  const targets = stubTargets(transitions);
  const tooltip = shortened(targets.map((id) => drawableLine(names.of(id))).join(", "), LONGEST_TOOLTIP);
  return { shape: "conversation", look: "elsewhere", isGlobal: false, lines, tooltip };
}

/** The tooltip: the complete name and id, the type and the prompt. */
function tooltipOf(id: string, name: string, node: AgentNode): string {
  const prompt = shortened(node.state_prompt, LONGEST_TOOLTIP);
  const title = name.includes(id) ? name : `${name}, ${id}`;
  return `${drawableLine(title)} (${node.node_type})${prompt === "" ? "" : `: ${prompt}`}`;
}

function label(words: string): readonly string[] {
  const text = shortened(words, LONGEST_WORDS);
  return text === "" ? [] : wrappedLines(text, LINE).map((line) => shortened(line, LONGEST_NAME));
}

function cutLong(plan: PicturePlan): PicturePlan {
  const { rankOf } = rank(plan.boxes.length, plan.links, plan.tops);
  const span = ({ from, to }: PlannedLink) => Math.abs((rankOf[from] ?? 0) - (rankOf[to] ?? 0));
  if (plan.links.reduce((sum, link) => sum + 2 * span(link), 0) <= MOST_BENDS) return plan;
  const boxes = [...plan.boxes];
  const links = plan.links.map((link) => {
    if (span(link) <= LONG) return link;
    const lines = [`→ ${boxes[link.to]?.lines[0] ?? ""}`];
    const to = boxes.push({ shape: "conversation", look: "elsewhere", isGlobal: false, lines }) - 1;
    return { ...link, to };
  });
  return { ...plan, boxes, links };
}
