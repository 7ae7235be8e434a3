export { drawCommand } from "./draw.ts";
