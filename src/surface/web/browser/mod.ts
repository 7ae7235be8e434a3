/** Parts of the pages that another page is made of, too. They need a browser: no server imports this file. */
export type { PageCall, PageLine, PageNode, PageScore } from "../page_data.ts";
export { arrowsOf, linesOf, type NodeIndexes, valuesOf } from "../page_lines.ts";
export { make, parsePicture, themeButton } from "./common/mod.ts";
export * from "./report/mod.ts";
