export { leaveAfterSpeech, walk } from "./walk.ts";
