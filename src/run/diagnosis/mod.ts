export * from "./public.ts";
export {
  literalsIn,
  rewriteLiteral,
  type SourceLiteral,
  type TextChange,
  textChanges,
  withText,
} from "./source.ts";
export { DEFAULT_ITERATIONS, DEFAULT_REPEATS } from "./verify/mod.ts";
