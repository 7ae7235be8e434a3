export { telnyxAdapter, telnyxAdapterIn } from "./adapter.ts";
