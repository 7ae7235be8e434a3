/** The package's version; a test compares it with package.json. */
export const VERSION = "0.1.0";

/** The version of TypeScript in the projects that `callweave init` writes; a test compares it with package.json. */
export const TYPESCRIPT_VERSION = "7.0.2";
