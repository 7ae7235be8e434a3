export { type DocumentShape, merge, type OpenedDocument } from "./merge.ts";
export { originalOf, textOf, withOriginal, withoutOriginal } from "./original.ts";
export { type Direction, putBack, type Written } from "./put_back.ts";
