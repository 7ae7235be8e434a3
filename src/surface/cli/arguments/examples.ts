import { DEPLOY_FORMATS, PLATFORM_DATA, PLATFORM_NAMES } from "../../../document/platforms/mod.ts";

const [FIRST = ""] = PLATFORM_NAMES;
const [FORMAT = ""] = DEPLOY_FORMATS;

/** Platforms whose calls can be read. */
const READ = PLATFORM_NAMES.filter((name) => PLATFORM_DATA[name].readsCalls);

/** Names of platforms and formats in the help of commands. */
export const EXAMPLE = {
  /** A format, and one of another platform. */
  format: FORMAT,
  other: DEPLOY_FORMATS.find((name) => !name.startsWith(FIRST)) ?? FORMAT,
  /** A platform whose calls can be read, and another one. */
  calls: READ[0] ?? "",
  otherCalls: READ[1] ?? READ[0] ?? "",
} as const;

/** Names of the formats that calls are read in, for sentences. */
export const CALL_FORMAT_NAMES: readonly string[] = [...READ, "openai"];
/** Titles of the platforms whose calls are read. */
export const CALL_TITLES: readonly string[] = READ.map((name) => PLATFORM_DATA[name].title);
