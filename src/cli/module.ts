import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isCallweaveError, UsageError } from "../errors.ts";
import { isRecord, type JsonObject } from "../graph/mod.ts";
import { inFile } from "./files.ts";

/** Whether a path is that of a module, by its ending. */
export function isModulePath(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/**
 * Loads a JavaScript or TypeScript module. Bun and Deno read TypeScript, and so does Node from 22.18 on; an older one
 * does where `tsx` is installed.
 *
 * @throws {UsageError} `unreadable-file`, `module-failed`.
 */
export async function loadModule(path: string): Promise<JsonObject> {
  const file = resolve(path);
  if (!existsSync(file) || !statSync(file).isFile()) {
    const state = existsSync(file) ? "it is a folder" : "there is no such file";
    throw new UsageError(`Cannot read "${path}": ${state}`, { code: "unreadable-file", hint: "Check the path" });
  }
  const url = pathToFileURL(file).href;
  try {
    return await importModule(url);
  } catch (error) {
    if (isCallweaveError(error)) throw inFile(error, path);
    throw new UsageError(`Cannot load "${path}": ${messageOf(error)}`, {
      code: "module-failed",
      hint: hintFor(error),
      cause: error,
    });
  }
}

async function importModule(url: string): Promise<JsonObject> {
  try {
    return await import(url);
  } catch (error) {
    if (!readsNoTypeScript(error)) throw error;
    const tsImport = await findTsx();
    if (!tsImport) throw error;
    return await tsImport(url, import.meta.url);
  }
}

type TsImport = (url: string, parent: string) => Promise<JsonObject>;

/** The importer of `tsx`, which is no dependency: it may be installed in the user's project. */
async function findTsx(): Promise<TsImport | undefined> {
  const api = "tsx/esm/api";
  try {
    const loaded: unknown = await import(api);
    return isRecord(loaded) && typeof loaded.tsImport === "function" ? (loaded.tsImport as TsImport) : undefined; // its documented shape
  } catch {
    return undefined;
  }
}

function readsNoTypeScript(error: unknown): boolean {
  return isRecord(error) && error.code === "ERR_UNKNOWN_FILE_EXTENSION";
}

/** What Node and tsx say of a module that the nearest package.json, or the lack of one, makes CommonJS. */
function isReadAsCommonJs(error: unknown): boolean {
  if (isRecord(error) && error.code === "ERR_REQUIRE_CYCLE_MODULE") return true;
  return /import statement outside a module|Unexpected token 'export'|'cjs' output format/.test(messageOf(error));
}

/** The first of several errors, as Bun reports those of syntax: all of them in one, which says only how many. */
function messageOf(error: unknown): string {
  const first: unknown = isRecord(error) && Array.isArray(error.errors) ? error.errors[0] : error;
  return isRecord(first) && typeof first.message === "string" ? first.message : String(error);
}

function hintFor(error: unknown): string {
  if (readsNoTypeScript(error)) return "Use Node 22.18 or later, Bun or Deno, or install tsx";
  if (isReadAsCommonJs(error)) return 'Set "type": "module" in package.json, or name the module .mts';
  if (error instanceof SyntaxError || /SyntaxError|Transform failed|Unexpected|Expected/.test(messageOf(error))) {
    return "Mend the module's syntax";
  }
  const code = isRecord(error) ? error.code : undefined;
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
    return "Install what the module imports, or check its import paths";
  return "Mend the module, so that it can be imported";
}
