import { useEffect, useMemo, useRef } from "preact/hooks";
import { createPicture, type Picture, parsePicture } from "../../../../web/browser/mod.ts";
import { Mounted } from "./element.tsx";
import { type Layer, showLayer } from "./layers.ts";

/** A node of the picture. */
export interface PictureNode {
  readonly id: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** What a {@link GraphPicture} shows. */
export interface GraphPictureProps {
  /** The drawn graph. */
  readonly svg: string;
  readonly nodes: readonly PictureNode[];
  /** The node that is marked. */
  readonly current?: number | undefined;
  /** The arrows that were taken from it. */
  readonly taken?: readonly string[] | undefined;
  /** Visits of nodes and taken arrows: all others are faint. */
  readonly used?: { readonly path: readonly number[]; readonly arrows: readonly string[] } | undefined;
  readonly layer?: Layer | undefined;
  /** Words that nodes must have; others are faint. */
  readonly found?: ReadonlySet<string> | undefined;
  readonly onSelect?: (node: number) => void;
}

/** The picture of a graph, with zoom, panning and keys, as in the HTML report. */
export function GraphPicture({ svg, nodes, current, taken, used, layer, found, onSelect }: GraphPictureProps) {
  const select = useRef(onSelect);
  select.current = onSelect;
  // the same nodes in a new list are the same picture
  const names = JSON.stringify(nodes.map(({ id, name, type }) => [id, name, type]));
  const picture = useMemo<Picture | Error>(() => {
    try {
      const known = nodes.map(({ id, name, type }) => ({
        id,
        ...(name === undefined ? {} : { name }),
        ...(type === undefined ? {} : { type }),
      }));
      const made = createPicture(known, parsePicture(svg));
      made.onSelect = (node) => select.current?.(node);
      return made;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }, [svg, names]);
  useEffect(() => {
    if (picture instanceof Error) return;
    const stage = picture.element.querySelector<HTMLElement>(".stage");
    const showAll = () => picture.fit();
    showAll();
    if (!stage) return;
    // once more when the page has its final size
    const size = new ResizeObserver(() => {
      if (!stage.dataset.width || Math.abs(Number(stage.dataset.width) - stage.clientWidth) > 40) showAll();
      stage.dataset.width = String(stage.clientWidth);
    });
    size.observe(stage);
    return () => size.disconnect();
  }, [picture]);
  useEffect(() => {
    if (picture instanceof Error) return;
    if (!used) return picture.overlay(undefined);
    const visits = new Map<number, number>();
    for (const node of used.path) visits.set(node, (visits.get(node) ?? 0) + 1);
    picture.overlay({ visits, arrows: new Set(used.arrows) });
  }, [picture, used]);
  useEffect(() => {
    if (picture instanceof Error) return;
    picture.mark(current, taken ?? []);
  }, [picture, current, taken]);
  useEffect(() => {
    if (!(picture instanceof Error)) showLayer(picture.element, layer);
  }, [picture, layer]);
  useEffect(() => {
    if (picture instanceof Error) return;
    for (const box of picture.element.querySelectorAll<SVGElement>("g.box[data-node]"))
      box.classList.toggle("unmatched", found !== undefined && !found.has(box.dataset.node ?? ""));
  }, [picture, found]);
  if (picture instanceof Error) return <p role="alert">The picture cannot be shown: {picture.message}</p>;
  return <Mounted element={picture.element} look="picture-place" />;
}
