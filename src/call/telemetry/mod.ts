export {
  type SpanAttributes,
  startTelemetry,
  type Telemetry,
  type TelemetryOptions,
  type TelemetrySpan,
  type TelemetryTracer,
} from "./start.ts";
