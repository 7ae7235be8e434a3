import type { SpanOptions, Tracer } from "@opentelemetry/api";
import { createRedactor } from "../../base/redaction/mod.ts";
import { type Clock, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import type { ModelTelemetry } from "../models/mod.ts";
import { openCollector } from "./collector.ts";
import { nestedTracer } from "./nested_tracer.ts";
import {
  DEFAULT_FLUSH_TIMEOUT_MS,
  type SpanAttributes,
  type TelemetryOptions,
  type TelemetryTracer,
} from "./options.ts";
import { loadApi, loadSdkIntegration } from "./packages.ts";

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
