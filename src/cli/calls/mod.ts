export { callsImportCommand } from "./import.ts";
