/** A file of a new project. */
export interface ProjectFile {
  /** Path from the project's folder. */
  readonly path: string;
  readonly text: string;
  /** What to do where the file exists already and is kept. Without it, an existing file is an error. */
  readonly kept?: string;
}
