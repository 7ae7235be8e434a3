export { generateCommand } from "./generate.ts";
