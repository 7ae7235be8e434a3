import { quotedList } from "../../../base/values/mod.ts";
/** Ids in quotes, the first five by name: `"a", "b" and 3 more`. */
export function listedIds(ids: readonly string[]): string {
  return quotedList(ids, 5);
}
