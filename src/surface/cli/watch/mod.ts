export { watchCommand } from "./watch.ts";
