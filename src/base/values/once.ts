/**
 * Computes a value lazily and caches it: tables are parsed only by commands that read them. If `make`
 * returns a promise, all callers get the same one.
 */
export function madeOnce<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Like {@link madeOnce}, but cached per object, as long as the object exists. */
export function madeOnceFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const kept = made.get(key);
    if (kept) return kept.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
