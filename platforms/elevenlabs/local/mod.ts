export { LocalElevenLabs } from "./server.ts";
