import { didYouMean } from "../../../base/values/mod.ts";
import { isReporterName, REPORTERS, type ReporterName } from "../../reporters/mod.ts";
import { usage } from "../arguments/mod.ts";

/** A parsed `--reporter`: a built-in reporter or a module, and the output file. */
export type ReporterFlag = ({ readonly name: ReporterName } | { readonly module: string }) & {
  /** Absent: standard output. */
  readonly file?: string;
};

/** The path of a module up to its extension, followed by the end or a colon. Both paths may be `C:\…`. */
const MODULE = /^(.+?\.[cm]?[jt]sx?)(?::(.*))?$/s;

/**
 * Parses `NAME`, `NAME:FILE`, `./module.ts` or `./module.ts:FILE`. A FILE may contain colons.
 *
 * @throws {UsageError} `usage`.
 */
export function parseReporter(text: string): ReporterFlag {
  const [, name = text, file] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (isReporterName(name)) return { name, ...fileOf(file, name) };
  const [, module, target] = MODULE.exec(text) ?? [];
  if (module !== undefined) return { module, ...fileOf(target, module) };
  const [, known = "", out = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (isReporterName(known))
    throw usage(`there is no reporter "${text}"`, `Write --reporter ${known}:${out || "FILE"}`);
  const names = Object.keys(REPORTERS);
  const hint = `Write ${names.join(", ")}, or the path of a module: --reporter ./my_reporter.ts`;
  throw usage(`there is no reporter "${name}"`, didYouMean(name, names, hint));
}

function fileOf(file: string | undefined, name: string): { readonly file?: string } {
  if (file === "") throw usage(`--reporter ${name}: has no file`, `Write --reporter ${name}:FILE`);
  return file === undefined || file === "-" ? {} : { file };
}
