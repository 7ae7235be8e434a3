export { replayCommand } from "./replay.ts";
