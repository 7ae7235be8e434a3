export { askChild } from "./ask_child.ts";
export { changedFiles } from "./changed_files.ts";
export { codeVersion } from "./code_version.ts";
export { type EndOptions, endWithParent } from "./end_with_parent.ts";
export { readFiles } from "./read_files.ts";
