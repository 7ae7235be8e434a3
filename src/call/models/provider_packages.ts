import { join } from "node:path";
import { cwd } from "node:process";
import { ModelError } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";

/** Packages of the AI SDK, and of its community, whose name or export is not that of their provider. */
const PACKAGES: { readonly [provider: string]: readonly [name: string, provider: string] } = {
  bedrock: ["@ai-sdk/amazon-bedrock", "bedrock"],
  "claude-code": ["ai-sdk-provider-claude-code", "claudeCode"],
  "codex-cli": ["ai-sdk-provider-codex-cli", "codexCli"],
  gemini: ["@ai-sdk/google", "google"],
  "gemini-cli": ["ai-sdk-provider-gemini-cli", "geminiCli"],
  openrouter: ["@openrouter/ai-sdk-provider", "openrouter"],
  vertex: ["@ai-sdk/google-vertex", "vertex"],
};

/** The parts of an AI SDK provider that Callweave uses; a provider has some of them. */
export type ProviderPart = "languageModel" | "embedding" | "speech" | "transcription";

/** Provider methods by what they make; older packages have only the shorter name. */
const METHODS: { readonly [Part in ProviderPart]: readonly string[] } = {
  languageModel: ["languageModel", "chat"],
  embedding: ["embeddingModel", "textEmbeddingModel"],
  speech: ["speechModel", "speech"],
  transcription: ["transcriptionModel", "transcription"],
};

/** The beginning of the names of a provider's environment variables. */
export const variablePrefix = (provider: string) => provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");

/** The package of a provider, and the name of its export. */
function packageOf(provider: string): readonly [name: string, provider: string] {
  const known = Object.hasOwn(PACKAGES, provider) ? PACKAGES[provider] : undefined;
  return known ?? [`@ai-sdk/${provider}`, provider.replaceAll(/-+(.)/g, (_, letter: string) => letter.toUpperCase())];
}

/**
 * Makes a model of the AI SDK package of a provider: `anthropic/claude-sonnet-5` is `anthropic("claude-sonnet-5")` of
 * `@ai-sdk/anthropic`, in the packages of the working directory or beside Callweave.
 *
 * @returns What the package made; the caller checks that it is a model.
 * @throws {ModelError} `missing-package` with the command that installs it; `unknown-model` if the package has no such
 *   provider, or refuses the name.
 */
export async function packagedModel(
  reference: string,
  { provider, name }: { readonly provider: string; readonly name: string },
  part: ProviderPart,
): Promise<unknown> {
  const [packageName, exported] = packageOf(provider);
  const found = await loadPackage(packageName, reference, provider);
  const value: unknown = found[exported];
  const fail = (state: string, hint: string, cause?: unknown) =>
    new ModelError(`Cannot use model "${reference}": ${state}`, {
      code: "unknown-model",
      hint,
      ...(cause === undefined ? {} : { cause }),
    });
  const method = METHODS[part].map((key) => memberOf(value, key)).find((member) => typeof member === "function");
  const make = method ?? (part === "languageModel" && typeof value === "function" ? value : undefined);
  if (typeof make !== "function") {
    const what = part === "languageModel" ? "language models" : `models for ${part}`;
    throw fail(`${packageName} has no ${what} under "${exported}"`, "Pass a model of the AI SDK in code");
  }
  try {
    return Reflect.apply(make, value, [name]);
  } catch (error) {
    throw fail(error instanceof Error ? error.message : `${packageName} refuses the name`, "Check the name", error);
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "function" || isRecord(value) ? Reflect.get(value, key) : undefined;
}

async function loadPackage(
  name: string,
  reference: string,
  provider: string,
): Promise<{ readonly [key: string]: unknown }> {
  // a reference is the name of a package, never a path or a URL
  const isName = /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*$/.test(name);
  const place = isName ? await placeOf(name) : undefined;
  if (place === undefined)
    throw new ModelError(`Cannot use model "${reference}": ${name} is not installed`, {
      code: "missing-package",
      hint: `Run: npm install ${name}; or set ${variablePrefix(provider)}_BASE_URL to an OpenAI-compatible URL`,
    });
  try {
    return await import(place);
  } catch (error) {
    throw broken(reference, name, error);
  }
}

/** The URL of an installed package: in the working directory's packages, or beside Callweave. */
async function placeOf(name: string): Promise<string | undefined> {
  const { createJiti } = await import("jiti");
  for (const from of [join(cwd(), "package.json"), import.meta.url])
    try {
      return createJiti(from).esmResolve(name);
    } catch {
      // it is not there
    }
  return undefined;
}

function broken(reference: string, name: string, cause: unknown): ModelError {
  const words = cause instanceof Error ? cause.message : "it threw no error";
  return new ModelError(`Cannot use model "${reference}": ${name} cannot be loaded: ${words}`, {
    code: "missing-package",
    hint: `Install ${name} again, in a version for your version of the AI SDK`,
    cause,
  });
}
