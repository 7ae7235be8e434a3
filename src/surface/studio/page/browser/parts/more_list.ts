import { useEffect, useState } from "preact/hooks";
import { type ListOf, type Loaded, useLoaded } from "../state/mod.ts";

/** A list that grows by a page at a time. */
export interface MoreList<Item> {
  readonly loaded: Loaded<ListOf<Item>>;
  readonly items: readonly Item[];
  /** Loads the next page; absent on the last one. */
  readonly more?: () => void;
  readonly isMoreLoading: boolean;
  readonly error?: unknown;
}

/** Loads the first page of a list, and further ones when they are asked for. */
export function useMoreList<Item>(
  key: string,
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<ListOf<Item>>,
): MoreList<Item> {
  const loaded = useLoaded<ListOf<Item>>(key, (signal) => load(undefined, signal));
  const [further, setFurther] = useState<readonly ListOf<Item>[]>([]);
  const [isMoreLoading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setFurther([]);
    setError(undefined);
  }, [loaded.value]);
  const pages = loaded.value ? [loaded.value, ...further] : [];
  const cursor = pages.at(-1)?.nextCursor;
  const first = loaded.value;
  const more = async (from: string) => {
    setLoading(true);
    try {
      const page = await load(from);
      // pages of an older list do not go on this one
      setFurther((old) => (first === loaded.value ? [...old, page] : old));
    } catch (problem) {
      setError(problem);
    }
    setLoading(false);
  };
  return {
    loaded,
    items: pages.flatMap(({ items }) => items),
    isMoreLoading,
    ...(cursor ? { more: () => void more(cursor) } : {}),
    ...(error === undefined ? {} : { error }),
  };
}
