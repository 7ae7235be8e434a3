export {
  type ElevenLabsTest,
  type ElevenLabsTests,
  emitAgentTests,
  importAgentTests,
} from "./agent_tests.ts";
export { ELEVENLABS } from "./facts.ts";
