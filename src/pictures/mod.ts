export { drawMermaid } from "./mermaid/draw.ts";
export { drawSvg } from "./svg/draw.ts";
