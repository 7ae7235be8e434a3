import { readdir, readFile, realpath } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, extname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Jiti } from "jiti";
import { decodeText } from "../../../base/files/mod.ts";
import { errorCode, isRecord, jsonOrText } from "../../../base/values/mod.ts";
import { isModulePath } from "../sources.ts";

const IMPORTS_NOTHING: ImportFollower = async () => [];

/** Relative paths in a module's text: imports, and files that it reads. */
const RELATIVE_PATH = /["'`](\.{1,2}\/[^"'`\n]{1,500})["'`]/g;

/** Larger projects are watched in part. */
const MOST_FILES = 2_000;

/**
 * Reads a file, the modules that it imports and the files that it names, directly or through others. A named file that
 * does not exist is `undefined`: it may be created.
 */
export async function readFiles(
  path: string,
  follow: ImportFollower = IMPORTS_NOTHING,
): Promise<ReadonlyMap<string, string | undefined>> {
  const files = new Map<string, string | undefined>();
  const waiting = [resolve(path)];
  for (let file = waiting.pop(); file !== undefined && files.size < MOST_FILES; file = waiting.pop()) {
    if (files.has(file)) continue;
    const text = await readText(file);
    files.set(file, text);
    if (text !== undefined && isModulePath(file))
      waiting.push(...pathsIn(text, dirname(file)), ...(await follow(text, file)));
  }
  return files;
}

/** Reads files, like {@link readFiles}, with what they import by other names than relative paths, see {@link followImports}. */
export async function readAllFiles(paths: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
  const follow = followImports();
  return new Map((await Promise.all(paths.map((path) => readFiles(path, follow)))).flatMap((each) => [...each]));
}

function pathsIn(text: string, folder: string): readonly string[] {
  return [...text.matchAll(RELATIVE_PATH)].flatMap(([, written = ""]) => {
    const file = resolve(folder, written);
    if (file.includes(`${sep}node_modules${sep}`)) return [];
    const extension = extname(file);
    if (extension === "") return [`${file}.ts`, `${file}.js`];
    const inTypeScript = /^\.[cm]?js$/.test(extension) ? [file.replace(/js$/, "ts")] : []; // as tsc has it
    return [file, ...inTypeScript];
  });
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return decodeText(await readFile(file));
  } catch {
    return undefined;
  }
}

/** Imports of a module by a name: `from "name"`, `import "name"`, `import("name")`, `require("name")`. */
const BARE_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'`]([^"'`\s./][^"'`\n:]{0,500})["'`]/g;

const CONDITIONS = ["node", "import", "default"];
const IN_PACKAGES = `${sep}node_modules${sep}`;

/** Lists the files behind the imports of a module that are not relative. */
export type ImportFollower = (text: string, file: string) => Promise<readonly string[]>;

/**
 * Creates a function that resolves the imports of a module that are not relative: `paths` of tsconfig.json, `imports` of
 * package.json and deno.json, and packages. A package of the workspace stands for the imported file, an installed one for
 * its package.json, which has its version. Imports that cannot be resolved are left out: the module does not load either.
 */
function followImports(): ImportFollower {
  const resolvers = new Map<string, Promise<Jiti>>();
  const found = new Map<string, Promise<string | undefined>>();
  const scopes = new Map<string, Promise<string>>();
  return async (text, file) => {
    const names = new Set([...text.matchAll(BARE_IMPORT)].map(([, name = ""]) => name));
    if (names.size === 0) return [];
    const folder = await scopeOf(dirname(file), scopes);
    const paths = [...names].map((name) => {
      if (isBuiltin(name)) return undefined;
      const key = JSON.stringify([folder, name]);
      const path = found.get(key) ?? resolved(name, folder, resolvers);
      found.set(key, path);
      return path;
    });
    return (await Promise.all(paths)).flatMap((path) => path ?? []);
  };
}

/** What decides how the names in the modules of a folder, and of those in it, are resolved. */
const DECIDES = new Set(["node_modules", "package.json", "tsconfig.json", "jsconfig.json", "deno.json"]);

/**
 * The nearest folder around a module, its own included, with anything that decides how names are resolved: all modules
 * below it share a resolver. Making one for each of a hundred folders takes as long as reading their files.
 */
function scopeOf(folder: string, known: Map<string, Promise<string>>): Promise<string> {
  const scope = known.get(folder) ?? findScope(folder, known);
  known.set(folder, scope);
  return scope;
}

async function findScope(folder: string, known: Map<string, Promise<string>>): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => DECIDES.has(name)) || dirname(folder) === folder
    ? folder
    : await scopeOf(dirname(folder), known);
}

async function resolved(
  name: string,
  folder: string,
  resolvers: Map<string, Promise<Jiti>>,
): Promise<string | undefined> {
  const resolver = resolvers.get(folder) ?? createResolver(folder);
  resolvers.set(folder, resolver);
  const url = (await resolver).esmResolve(name, { try: true, conditions: CONDITIONS });
  if (url?.startsWith("file:") !== true) return undefined;
  const path = await realpath(fileURLToPath(url)).catch(() => undefined);
  return path?.includes(IN_PACKAGES) === true ? packageFile(path) : path;
}

async function createResolver(folder: string): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const alias = await denoImports(folder);
  const from = pathToFileURL(join(folder, "module.ts")).href;
  return createJiti(from, { fsCache: false, tsconfigPaths: true, alias });
}

/** The package.json of an installed file. */
function packageFile(path: string): string {
  const end = path.lastIndexOf(IN_PACKAGES) + IN_PACKAGES.length;
  const [first = "", second = ""] = path.slice(end).split(sep);
  return join(path.slice(0, end), ...(first.startsWith("@") ? [first, second] : [first]), "package.json");
}

/** The paths in `imports` of the nearest deno.json, absolute. */
async function denoImports(folder: string): Promise<Record<string, string>> {
  for (let at = folder; ; at = dirname(at)) {
    const text = await readFile(join(at, "deno.json"), "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return undefined;
      return "";
    });
    if (text !== undefined) {
      const config = jsonOrText(text);
      const imports = isRecord(config) && isRecord(config.imports) ? config.imports : {};
      return Object.fromEntries(
        Object.entries(imports).flatMap(([name, to]) =>
          typeof to === "string" && /^\.{0,2}\//.test(to)
            ? [[name, resolve(at, to) + (to.endsWith("/") ? sep : "")]]
            : [],
        ),
      );
    }
    if (dirname(at) === at) return {};
  }
}
