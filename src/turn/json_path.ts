import { isRecord } from "../values/mod.ts";

/** Returns the value at a JSON path such as `$.order.items[0].status`, or `undefined`. */
export function valueAt(value: unknown, path: string): unknown {
  const steps = path.replace(/^\$\.?/, "").match(/[^.[\]"']+/g) ?? [];
  let found: unknown = value;
  for (const step of steps) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isRecord(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}
