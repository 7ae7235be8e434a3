import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Fields, hexOf, messages, numberOf, readFields, textOf } from "./_protobuf.ts";

/** A span as the collector received it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentId: string;
  readonly attributes: { readonly [name: string]: unknown };
  /** 2 for an error. */
  readonly status: number;
  readonly statusMessage: string;
}

/** An OTLP collector on 127.0.0.1 that keeps what it receives. */
export interface TestCollector extends AsyncDisposable {
  /** The variables that make a run send its spans here. */
  readonly environment: { readonly [name: string]: string };
  /** Every body, one after another, as text. */
  readonly received: () => string;
  readonly spans: () => readonly ReceivedSpan[];
  readonly headers: readonly { readonly [name: string]: unknown }[];
  /** Attributes of the program that sent the last spans. */
  readonly resource: () => { readonly [name: string]: unknown };
}

/** Starts a collector that answers each request with a status, or never where the status is `undefined`. */
export async function startCollector(status: number | undefined = 200): Promise<TestCollector> {
  const bodies: Buffer[] = [];
  const headers: { readonly [name: string]: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks));
    headers.push({ ...request.headers, url: request.url });
    if (status !== undefined) response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const groups = () => bodies.flatMap((body) => messages(readFields(body), 1));
  return {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    received: () => Buffer.concat(bodies).toString("latin1"),
    spans: () =>
      groups()
        .flatMap((group) => messages(group, 2))
        .flatMap((scope) => messages(scope, 2))
        .map(readSpan),
    headers,
    resource: () => attributesOf(groups().flatMap((group) => messages(group, 1))),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readSpan(span: Fields): ReceivedSpan {
  const [status = new Map()] = messages(span, 15);
  return {
    name: textOf(span, 5),
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentId: hexOf(span, 4),
    attributes: attributesOf([span], 9),
    status: numberOf(status, 3),
    statusMessage: textOf(status, 2),
  };
}

function attributesOf(owners: readonly Fields[], field = 1): { readonly [name: string]: unknown } {
  const pairs = owners.flatMap((owner) => messages(owner, field));
  return Object.fromEntries(pairs.map((pair) => [textOf(pair, 1), messages(pair, 2).map(plainValue)[0]]));
}

function plainValue(value: Fields): unknown {
  if (value.has(1)) return textOf(value, 1);
  if (value.has(2)) return numberOf(value, 2) === 1;
  if (value.has(3)) return numberOf(value, 3);
  return value.has(5) ? messages(value, 5).flatMap((list) => messages(list, 1).map(plainValue)) : undefined;
}
