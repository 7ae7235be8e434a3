export { changedFiles } from "./changed_files.ts";
