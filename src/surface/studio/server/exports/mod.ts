export { csvCell } from "./csv_cell.ts";
export { type ExportedFile, exportCall, exportComparison, exportRun } from "./exports.ts";
