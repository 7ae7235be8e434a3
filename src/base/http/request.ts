import * as v from "valibot";
import type { CallweaveError, ErrorDetails } from "../errors.ts";
import { type Clock, isRecord, type JsonObject } from "../values/mod.ts";

/** Methods of requests to a platform. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The facts about a platform's API that a client needs. */
export interface PlatformApi {
  /** Name of the platform, for errors: `Retell`. */
  readonly platform: string;
  /** Such as `https://api.retellai.com`; a proxy or a local platform. */
  readonly baseUrl: string;
  /** How a request shows the key. Default: `Authorization: Bearer KEY`. */
  readonly authentication?: Authentication;
  /**
   * Methods of writes that can be sent twice with the same outcome: they are retried when it is unknown whether the
   * platform has carried one out. Default: all but `POST`. A request can say otherwise.
   */
  readonly repeatable?: readonly Method[];
}

/** The header that has the key. */
export interface Authentication {
  /** Such as `xi-api-key`. */
  readonly header: string;
  /** The word before the key. Absent: the header is the key. */
  readonly scheme?: string;
}

/** The platform's API with the key that requests send. */
export interface PlatformConnection extends PlatformApi {
  /** Never written to a file, a plan or an error. */
  readonly key: string;
  /** Time limit of one request in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly words: ConnectionWords;
}

/** The errors of a connection. Their hints depend on what its requests are for. */
export interface ConnectionWords {
  readonly error: new (message: string, details: ErrorDetails) => CallweaveError;
  /** Hint for a rejected key. */
  readonly key: string;
  /** Hint for a platform that is busy or unreachable while something is read. */
  readonly readAgain: string;
  /** Hint for a platform that is busy or unreachable during a write. */
  readonly writeAgain: string;
}

/** A schema that answers must match. Keys that it does not name are kept. */
export type AnswerShape = v.GenericSchema;

export interface PlatformRequest<Shape extends AnswerShape = AnswerShape> {
  readonly method: Method;
  /** Including the id, such as `/get-agent/agent_1`. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | number | boolean | undefined };
  readonly body?: JsonObject;
  /** Whether a `POST` only reads, so that it can be retried. */
  readonly isRead?: boolean;
  /** Whether the request can be sent twice with the same outcome. Default: what the platform says of its method. */
  readonly isRepeatable?: boolean;
  /** The subject of the request, for errors: `agent "help-desk"`. */
  readonly about: string;
  /** Shape of the answer, with the id that was asked for. An answer that does not fit is an error. */
  readonly answer: Shape;
  /** Size limit of the answer in bytes. Default: 32 MiB. */
  readonly mostBytes?: number;
}

/** Whether a request changes something. */
export function isPlatformWrite({ method, isRead = false }: PlatformRequest): boolean {
  return method !== "GET" && !isRead;
}

/** Whether a request may be sent again although the platform may have carried it out. */
export function isRepeatable(request: PlatformRequest, { repeatable = REPEATABLE }: PlatformApi): boolean {
  return request.isRepeatable ?? (!isPlatformWrite(request) || repeatable.includes(request.method));
}

const REPEATABLE: readonly Method[] = ["PUT", "PATCH", "DELETE"];

/**
 * The id of a resource. It becomes part of URLs and is stored: an answer must not choose another path. Letters, digits
 * and the punctuation of ids, numbers and SIP addresses.
 */
export const ID = v.pipe(v.string(), v.regex(/^(?!.*\.\.)[\w+][\w+.:@-]{0,254}$/, "is not an id"));

/** A time in milliseconds since 1970. */
export const TIME = v.pipe(v.number(), v.minValue(0, "is not a time"), v.maxValue(8.64e15, "is not a time"));

/** Nothing, or an object that says nothing. */
export const NOTHING = v.optional(v.custom<JsonObject>(isRecord));
