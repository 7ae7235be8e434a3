export { type DocumentShape, merge, type OpenedDocument } from "./merge.ts";
export { type Direction, putBack, type Written } from "./put_back.ts";
