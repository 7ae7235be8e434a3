export { type Export, readExport } from "./export.ts";
export { withLock } from "./lock.ts";
export {
  decodedText,
  decodeText,
  fileProblem,
  hasNoText,
  inFile,
  parseJsonFile,
  readBytes,
  readIfPresent,
  readTextFile,
  TextStream,
  withoutMark,
} from "./read_file.ts";
export { checkWritable, createFile, makeFolder, type WriteFileOptions, writeFileTo } from "./write_file.ts";
