export { drawMermaid } from "./mermaid/mod.ts";
export { type PngOptions, type PngPicture, renderPng } from "./png/mod.ts";
export { type CutOutOptions, cutOut } from "./shared/mod.ts";
export { type CoverageMark, drawSvg, type Mark, type Marks, type PictureGroup, type SvgOptions } from "./svg/mod.ts";
