import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Span, SpanOptions, Tracer } from "@opentelemetry/api";
import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { ScenarioError } from "../../base/errors.ts";
import { createRedactor, type Redactor, redact } from "../../base/redaction/mod.ts";
import { type Clock, isRecord, SYSTEM_CLOCK, thrownWords } from "../../base/values/mod.ts";
import type { ModelTelemetry } from "../models/mod.ts";
import { RedactedSpan } from "./redacted_span.ts";

/** A span while its work runs. */
export interface TelemetrySpan {
  readonly set: (attributes: SpanAttributes) => void;
  /** Marks the span as failed. */
  readonly fail: (message: string) => void;
}

/** The spans of a run. */
export interface Telemetry {
  /** The AI SDK's spans of model calls, below the span that the call belongs to. */
  readonly models: ModelTelemetry;
  readonly recordInputs: boolean;
  readonly recordOutputs: boolean;
  /** Runs work within a span. A root span starts a trace. */
  readonly span: <Result>(
    name: string,
    options: { readonly root?: boolean; readonly attributes?: SpanAttributes },
    work: (span: TelemetrySpan) => Promise<Result>,
  ) => Promise<Result>;
  /** Sends the waiting spans, within the limit. Returns why spans are missing, or `null`. It never throws. */
  readonly end: () => Promise<string | null>;
}

/**
 * Starts the OpenTelemetry spans of a run. Texts in them are redacted.
 *
 * @returns `undefined` when telemetry is off; then no package is loaded.
 * @throws {ScenarioError} `missing-package`.
 */
export async function startTelemetry(
  options: boolean | TelemetryOptions | undefined,
  timers: Pick<Clock, "after"> = SYSTEM_CLOCK,
): Promise<Telemetry | undefined> {
  if (options === undefined || options === false) return undefined;
  const { tracer, recordInputs = true, recordOutputs = true, flushTimeoutMs } = options === true ? {} : options;
  const api = await loadApi();
  const Integration = await loadSdkIntegration();
  const collector = tracer === undefined ? await openCollector(flushTimeoutMs, timers) : undefined;
  const outer = collector?.tracer ?? asTracer(tracer);
  const nested = nestedTracer(api, outer, createRedactor());
  const integration = Integration && { integrations: [new Integration({ tracer: nested.tracer })] };
  return {
    models: {
      settings: (signature) => ({
        isEnabled: true,
        functionId: signature,
        recordInputs,
        recordOutputs,
        tracer: nested.tracer, // version 6 of the AI SDK
        ...integration, // version 7
      }),
    },
    recordInputs,
    recordOutputs,
    span: (name, { root = false, attributes = {} }, work) =>
      nested.within(name, { root, attributes: defined(attributes) }, (span) =>
        work({
          set: (more) => void span.setAttributes(defined(more)),
          fail: (message) => void span.setStatus({ code: api.SpanStatusCode.ERROR, message }),
        }),
      ),
    end: async () => (await collector?.flush(flushTimeoutMs ?? DEFAULT_FLUSH_TIMEOUT_MS)) ?? null,
  };
}

function defined(attributes: SpanAttributes): NonNullable<SpanOptions["attributes"]> {
  const entries = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === "object" ? [...value] : value] as const],
  );
  return Object.fromEntries(entries);
}

/** The options' rules have checked it. */
function asTracer(tracer: TelemetryTracer | undefined): Tracer {
  const given: unknown = tracer;
  return given as Tracer; // the public type is without the API's types, because the package is optional
}

/** A `Tracer` of `@opentelemetry/api`. */
export interface TelemetryTracer {
  readonly startSpan: (name: string, options?: never, context?: never) => object;
  readonly startActiveSpan: (name: string, ...rest: never[]) => unknown;
}

/** Options of a run's OpenTelemetry spans. */
export interface TelemetryOptions {
  /**
   * A tracer of the application, whose provider exports the spans. Default: spans are sent to the OTLP collector that
   * the environment variables `OTEL_EXPORTER_OTLP_*` describe, and the run waits for it when it ends.
   */
  readonly tracer?: TelemetryTracer;
  /** Whether spans contain prompts and what callers said. Default: true. */
  readonly recordInputs?: boolean;
  /** Whether spans contain the answers of models. Default: true. */
  readonly recordOutputs?: boolean;
  /**
   * Maximum time that the run waits for the collector at its end, in milliseconds. It has no effect with a `tracer`.
   * Default: 5,000.
   */
  readonly flushTimeoutMs?: number;
}

/** Default of `flushTimeoutMs`. */
const DEFAULT_FLUSH_TIMEOUT_MS = 5_000;

/** Attributes of a span; `undefined` ones are left out. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** A tracer that tracks the current span. */
export interface NestedTracer {
  /** For the AI SDK. A span without a parent of its own becomes a child of the current one. */
  readonly tracer: Tracer;
  /** Runs work within a new span, which ends with the work. A root span starts a trace. */
  readonly within: <Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span) => Promise<Result>,
  ) => Promise<Result>;
}

/**
 * Wraps a tracer so that spans nest and their texts are redacted. OpenTelemetry nests spans only where the application
 * has registered a context manager for the whole process; a run must not do that, so it has a context of its own.
 */
function nestedTracer(api: typeof import("@opentelemetry/api"), outer: Tracer, redactor: Redactor): NestedTracer {
  const current = new AsyncLocalStorage<Context>();
  const parentOf = (given?: Context): Context =>
    given && api.trace.getSpan(given) ? given : (current.getStore() ?? given ?? api.context.active());

  const start = (name: string, options: SpanOptions, parent: Context): Span => {
    const { attributes, ...rest } = options;
    const clean = attributes ? { ...rest, attributes: redactor.value(attributes) } : rest;
    return new RedactedSpan(outer.startSpan(redactor.text(name), clean, parent), redactor);
  };
  // a context manager of the application, if there is one, makes its own spans children of these
  const enter = <Result>(parent: Context, span: Span, work: (span: Span) => Result): Result => {
    const inner = api.trace.setSpan(parent, span);
    return current.run(inner, () => api.context.with(inner, () => work(span)));
  };
  const tracer: Tracer = {
    startSpan: (name, options = {}, given) => start(name, options, parentOf(given)),
    startActiveSpan: <Work extends (span: Span) => unknown>(
      name: string,
      ...rest: [Work] | [SpanOptions, Work] | [SpanOptions, Context, Work]
    ): ReturnType<Work> => {
      const work = rest[rest.length - 1] as Work; // the last argument is the function in every form
      const options = rest.length > 1 ? (rest[0] as SpanOptions) : {}; // the first of two or three
      const parent = parentOf(rest.length > 2 ? (rest[1] as Context) : undefined); // the second of three
      return enter(parent, start(name, options, parent), work) as ReturnType<Work>; // what the function returns
    },
  };
  return {
    tracer,
    within: async (name, options, work) => {
      const parent = options.root ? api.ROOT_CONTEXT : parentOf();
      const span = start(name, options, parent);
      try {
        return await enter(parent, span, work);
      } finally {
        span.end();
      }
    },
  };
}

/** Maximum number of spans waiting for the collector; later ones are dropped. */
const MOST_WAITING = 16_384;

/** Bit of a span's flags that says that it is exported. */
const SAMPLED = 1;

/** The collector that the environment variables describe. */
export interface Collector {
  readonly tracer: Tracer;
  /** Sends the waiting spans. Returns why spans are missing at the collector, or `null` if none are. */
  readonly flush: (limitMs: number) => Promise<string | null>;
}

/**
 * Connects to the OTLP collector that the environment variables `OTEL_EXPORTER_OTLP_*` describe.
 *
 * @throws {ScenarioError} `missing-package`.
 */
async function openCollector(timeoutMs: number | undefined, timers: Pick<Clock, "after">): Promise<Collector> {
  const { resources, sdk, exporter: otlp } = await loadExport();
  const exporter = new otlp.OTLPTraceExporter(timeoutMs === undefined ? {} : { timeoutMillis: timeoutMs });
  const counts = { ended: 0, exported: 0, reason: "" };
  const watched: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === 0) counts.exported += spans.length;
        else counts.reason = result.error ? thrownWords(result.error) : "";
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
  const counter: SpanProcessor = {
    onStart: () => {},
    onEnd: (span) => {
      if (span.spanContext().traceFlags & SAMPLED) counts.ended += 1;
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const named = resources.resourceFromAttributes({ "service.name": "callweave" });
  const provider = new sdk.TracerProvider({
    resource: named.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [counter, new sdk.BatchSpanProcessor({ exporter: watched, maxQueueSize: MOST_WAITING })],
  });
  return {
    tracer: provider.getTracer("callweave"),
    flush: async (limitMs) => {
      const isLate = await passes(provider.shutdown(), limitMs, timers);
      const missing = counts.ended - counts.exported;
      if (missing <= 0) return null;
      const reason = isLate ? `the collector did not answer within ${limitMs} ms` : counts.reason;
      return `${missing} of ${counts.ended} spans were not exported${reason ? `: ${redact(reason)}` : ""}`;
    },
  };
}

/** Whether work takes longer than its limit. Errors of the work count as its end. */
function passes(work: Promise<unknown>, limitMs: number, timers: Pick<Clock, "after">): Promise<boolean> {
  return new Promise((resolve) => {
    const callOff = timers.after(limitMs, () => resolve(true));
    const done = () => {
      callOff();
      resolve(false);
    };
    work.then(done, done);
  });
}

const API = "@opentelemetry/api";
const EXPORT = ["@opentelemetry/resources", "@opentelemetry/sdk-trace", "@opentelemetry/exporter-trace-otlp-proto"];
/** Creates the spans of version 7 of the AI SDK; version 6 creates its own. */
const SDK_7_SPANS = "@ai-sdk/otel";

/**
 * Loads the OpenTelemetry API.
 *
 * @throws {ScenarioError} `missing-package`.
 */
async function loadApi() {
  return await import("@opentelemetry/api").catch((cause: unknown) => missing([API], cause));
}

/** The packages for exporting spans to a collector. */
interface ExportPackages {
  readonly resources: typeof import("@opentelemetry/resources");
  readonly sdk: typeof import("@opentelemetry/sdk-trace");
  readonly exporter: typeof import("@opentelemetry/exporter-trace-otlp-proto");
}

/** Loads the packages for exporting spans to a collector. */
async function loadExport(): Promise<ExportPackages> {
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
async function loadSdkIntegration(): Promise<(new (options: object) => object) | undefined> {
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
