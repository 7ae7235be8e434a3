export { REPLAY_MODES } from "./options.ts";
export * from "./public.ts";
