export { checkCommand } from "./check.ts";
export { composeCommand } from "./compose.ts";
export { decomposeCommand } from "./decompose.ts";
export { ejectCommand } from "./eject.ts";
export { emitCommand } from "./emit.ts";
export { formatsCommand } from "./formats.ts";
export { importCommand } from "./import.ts";
export { portabilityCommand } from "./portability.ts";
