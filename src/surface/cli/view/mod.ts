export { viewCommand } from "./view.ts";
