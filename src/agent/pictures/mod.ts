export { drawMermaid } from "./mermaid/mod.ts";
export { type PngOptions, type PngPicture, renderPng } from "./png.ts";
export { type CutOutOptions, cutOut, transitionLabel } from "./shared.ts";
export { type CoverageMark, drawSvg, type Mark, type Marks, type PictureGroup, type SvgOptions } from "./svg/mod.ts";
