export { emitNativeTests, type NativeEval, type NativeTests } from "./emit.ts";
