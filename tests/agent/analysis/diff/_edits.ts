import { isRecord } from "../../../../src/base/values/mod.ts";

type Pick = <Item>(items: readonly Item[]) => Item | undefined;

/** A copy of a document with one to three random edits, most of which leave it valid. */
export function edited(document: unknown, random: () => number): unknown {
  const copy = structuredClone(document);
  const pick: Pick = (items) => items[Math.floor(random() * items.length)];
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) editOnce(copy, random, pick);
  return copy;
}

const TEXTS = ["", "x", "Ask for the day.", "greet", "==", "<", "and", "or", "always", "equation", "end", "logic", "5"];
const VALUES: readonly unknown[] = [null, true, 0, 1.5, "", "new", [], {}, [null], [{}], [[]], { a: null }, { a: 1 }];

function editOnce(document: unknown, random: () => number, pick: Pick): void {
  const containers: (Record<string, unknown> | unknown[])[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    containers.push(value as Record<string, unknown> | unknown[]); // the result of structuredClone() on JSON
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(document);
  const container = pick(containers);
  if (Array.isArray(container)) editList(container, random, pick);
  else if (isRecord(container)) editRecord(container, random, pick);
}

function editList(list: unknown[], random: () => number, pick: Pick): void {
  const at = Math.floor(random() * (list.length + 1));
  const step = Math.floor(random() * 4);
  if (step === 0) list.splice(at, 1);
  else if (step === 1) list.splice(at, 0, structuredClone(list[0] ?? pick(VALUES)));
  else if (step === 2) list.reverse();
  else if (list.length > 0) list[at % list.length] = changed(list[at % list.length], pick);
}

function editRecord(record: Record<string, unknown>, random: () => number, pick: Pick): void {
  const key = pick(Object.keys(record));
  const step = Math.floor(random() * 5);
  if (step === 0 || key === undefined)
    record[pick(["x_new", "retell", "metadata", "description"]) ?? "x"] = structuredClone(pick(VALUES));
  else if (step === 1) delete record[key];
  else record[key] = changed(record[key], pick);
}

function changed(value: unknown, pick: Pick): unknown {
  if (typeof value === "string") return pick([value, `${value} again`, ...TEXTS]);
  return typeof value === "object" ? value : structuredClone(pick(VALUES));
}
