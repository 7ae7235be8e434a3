export { drawSvg } from "./draw.ts";
