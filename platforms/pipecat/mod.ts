export { PIPECAT } from "./facts.ts";
