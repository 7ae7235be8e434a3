export { askChild } from "./ask_child.ts";
export { changedFiles } from "./changed_files.ts";
export { codeVersion } from "./code_version.ts";
export { readFiles } from "./read_files.ts";
