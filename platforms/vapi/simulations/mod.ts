export { emitNativeTests, type NativeTests } from "./emit.ts";
export type { NativeEval } from "./eval.ts";
