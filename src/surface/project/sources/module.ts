import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isCallweaveError, UsageError } from "../../../base/errors.ts";
import { inFile } from "../../../base/files/mod.ts";
import {
  errorCode,
  isRecord,
  type JsonObject,
  readableError,
  startTimeLimit,
  thrownWords,
} from "../../../base/values/mod.ts";
import type { Environment } from "../reader.ts";

/** Whether a path is that of a module, by its extension. */
export function isModulePath(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/**
 * Loads a JavaScript or TypeScript module. Bun, Deno and Node from 22.18 on read TypeScript themselves; for older
 * versions of Node, `jiti` compiles it. Loading times out after 60 s, or after `CALLWEAVE_LOAD_SECONDS`.
 *
 * @throws {UsageError} `unreadable-file`, `module-failed`, `usage`.
 */
export async function loadModule(path: string, env: Environment): Promise<JsonObject> {
  const file = resolve(path);
  if (!existsSync(file) || !statSync(file).isFile()) {
    const state = existsSync(file) ? "it is a folder" : "the file does not exist";
    throw new UsageError(`Cannot read "${path}": ${state}`, { code: "unreadable-file", hint: "Check the path" });
  }
  const url = pathToFileURL(file).href;
  const seconds = loadSeconds(env);
  try {
    return await inTime(path, importModule(url), seconds);
  } catch (thrown) {
    const error = readableError(thrown);
    if (isCallweaveError(error)) throw inFile(error, path);
    throw new UsageError(`Cannot load "${path}": ${messageOf(error)}`, {
      code: "module-failed",
      hint: hintFor(error),
      cause: error,
    });
  }
}

const DEFAULT_LOAD_SECONDS = 60;
/** Timers of the runtimes are limited to about three weeks. */
const MOST_LOAD_SECONDS = 86_400;

function loadSeconds({ CALLWEAVE_LOAD_SECONDS: text = "" }: Environment): number {
  if (text.trim() === "") return DEFAULT_LOAD_SECONDS;
  const seconds = Number(text);
  if (seconds > 0 && seconds <= MOST_LOAD_SECONDS) return seconds;
  throw new UsageError(`Cannot load modules: CALLWEAVE_LOAD_SECONDS is "${text}"`, {
    code: "usage",
    hint: `Pass a number of seconds, at most ${MOST_LOAD_SECONDS}`,
  });
}

/** Loads the module with a time limit: Bun and Deno would wait forever for a top-level await that never settles. */
async function inTime(path: string, loading: Promise<JsonObject>, seconds: number): Promise<JsonObject> {
  using limit = startTimeLimit(seconds * 1000);
  try {
    return await limit.until(loading);
  } catch (error) {
    if (!limit.expired()) throw error;
    throw new UsageError(`Cannot load "${path}": loading timed out after ${seconds} s`, {
      code: "module-failed",
      hint: "Check for a top-level await that never settles, or raise CALLWEAVE_LOAD_SECONDS",
    });
  }
}

async function importModule(url: string): Promise<JsonObject> {
  try {
    return await import(url);
  } catch (error) {
    if (!readsNoTypeScript(error)) throw error;
    const { createJiti } = await import("jiti");
    // no cache on disk: a flow may contain private data, which must not be left in a temporary folder
    return await createJiti(import.meta.url, { fsCache: false, interopDefault: false, tryNative: false }).import(url);
  }
}

function readsNoTypeScript(error: unknown): boolean {
  return errorCode(error) === "ERR_UNKNOWN_FILE_EXTENSION";
}

/** Messages of Node and tsx for a module that is treated as CommonJS because of the nearest package.json. */
function isReadAsCommonJs(error: unknown): boolean {
  if (errorCode(error) === "ERR_REQUIRE_CYCLE_MODULE") return true;
  return /import statement outside a module|Unexpected token 'export'|["']cjs["'] output format/.test(messageOf(error));
}

/** The first of several errors: Bun wraps syntax errors in one whose message only counts them. */
function messageOf(error: unknown): string {
  const first: unknown = isRecord(error) && Array.isArray(error.errors) ? error.errors[0] : error;
  return isRecord(first) && typeof first.message === "string" ? first.message : thrownWords(error);
}

function hintFor(error: unknown): string {
  if (isReadAsCommonJs(error)) return 'Set "type": "module" in package.json, or name the module .mts';
  if (error instanceof SyntaxError || /SyntaxError|Transform failed|Unexpected|Expected/.test(messageOf(error))) {
    return "Fix the module's syntax";
  }
  const code = errorCode(error);
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
    return "Install what the module imports, or check its import paths";
  return "Fix the module so that it can be imported";
}
