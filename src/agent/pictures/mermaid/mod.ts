export { drawMermaid } from "./draw.ts";
