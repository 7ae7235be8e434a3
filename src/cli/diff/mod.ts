export { diffCommand } from "./diff.ts";
