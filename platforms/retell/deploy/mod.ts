export { retell } from "./adapter.ts";
