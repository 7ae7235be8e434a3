import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PlatformFacts } from "../platforms/facts.ts";

/**
 * Writes the lists of platforms: a platform is a folder of `platforms/` with a folder `traits`. Lower parts of the code cannot
 * import platforms and get what they need as data.
 */
export async function writePlatforms(root: string): Promise<void> {
  for (const [file, text] of Object.entries(listsOf(root))) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const [file, text] of Object.entries(await dataOf(root))) writeFileSync(join(root, file), text);
}

/** Names of the platforms, which are those of their folders. */
export function platformNames(root: string): readonly string[] {
  return namesWith(root, "traits");
}

/** Names of the folders of `platforms/` that have a folder of this name. */
function namesWith(root: string, part: string): readonly string[] {
  const folders = readdirSync(join(root, "platforms"), { withFileTypes: true });
  return folders
    .filter((each) => each.isDirectory() && existsSync(join(root, "platforms", each.name, part, "mod.ts")))
    .map(({ name }) => name)
    .sort();
}

const HEAD = "// Written by `npm run docs` from the folders of `platforms/` that have a folder `traits`.\n";

const TALK_HEAD = "// Written by `npm run docs` from the folders of `platforms/` that have a folder `talk`.\n";

/** The module that imports the connections of every platform, as the formatter leaves it. */
function talkList(root: string): string {
  const all = namesWith(root, "talk").map((name) => ({ name, record: `${name.toUpperCase()}_TALK` }));
  const imports = [
    ...all.map(({ name, record }) => ({ from: `../${name}/talk/mod.ts`, text: `import { ${record} }` })),
    { from: "../talking/mod.ts", text: "import type { TalkFacts }" },
  ].sort((a, b) => (a.from < b.from ? -1 : 1));
  return `${TALK_HEAD}
${imports.map(({ from, text }) => `${text} from "${from}";\n`).join("")}
/** How scenarios call agents of each platform, by its name. */
export const TALKS = {
${all.map(({ name, record }) => `  ${name}: ${record},\n`).join("")}} satisfies {
  readonly [name: string]: TalkFacts;
};

/** The functions that connect to an agent of a platform, by the platform's name. */
export const PLATFORM_CONNECTIONS = {
${all.map(({ name, record }) => `  ${name}: ${record}.connect,\n`).join("")}};
`;
}

/** The modules that import every platform, by file. */
export function listsOf(root: string): { readonly [file: string]: string } {
  const names = platformNames(root);
  const all = names.map((name) => ({ name, upper: name.toUpperCase(), title: pascal(name) }));
  return {
    ...programsOf(root),
    "platforms/connections/all_talks.ts": talkList(root),
    "platforms/known/all_traits.ts": `${HEAD}${all.map(({ name, upper }) => `import { ${upper}_TRAITS } from "../${name}/traits/mod.ts";\n`).join("")}
/** The traits of every platform, by its name. */
export const ALL_TRAITS = { ${all.map(({ name, upper }) => `${name}: ${upper}_TRAITS`).join(", ")} };

/** Name of a platform: the first word of its formats. */
export type PlatformName = keyof typeof ALL_TRAITS;

/** Names of the platforms. */
export const PLATFORM_NAMES: readonly PlatformName[] = [${names.map((name) => JSON.stringify(name)).join(", ")}];
`,
    "platforms/registry/all_platforms.ts": `${HEAD}import type { PlatformName } from "../known/mod.ts";
import type { PlatformFacts } from "../facts.ts";
${all.map(({ name, upper }) => `import { ${upper} } from "../${name}/mod.ts";\n`).join("")}
type Facts = { readonly [Name in PlatformName]: PlatformFacts<Name> };

/** Everything about every platform, by its name. */
export const PLATFORMS = { ${all.map(({ name, upper }) => `${name}: ${upper}`).join(", ")} } satisfies Facts;

/** The formats of every platform. */
export const PLATFORM_FORMATS = [${all.map(({ upper }) => `...${upper}.formats`).join(", ")}] as const;
`,
  };
}

/**
 * Modules with the texts of `platforms/NAME/program`: parts of the programs that agents are emitted as. They end with
 * `.txt`, because they are no code of this repository.
 */
function programsOf(root: string): { readonly [file: string]: string } {
  const platforms = readdirSync(join(root, "platforms")).filter((name) => existsSync(programOf(root, name)));
  const modules = platforms.map((name) => {
    const folder = programOf(root, name);
    const texts = readdirSync(folder)
      .sort()
      .map((file) => [file.replace(/\.txt$/, ""), readFileSync(join(folder, file), "utf8")] as const);
    const entries = texts.map(([file, text]) => `  ${JSON.stringify(file)}: ${JSON.stringify(text)},\n`);
    const head = `// Written by \`npm run docs\` from \`platforms/${name}/program\`.\n\n/** Texts of programs, by file. */\n`;
    const text = `${head}export const PROGRAM = {\n${entries.join("")}} as const;\n`;
    return [`platforms/${name}/generated/mod.ts`, text] as const;
  });
  return Object.fromEntries(modules);
}

const programOf = (root: string, name: string) => join(root, "platforms", name, "program");

/** The platforms as code that cannot import them needs them, by file: types and data. */
export async function dataOf(root: string): Promise<{ readonly [file: string]: string }> {
  const platforms: readonly PlatformFacts[] = Object.values(
    (await import(pathToFileURL(join(root, "platforms", "mod.ts")).href)).PLATFORMS,
  );
  const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(", ");
  const names = platforms.map(({ name }) => name);
  const deployed = platforms.flatMap(({ deploy }) => deploy?.formats ?? []);
  const data = platforms.map(({ name, title, connection, settings, deploy, calls, words, keys }) => {
    const own = {
      title,
      keyVariable: connection.keyVariable,
      voiceKind: settings.voiceKind,
      publishes: deploy?.publishes ?? false,
      readsCalls: calls !== null,
      pullsCalls: calls !== null && !calls.areFilesOnly,
      words,
      keys,
    };
    return `  ${name}: ${JSON.stringify(own)},\n`;
  });
  const each = (line: (name: string, pascal: string, words: PlatformFacts["words"]) => string) =>
    platforms.map(({ name, words }) => line(name, pascal(name), words)).join("");
  return {
    "src/document/platforms/generated/mod.ts": `// Written by \`npm run docs\` from the records of the platforms.
import type { PlatformData } from "../data.ts";

/** A platform that flows have options for: the first word of a format. */
export type PlatformName = ${names.map((name) => JSON.stringify(name)).join(" | ")};

/** Names of the platforms. */
export const PLATFORM_NAMES: readonly PlatformName[] = [${quoted(names)}];

/** A format that can be deployed. */
export type DeployFormat = ${deployed.map((name) => JSON.stringify(name)).join(" | ")};

/** Formats that can be deployed. */
export const DEPLOY_FORMATS: readonly DeployFormat[] = [${quoted(deployed)}];

/** What is known of each platform as data. */
export const PLATFORM_DATA: { readonly [Name in PlatformName]: PlatformData } = {
${data.join("")}};
`,
    "dsl/generated/mod.ts": `// Written by \`npm run docs\` from the folders of \`platforms/\`.
${each((name, type) => `import type { ${type}Fields } from "../../platforms/${name}/fields/mod.ts";\n`)}
${each((name) => `export type * from "../../platforms/${name}/fields/mod.ts";\n`)}
/** What flows and nodes can set for each platform. */
export interface FieldsByPlatform {
${each((name, type) => `  readonly ${name}: ${type}Fields;\n`)}}

/** The agent's voice per platform, because voice ids differ. */
export interface FlowVoice {
${each((name, type, { voiceDoc }) => `  /** ${voiceDoc} */\n  readonly ${name}?: ${type}Fields["voice"];\n`)}}
`,
    "src/document/expressions/generated/mod.ts": `/** Written by \`npm run docs\` from the platforms: variables that they set in every call. */
export const PLATFORM_VARIABLES = [
${platforms.map(({ variables }) => variables.names.map((name) => `  ${JSON.stringify(name)},\n`).join("")).join("")}] as const;

/** Prefixes of variables whose name ends with a time zone: \`current_time_Europe/Berlin\`. */
export const PLATFORM_VARIABLE_PREFIXES = [${quoted(platforms.flatMap(({ variables }) => variables.prefixes))}] as const;
`,
  };
}

/** A platform's name as types have it: `Retell`. */
function pascal(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
