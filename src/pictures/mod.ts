export { drawMermaid } from "./mermaid/mod.ts";
export { drawSvg } from "./svg/mod.ts";
