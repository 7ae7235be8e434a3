export { recogniseAssistant, recogniseSquad } from "./recognise.ts";
