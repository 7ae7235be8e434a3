import { visibleDirections } from "../../../../base/values/mod.ts";

/** A child of an element: another element, or a text. Texts are never parsed as HTML. */
export type Child = Node | string | number | null | undefined | false;

/** Attributes of an element; those without a value are left out. `onclick` and the like are listeners. */
export interface ElementAttributes {
  readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void);
}

/** Creates an element with attributes, listeners and children. Controls of the direction of text are shown as escapes. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: ElementAttributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.filter(isShown).map((child) => (child instanceof Node ? child : visibleDirections(String(child)))),
  );
  return element;
}

function isShown(child: Child): child is Node | string | number {
  return child !== null && child !== undefined && child !== false && child !== "";
}
