export { evaluateCommand } from "./evaluate.ts";
