import { errorCode } from "../values/mod.ts";

/** Message and hint for a file system error. */
export interface FileProblem {
  /** Continues "Cannot write "report.xml": ". */
  readonly state: string;
  readonly hint: string;
}

/** Describes why a file cannot be read or written. */
export function fileProblem(error: unknown, action: "read" | "write"): FileProblem {
  const code = errorCode(error);
  const hint = action === "read" ? "Check the path" : "Choose a file in a folder that can be written to";
  switch (code) {
    case "ENOENT":
      return { state: action === "read" ? "the file does not exist" : "its folder cannot be created", hint };
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return { state: "it is a folder", hint };
    case "ENOTDIR":
    case "EEXIST":
      return { state: "a part of its path is a file, not a folder", hint };
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return { state: "permission is denied", hint };
    case "ELOOP":
      return { state: "its symbolic links form a loop", hint };
    case "ENOSPC":
    case "EDQUOT":
      return { state: "there is no space left on the device", hint: "Free some space, or choose another device" };
    case "EBUSY":
      return {
        state: error instanceof Error ? error.message : "it is busy",
        hint: "Wait, or delete the lock file if no run is active",
      };
    case "EILSEQ":
      return { state: "it is text neither in UTF-8 nor in UTF-16", hint: "Save it as UTF-8" };
    case "ENXIO":
      return { state: "no process reads from it", hint: "Start its reader first, or choose a file" };
    case "EPIPE":
    case "ECONNREFUSED":
    case "ETIMEDOUT":
      return { state: "its reader has stopped reading", hint: "Check its reader, or choose a file" };
    default:
      return { state: error instanceof Error ? error.message : String(error), hint };
  }
}
