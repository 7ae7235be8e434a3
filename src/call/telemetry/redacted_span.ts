import type { Attributes, Exception, Link, Span, SpanStatus, TimeInput } from "@opentelemetry/api";
import type { Redactor } from "../../base/redaction/mod.ts";

/** A span whose texts pass the redactor before they reach the tracer's span. */
export class RedactedSpan implements Span {
  readonly #span: Span;
  readonly #redactor: Redactor;

  constructor(span: Span, redactor: Redactor) {
    this.#span = span;
    this.#redactor = redactor;
  }

  spanContext() {
    return this.#span.spanContext();
  }

  setAttribute(key: string, value: Parameters<Span["setAttribute"]>[1]): this {
    this.#span.setAttribute(key, this.#redactor.value(value));
    return this;
  }

  setAttributes(attributes: Attributes): this {
    this.#span.setAttributes(this.#redactor.value(attributes));
    return this;
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    this.#span.addEvent(this.#redactor.text(name), this.#redactor.value(attributesOrTime), time);
    return this;
  }

  addLink(link: Link): this {
    return this.addLinks([link]);
  }

  addLinks(links: Link[]): this {
    const { value } = this.#redactor;
    this.#span.addLinks(
      links.map(({ attributes, ...link }) => (attributes ? { ...link, attributes: value(attributes) } : link)),
    );
    return this;
  }

  setStatus({ code, message }: SpanStatus): this {
    this.#span.setStatus(message === undefined ? { code } : { code, message: this.#redactor.text(message) });
    return this;
  }

  updateName(name: string): this {
    this.#span.updateName(this.#redactor.text(name));
    return this;
  }

  end(time?: TimeInput): void {
    this.#span.end(time);
  }

  isRecording(): boolean {
    return this.#span.isRecording();
  }

  recordException(exception: Exception, time?: TimeInput): void {
    const { text } = this.#redactor;
    const { name, message, stack, code } = typeof exception === "string" ? { message: exception } : exception;
    this.#span.recordException(
      {
        message: text(message ?? name ?? ""),
        ...(name === undefined ? {} : { name }),
        ...(code === undefined ? {} : { code }),
        ...(stack === undefined ? {} : { stack: text(stack) }),
      },
      time,
    );
  }
}
