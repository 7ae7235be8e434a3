export type * from "./types.ts";
export { type VerifyOptions, verify } from "./verify.ts";
