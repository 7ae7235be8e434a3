/** A file that `eject()` writes. */
export interface EjectedFile {
  /** Relative to the folder that the files are written to, such as `flow.ts` and `parts/greeting.ts`. */
  readonly path: string;
  readonly text: string;
}
