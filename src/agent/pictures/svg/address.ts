import { escapeMarkup, xmlCharacters } from "../../../base/values/mod.ts";
import type { PlannedBox, PlannedLink } from "./plan.ts";

/**
 * Wraps a drawn box in a group with a class, and with its node as `data-node`, so that a page can style and find
 * it.
 */
export function addressBox(part: string, { look, isGlobal, node }: PlannedBox): string {
  if (part === "") return part;
  const id = node === undefined ? "" : ` data-node="${attribute(node)}"`;
  return `<g class="box ${look}${isGlobal ? " global" : ""}"${id}>${part}</g>`;
}

/**
 * Wraps a drawn arrow or label in a group. `data-from`, `data-to` and `data-place` identify its transition; loops of
 * one node are one arrow without a place.
 *
 * @param kind Class of the group, `arrow` or `label`.
 */
export function addressLinks(part: string, kind: string, links: readonly PlannedLink[]): string {
  const [first] = links;
  if (part === "" || !first) return part;
  const { from, to, place } = first.address ?? {};
  const attributes = [
    ["from", from],
    ["to", to],
    ["place", links.length === 1 ? place : undefined],
  ].map(([name, value]) => (value === undefined ? "" : ` data-${name}="${attribute(String(value))}"`));
  return `<g class="${kind} ${first.kind}"${attributes.join("")}>${part}</g>`;
}

/** Escapes a text; characters that XML cannot represent are replaced. */
function attribute(text: string): string {
  return escapeMarkup(xmlCharacters(text));
}
