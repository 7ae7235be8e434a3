export { blandAdapter, blandAdapterIn } from "./adapter.ts";
