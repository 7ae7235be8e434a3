/** Makes a value when it is first asked for, and keeps it: tables are parsed only by commands that read them. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
