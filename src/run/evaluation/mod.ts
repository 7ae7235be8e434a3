export { LACKS_DATA } from "./evaluate.ts";
export * from "./public.ts";
