export { CHANGE_AREAS, type Change, type ChangeArea } from "./changes.ts";
export type { Construct, ConstructKind } from "./constructs.ts";
export { type Conversion, type ConvertOptions, convert, type Decision } from "./convert.ts";
