export { askChild } from "./ask_child.ts";
export { changedFiles } from "./changed_files.ts";
export { readFiles } from "./read_files.ts";
