export { LIVEKIT, type LivekitFacts } from "./facts.ts";
