import { ScenarioError } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";

const API = "@opentelemetry/api";
const EXPORT = ["@opentelemetry/resources", "@opentelemetry/sdk-trace", "@opentelemetry/exporter-trace-otlp-proto"];
/** Creates the spans of version 7 of the AI SDK; version 6 creates its own. */
const SDK_7_SPANS = "@ai-sdk/otel";

/**
 * Loads the OpenTelemetry API.
 *
 * @throws {ScenarioError} `missing-package`, as all functions of this file.
 */
export async function loadApi() {
  return await import("@opentelemetry/api").catch((cause: unknown) => missing([API], cause));
}

/** The packages for exporting spans to a collector. */
interface ExportPackages {
  readonly resources: typeof import("@opentelemetry/resources");
  readonly sdk: typeof import("@opentelemetry/sdk-trace");
  readonly exporter: typeof import("@opentelemetry/exporter-trace-otlp-proto");
}

/** Loads the packages for exporting spans to a collector. */
export async function loadExport(): Promise<ExportPackages> {
  try {
    const [resources, sdk, exporter] = await Promise.all([
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/exporter-trace-otlp-proto"),
    ]);
    return { resources, sdk, exporter };
  } catch (cause) {
    return missing([API, ...EXPORT], cause);
  }
}

/** Loads the integration that creates the spans of version 7 of the AI SDK; `undefined` with version 6. */
export async function loadSdkIntegration(): Promise<(new (options: object) => object) | undefined> {
  const sdk: object = await import("ai");
  if (!("registerTelemetry" in sdk)) return undefined;
  const name: string = SDK_7_SPANS; // not a literal: the package needs version 7, and a clone has version 6
  const loaded: unknown = await import(name).catch((cause: unknown) => missing([SDK_7_SPANS], cause));
  return isRecord(loaded) && isConstructor(loaded.OpenTelemetry)
    ? loaded.OpenTelemetry
    : missing([SDK_7_SPANS], loaded);
}

function isConstructor(value: unknown): value is new (options: object) => object {
  return typeof value === "function";
}

function missing(packages: readonly string[], cause: unknown): never {
  throw new ScenarioError(`Cannot record telemetry: ${packages.join(", ")} cannot be loaded`, {
    code: "missing-package",
    path: ["telemetry"],
    hint: `Install ${packages.length > 1 ? "them" : "it"}: npm install ${packages.join(" ")}`,
    cause,
  });
}
