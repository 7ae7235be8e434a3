export interface ProjectFile {
  /** Path from the project's folder. */
  readonly path: string;
  readonly text: string;
  /** Instruction to print if the file exists already and is kept. Without it, an existing file is an error. */
  readonly kept?: string;
  /** Adds to an existing file; `undefined`: it is kept. Absent: it is always kept. */
  readonly merge?: (now: string) => string | undefined;
}
