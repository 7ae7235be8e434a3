export { editText, type Notation, type ParsedDocument, parseDocument, yamlText } from "./document.ts";
export { ITEM_NAME, listMaps, unlistMaps } from "./item_maps.ts";
export { parseJson } from "./parse_json.ts";
