export { editDocument, editJson } from "./edit_json.ts";
export {
  canonicalJson,
  defined,
  isListOf,
  isRecord,
  isRecords,
  isTextMap,
  isTexts,
  type JsonObject,
  jsonOrText,
  jsonText,
  omit,
  own,
  parsedJson,
  pick,
  recordAt,
  records,
  sameJson,
  sortedEntries,
} from "./json.ts";
export { dropAt, getAt, recordsAt, replaceAt, setAt } from "./json_path.ts";
export { matchItems, valueOfKey } from "./match_items.ts";
export { mergeJson } from "./merge_json.ts";
