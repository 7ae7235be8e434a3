import type { PageNode, PageTrial } from "../../page_data.ts";
import { enableZoom, make } from "../common/mod.ts";

/** The parts of the graph that calls used, by indexes of nodes. */
export interface UsageOverlay {
  /** How often each node was visited. */
  readonly visits: ReadonlyMap<number, number>;
  /** Keys of arrows that were taken. */
  readonly arrows: ReadonlySet<string>;
}

/** The picture of the graph, which the pages share. */
export interface Picture {
  readonly element: HTMLElement;
  /** Highlights what was used and fades everything else; `undefined` shows all alike again. */
  readonly overlay: (overlay: UsageOverlay | undefined) => void;
  /** Marks the current node, and the arrows that were taken from it. */
  readonly mark: (node: number | undefined, taken?: readonly string[]) => void;
  /** Registers a listener for nodes selected in the picture. */
  onSelect: (node: number) => void;
  /** Fits the picture to its container, whose size may have changed. */
  readonly fit: () => void;
}

export function overlayOf(trials: readonly PageTrial[]): UsageOverlay {
  const visits = new Map<number, number>();
  for (const { path } of trials) for (const node of path) visits.set(node, (visits.get(node) ?? 0) + 1);
  return { visits, arrows: new Set(trials.flatMap(({ arrows }) => arrows)) };
}

/** The drawn graph of the page's template, if there is one. */
export function pictureOfPage(): Node | null {
  const template = document.getElementById("picture");
  return template instanceof HTMLTemplateElement ? template.content.cloneNode(true) : null;
}

/**
 * Creates the picture of a graph.
 *
 * @param content The drawn graph, in which groups name their nodes.
 */
export function createPicture(nodes: readonly PageNode[], content: Node | null): Picture {
  const stage = make("div", { class: "stage" }, content);
  const svg = stage.querySelector("svg");
  const zoom = enableZoom(stage);
  const element = make("section", { class: "picture", "aria-label": "Graph of the agent" }, zoom.toolbar, stage);
  svg?.setAttribute("role", "group");
  svg?.setAttribute("aria-label", "Graph of the agent: choose a node with the arrow keys and Enter");
  svg?.querySelector(":scope > title")?.remove();

  const indexes = new Map(nodes.map(({ id }, index) => [id, index]));
  const boxes = new Map<number, SVGElement[]>();
  const arrows: Arrow[] = [];
  for (const group of stage.querySelectorAll<SVGElement>("g.box, g.arrow, g.label")) {
    const { node } = group.dataset;
    const index = node === undefined ? undefined : indexes.get(node);
    if (index !== undefined) boxes.set(index, [...(boxes.get(index) ?? []), group]);
    else if (!group.classList.contains("box")) arrows.push(arrowOf(group, indexes));
  }
  for (const line of stage.querySelectorAll("g.box text + text")) line.before(" "); // lines of a name are words of it
  const anywhere = stage.querySelector("g.box.anywhere");
  const order = [...boxes.keys()].sort((a, b) => placeOf(boxes.get(a)) - placeOf(boxes.get(b)));

  const picture: Picture = {
    element,
    onSelect: () => {},
    fit: zoom.fit,
    overlay: (overlay) => {
      if (!overlay) {
        for (const group of stage.querySelectorAll("g.off")) group.classList.remove("off");
        for (const group of [...boxes.values()].flat()) group.removeAttribute("aria-label");
        return;
      }
      const { visits, arrows: taken } = overlay;
      for (const [index, groups] of boxes) {
        const count = visits.get(index) ?? 0;
        const { type = "not in the graph" } = nodes[index] ?? {};
        for (const group of groups) {
          group.classList.toggle("off", count === 0);
          const times = count === 0 ? "not visited" : count === 1 ? "visited once" : `visited ${count} times`;
          // the accessible name begins with the visible words, for voice control
          const seen = [...group.querySelectorAll("text")].map(({ textContent }) => textContent).join(" ");
          group.setAttribute("aria-label", `${seen}, ${type}, ${times}`);
        }
      }
      let isGlobalUsed = false;
      for (const { group, keys, isGlobal } of arrows) {
        const isUsed = keys.some((key) => taken.has(key));
        group.classList.toggle("off", !isUsed);
        if (isUsed && isGlobal) isGlobalUsed = true;
      }
      anywhere?.classList.toggle("off", !isGlobalUsed);
    },
    mark: (node, taken = []) => {
      for (const [index, groups] of boxes) {
        for (const group of groups) {
          group.classList.toggle("current", index === node);
          group.setAttribute("aria-pressed", String(index === node));
        }
      }
      for (const { group, keys } of arrows)
        group.classList.toggle(
          "current",
          keys.some((key) => taken.includes(key)),
        );
      const [box] = boxes.get(node ?? -1) ?? [];
      if (box) zoom.reveal(box);
    },
  };
  makeKeyboard(order, boxes, (node) => picture.onSelect(node));
  return picture;
}

interface Arrow {
  readonly group: SVGElement;
  /** The keys by which calls that took it may name it. */
  readonly keys: readonly string[];
  /** Whether it leads into a global node, or back. */
  readonly isGlobal: boolean;
}

/** An arrow or its label. A loop of several transitions has no place of its own. */
function arrowOf(group: SVGElement, indexes: ReadonlyMap<string, number>): Arrow {
  const { from = "", to = "", place } = group.dataset;
  const [source, target] = [indexes.get(from), indexes.get(to)];
  if (group.dataset.from === undefined) return { group, keys: [`g${target}`], isGlobal: true };
  if (group.dataset.to === undefined) return { group, keys: [`b${source}.${place}`], isGlobal: true };
  const places = place === undefined ? Array.from({ length: MOST_IN_LOOP }, (_, index) => index) : [place];
  return { group, keys: [...places.map((each) => `t${source}.${each}`), `p${source}.${target}`], isGlobal: false };
}

/** Transitions of a node that a loop may stand for. */
const MOST_IN_LOOP = 20;

/** A number to sort boxes in reading order: from top to bottom, and from left to right. */
function placeOf(groups: readonly SVGElement[] = []): number {
  const text = groups[0]?.querySelector("text");
  return Number(text?.getAttribute("y") ?? 0) * 10_000 + Number(text?.getAttribute("x") ?? 0);
}

/** Tab focuses one box; the arrow keys move from box to box. */
function makeKeyboard(
  order: readonly number[],
  boxes: ReadonlyMap<number, readonly SVGElement[]>,
  select: (node: number) => void,
): void {
  const focus = (place: number) => {
    for (const [index, node] of order.entries())
      for (const group of boxes.get(node) ?? []) group.setAttribute("tabindex", index === place ? "0" : "-1");
    boxes.get(order[place] ?? -1)?.[0]?.focus();
  };
  for (const [place, node] of order.entries()) {
    for (const group of boxes.get(node) ?? []) {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", place === 0 ? "0" : "-1");
      group.addEventListener("click", () => select(node));
      group.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (step !== undefined) focus((place + step + order.length) % order.length);
        else if (event.key === "Enter" || event.key === " ") select(node);
        else return;
        event.preventDefault();
        event.stopPropagation();
      });
    }
  }
}
