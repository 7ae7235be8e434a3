import { existsSync } from "node:fs";
import { dirname, join, parse, relative, resolve } from "node:path";

/**
 * The JSON Schema for `$schema` of a file, as a path relative to the file: in the closest installed package, in the
 * file's folder or above it. Without one, the path that `npm install callweave` in the current folder creates.
 */
export function schemaPath(name: "graph" | "scenarios" | "config", file: string): string {
  const inPackage = join("node_modules", "callweave", "schemas", `${name}.json`);
  const folder = dirname(resolve(file));
  const installed = foldersFrom(folder)
    .map((each) => join(each, inPackage))
    .find((each) => existsSync(each));
  const path = relative(folder, installed ?? resolve(inPackage)).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** A folder and all its parents. */
function foldersFrom(folder: string): readonly string[] {
  return folder === parse(folder).root ? [folder] : [folder, ...foldersFrom(dirname(folder))];
}
