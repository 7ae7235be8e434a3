export { attackCommand } from "./attack.ts";
