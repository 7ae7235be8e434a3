import { type ComponentChild, type ComponentChildren, options } from "preact";
import { visibleDirections } from "../../../../base/values/mod.ts";

const ATTRIBUTES = ["title", "aria-label", "placeholder"] as const;

/** Shows controls of the direction of text as escapes in every text of the page, as the report does. */
export function showDirections(): void {
  const { vnode: before } = options;
  options.vnode = (vnode) => {
    if (typeof vnode.type === "string") {
      const { props } = vnode;
      const given: ComponentChildren = props.children;
      if (given !== undefined && given !== null) props.children = shown(given);
      for (const name of ATTRIBUTES) {
        const value: unknown = Reflect.get(props, name);
        if (typeof value === "string") Reflect.set(props, name, visibleDirections(value));
      }
    }
    before?.(vnode);
  };
}

function shown(children: ComponentChildren): ComponentChildren {
  if (typeof children === "string") return visibleDirections(children);
  return Array.isArray(children) ? children.map((each: ComponentChild) => shown(each)) : children;
}
