import { isRecord } from "./json.ts";

/** Which keys of a document have one spelling for its readers. */
export interface KeySpelling {
  /** Returns the readers' spelling of a key, by the object that has it and the object's own key. */
  readonly read: (key: string, holder: string, object: { readonly [key: string]: unknown }) => string;
  /** Returns the spelling of a key that the document has nowhere yet. */
  readonly write: (key: string) => string;
  /** Keys of objects whose keys are names; the items in them have the holder that this returns. */
  readonly maps: { readonly [holder: string]: string };
  /** Keys of objects that stay as they are. */
  readonly free: readonly string[];
}

/** How an object's keys are written in the document, by their readers' spelling. */
interface Spelled {
  readonly keys: Map<string, string>;
  readonly inner: Map<string, Spelled>;
}

/** A document in the readers' spelling. */
export interface RespelledDocument {
  readonly value: unknown;
  /** Whether a key at the top of the document has another spelling there. */
  readonly isOther: boolean;
  /** Writes an edited value in the document's own spelling. */
  readonly close: (value: unknown) => unknown;
}

/** Changes the spelling of keys, and back: a document can have several spellings, even of one key. */
export function respellKeys(document: unknown, { read, write, maps, free }: KeySpelling): RespelledDocument {
  const top: Spelled = { keys: new Map(), inner: new Map() };
  const value = open(document, "", top);
  return { value, isOther: top.keys.size > 0, close: (edited) => close(edited, "", top) };

  function open(inner: unknown, holder: string, spelled: Spelled): unknown {
    if (Array.isArray(inner)) return inner.map((item, at) => open(item, holder, childOf(spelled, itemKey(item, at))));
    if (!isRecord(inner) || free.includes(holder)) return inner;
    const { [holder]: itemHolder } = maps;
    const entries = Object.entries(inner).map(([key, item]) => {
      if (itemHolder !== undefined) return [key, open(item, itemHolder, childOf(spelled, key))];
      const wanted = read(key, holder, inner);
      const name = Object.hasOwn(inner, wanted) ? key : wanted;
      if (name !== key) spelled.keys.set(name, key);
      return [name, open(item, name, childOf(spelled, name))];
    });
    return Object.fromEntries(entries);
  }

  function close(inner: unknown, holder: string, spelled: Spelled | undefined): unknown {
    if (Array.isArray(inner))
      return inner.map((item, at) => close(item, holder, spelled?.inner.get(itemKey(item, at))));
    if (!isRecord(inner) || free.includes(holder)) return inner;
    const { [holder]: itemHolder } = maps;
    const entries = Object.entries(inner).map(([key, item]) => {
      const below = spelled?.inner.get(key);
      if (itemHolder !== undefined) return [key, close(item, itemHolder, below)];
      const isNew = below === undefined && top.keys.size > 0;
      return [spelled?.keys.get(key) ?? (isNew ? write(key) : key), close(item, key, below)];
    });
    return Object.fromEntries(entries);
  }
}

/** Tells an item of a list from the others: by its name, or its place. */
function itemKey(item: unknown, at: number): string {
  const { name, id } = isRecord(item) ? item : {};
  return typeof name === "string" ? name : typeof id === "string" ? id : `#${at}`;
}

function childOf({ inner }: Spelled, key: string): Spelled {
  const child = inner.get(key) ?? { keys: new Map(), inner: new Map() };
  inner.set(key, child);
  return child;
}
