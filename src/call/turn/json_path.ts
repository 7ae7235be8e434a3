import { getAt } from "../../base/values/mod.ts";

/** Returns the value at a JSON path such as `$.order.items[0].status`, or `undefined`. */
export function valueAt(value: unknown, path: string): unknown {
  return getAt(value, path.replace(/^\$\.?/, "").match(/[^.[\]"']+/g) ?? []);
}
