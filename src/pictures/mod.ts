export { drawMermaid } from "./mermaid/mod.ts";
export { drawSvg, type Mark, type Marks, type SvgOptions } from "./svg/mod.ts";
