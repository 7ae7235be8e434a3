export { blandAdapter } from "./adapter.ts";
