export { vapi } from "./adapter.ts";
