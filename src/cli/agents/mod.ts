export { checkCommand } from "./check.ts";
export { ejectCommand } from "./eject.ts";
export { emitCommand } from "./emit.ts";
export { formatsCommand } from "./formats.ts";
export { importCommand } from "./import.ts";
