export { elevenLabsAdapter } from "./adapter.ts";
export { elevenLabsAdapterIn } from "./branches.ts";
