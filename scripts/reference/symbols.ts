import { execFile } from "node:child_process";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { constantsOf, withValues } from "./constants.ts";

/** Entry points of the package, with their files. */
export const ENTRY_POINTS = {
  callweave: "mod.ts",
  "callweave/deploy": "api/deploy.ts",
  "callweave/calls": "api/calls.ts",
  "callweave/analysis": "api/analysis.ts",
  "callweave/statistics": "api/statistics.ts",
  "callweave/platforms": "api/platforms.ts",
  "callweave/reporters": "api/reporters.ts",
  "callweave/testing": "api/testing.ts",
  "callweave/connect": "api/connect.ts",
  "callweave/client": "api/client.ts",
  "callweave/types": "api/types.ts",
} as const;

/** The name of an entry point. */
export type EntryPoint = keyof typeof ENTRY_POINTS;

/** A tag of a docstring, such as `@throws`. */
export interface DocTag {
  readonly kind: string;
  readonly name?: string;
  readonly doc?: string;
  readonly tsType?: { readonly repr?: string };
}

/** One exported name. */
export interface PublicSymbol {
  readonly name: string;
  readonly entry: EntryPoint;
  readonly kind: "function" | "class" | "interface" | "typeAlias" | "variable";
  /** The file that declares it, from the root of the repository. */
  readonly file: string;
  /** The docstring without its tags. */
  readonly doc: string;
  readonly tags: readonly DocTag[];
  // biome-ignore lint/suspicious/noExplicitAny: the tool has no types for its output; print_type.ts reads it
  readonly def: any;
}

interface DocFile {
  readonly nodes: {
    readonly [url: string]: {
      readonly symbols: readonly {
        readonly name: string;
        readonly declarations: readonly {
          readonly kind: PublicSymbol["kind"];
          readonly location: { readonly filename: string };
          readonly jsDoc?: { readonly doc?: string; readonly tags?: readonly DocTag[] };
          // biome-ignore lint/suspicious/noExplicitAny: see PublicSymbol
          readonly def: any;
        }[];
      }[];
    };
  };
}

/** All exported names of every entry point, read by `deno doc`: without a type checker, in about a second. */
export async function readSymbols(root: string): Promise<readonly PublicSymbol[]> {
  const files = Object.values(ENTRY_POINTS);
  const deno = join(root, "node_modules", ".bin", "deno");
  const { stdout } = await promisify(execFile)(deno, ["doc", "--json", "--no-npm", ...files], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  const document = JSON.parse(stdout) as DocFile; // printed by the pinned version of Deno
  const symbols = Object.entries(document.nodes).flatMap(([url, { symbols }]) => {
    const entry = entryOf(relative(root, fileURLToPath(url)).replaceAll("\\", "/"));
    return symbols.flatMap(({ name, declarations }): readonly PublicSymbol[] => {
      const [first] = declarations;
      if (!first) return [];
      const file = relative(root, fileURLToPath(first.location.filename)).replaceAll("\\", "/");
      const { doc = "", tags = [] } = first.jsDoc ?? {};
      return [{ name, entry, kind: first.kind, file, doc: doc.trim(), tags, def: first.def }];
    });
  });
  const constants = await constantsOf(root);
  return symbols.map((symbol) => ({ ...symbol, def: withValues(symbol.def, constants) }));
}

function entryOf(file: string): EntryPoint {
  for (const [entry, path] of Object.entries(ENTRY_POINTS)) if (path === file) return entry as EntryPoint; // its own key
  throw new Error(`${file} is no entry point`);
}
