export { csvCell } from "./csv_cell.ts";
export { type ExportedFile, exportCall, exportComparison, exportExamples, exportRun } from "./exports.ts";
