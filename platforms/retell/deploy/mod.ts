export { retellAdapter } from "./adapter.ts";
