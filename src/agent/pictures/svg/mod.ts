export { drawSvg, type SvgOptions } from "./draw.ts";
export type { PictureGroup } from "./frames.ts";
export type { CoverageMark, Mark, Marks } from "./marks.ts";
