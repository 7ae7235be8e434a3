/** Values of environment variables. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** The surroundings that a project is loaded in. A terminal is one, and so is a server with files of its own. */
export interface ProjectReader {
  readonly env: Environment;
  /** The text that the path `-` stands for. */
  readonly input: () => Promise<string>;
  /** Reads the text of a JSON file; modules are imported by the runtime. Default: from disk. */
  readonly readText?: (path: string) => Promise<string>;
  /** Called with each warning about a file, one line. */
  readonly warn: (warning: string) => void;
}
