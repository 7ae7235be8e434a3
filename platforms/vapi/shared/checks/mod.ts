export { checkAssistant, checkSquad } from "./check.ts";
