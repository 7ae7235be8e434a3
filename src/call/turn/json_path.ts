import { getAt } from "../../base/values/mod.ts";

/** Returns the value at a JSON path such as `$.order.items[0].status`, or `undefined`. */
export function valueAtJsonPath(value: unknown, path: string): unknown {
  return getAt(value, path.replace(/^\$\.?/, "").match(/[^.[\]"']+/g) ?? []);
}
