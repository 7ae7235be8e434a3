export { guardExit } from "./exit_guard.ts";
export {
  checkWritableFile,
  unwritable,
  writeOutput,
  writeTextFile,
} from "./files.ts";
export { createKeyGate } from "./key_gate.ts";
export type { LineEditor, LineEditorOptions, Typed } from "./line_editor.ts";
export { redirectConsole } from "./redirect_console.ts";
export { schemaPath } from "./schema_path.ts";
export { endProcess, processTerminal, type StreamInfo, safeTerminal, type Terminal } from "./terminal.ts";
