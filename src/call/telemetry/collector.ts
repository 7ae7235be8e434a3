import type { Tracer } from "@opentelemetry/api";
import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { redact } from "../../base/redaction/mod.ts";
import { type Clock, thrownWords } from "../../base/values/mod.ts";
import { loadExport } from "./packages.ts";

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
export async function openCollector(timeoutMs: number | undefined, timers: Pick<Clock, "after">): Promise<Collector> {
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
