export { type FileProblem, fileProblem } from "./file_problem.ts";
export { canonicalPath } from "./find_place.ts";
export { makeFolder } from "./make_folder.ts";
export { checkWritable, type WriteOptions, writeFileTo } from "./write_file.ts";
