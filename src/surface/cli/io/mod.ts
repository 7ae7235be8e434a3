export { guardExit } from "./exit_guard.ts";
export { createKeyGate } from "./key_gate.ts";
export type { LineEditor, LineEditorOptions, Typed } from "./line_editor.ts";
export { redirectConsole } from "./redirect_console.ts";
export { schemaPath } from "./schema_path.ts";
export {
  checkWritableFile,
  endProcess,
  processTerminal,
  type StreamInfo,
  safeTerminal,
  type Terminal,
  unwritable,
  writeOutput,
  writeTextFile,
} from "./terminal.ts";
