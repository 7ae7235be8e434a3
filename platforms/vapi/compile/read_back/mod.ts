export { type Recognised, recogniseAssistant, recogniseSquad } from "./recognise.ts";
