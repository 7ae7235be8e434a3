import { setTimeout } from "node:timers/promises";

/** Makes a value, once for all who ask for it at about the same time. */
export type Coalesced<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

interface Making<Value> {
  /** When the next value of the key may be begun. */
  readonly over: Promise<unknown>;
  /** For those who ask meanwhile: the value that is being made may lack what has happened since it was begun. */
  next: Promise<Value> | undefined;
}

/**
 * Makes values of a key one after the other, however many ask. Nobody gets one that was begun before they asked.
 *
 * @param gapMs Time between two beginnings.
 */
export function createCoalesced<Value>(gapMs: number): Coalesced<Value> {
  const making = new Map<string, Making<Value>>();
  const begin = (key: string, make: () => Promise<Value>): Promise<Value> => {
    const value = make();
    const over = Promise.all([value.catch(() => {}), setTimeout(gapMs)]);
    const own: Making<Value> = { over, next: undefined };
    making.set(key, own);
    void over.then(() => {
      if (!own.next) making.delete(key);
    });
    return value;
  };
  return (key, make) => {
    const now = making.get(key);
    if (!now) return begin(key, make);
    now.next ??= now.over.then(() => begin(key, make));
    return now.next;
  };
}
