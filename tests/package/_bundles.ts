import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { packagesIn } from "../surface/cli/_loaded.ts";

/** Packages that the package loads only if they are installed. */
const OPTIONAL = [
  "@ai-sdk/otel",
  "@fontsource/*",
  "@livekit/*",
  "@modelcontextprotocol/*",
  "@opentelemetry/*",
  "@resvg/*",
  "bullmq",
  "ioredis",
  "onnxruntime-web",
  "werift",
];

/** Bundles a user's program with what it imports, and returns the packages with code in the bundle. */
export async function bundledPackages(program: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [program],
    bundle: true,
    platform: "node",
    format: "esm",
    external: OPTIONAL,
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return packagesIn(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => `/${path}`));
}

/** The names of the classes in a folder's sources that extend another class, sorted. */
export function subclassNames(folder: string, ending: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(ending));
  const texts = paths.filter((path) => !path.endsWith(".d.ts")).map((path) => readFileSync(join(folder, path), "utf8"));
  const classes = texts.flatMap((text) => [
    ...text.matchAll(/^(?:export )?(?:(?:var|let) (\w+) = )?class (?:(\w+) )?extends \w/gm),
  ]);
  return classes.map(([, variable = "", name = variable]) => name).sort();
}
