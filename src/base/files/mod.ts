export { createFile } from "./create_file.ts";
export { fileProblem } from "./file_problem.ts";
export { withLock } from "./lock.ts";
export { makeFolder } from "./make_folder.ts";
export { readIfPresent } from "./read_file.ts";
export { decodedText, inFile, parseJsonFile, readBytes, readTextFile } from "./read_text.ts";
export { decodeText, hasNoText, TextStream, withoutMark } from "./text.ts";
export { checkWritable, type WriteFileOptions, writeFileTo } from "./write_file.ts";
