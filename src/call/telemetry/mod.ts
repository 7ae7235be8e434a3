export type { SpanAttributes, TelemetryOptions, TelemetryTracer } from "./options.ts";
export { startTelemetry, type Telemetry, type TelemetrySpan } from "./start.ts";
