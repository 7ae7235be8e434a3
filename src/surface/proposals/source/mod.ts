export { type ChangedFile, changeModule, type LoadModuleGraph } from "./change_module.ts";
export { inSourceFormat } from "./in_source_format.ts";
