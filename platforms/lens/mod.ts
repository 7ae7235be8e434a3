export { type DocumentShape, merge, type OpenedDocument } from "./merge.ts";
export { type Direction, type EmittedFile, putBack, type Written } from "./put_back.ts";
