import { useLayoutEffect, useRef } from "preact/hooks";

/** Shows an element that was made without Preact, such as the parts that the HTML report is made of. */
export function Mounted({ element, look }: { readonly element: Node | null | undefined; readonly look?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(...(element ? [element] : []));
  }, [element]);
  return <div ref={place} class={look} />;
}
