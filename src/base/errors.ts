import type { ErrorCode } from "./error_codes.ts";
import { createRedactor, type Redactor } from "./redaction/mod.ts";

export { ERROR_CODES, type ErrorCode } from "./error_codes.ts";

/**
 * A place in a document: keys and indexes from the root, such as `["nodes", "greet", "transitions", 0]`.
 */
export type Path = readonly (string | number)[];

/** Code, path, hint and cause of a Callweave error. */
export interface ErrorDetails {
  /** Stable and kebab-case; one of {@link ERROR_CODES}. */
  readonly code: ErrorCode;
  readonly path?: Path;
  /** The one edit that fixes the problem. */
  readonly hint: string;
  readonly cause?: unknown;
  /** Every problem, when several were found at once. */
  readonly issues?: readonly Issue[];
}

/** One of several problems that were found together. */
export interface Issue {
  readonly code: ErrorCode;
  readonly path: Path;
  readonly message: string;
  readonly hint: string;
}

const BRAND: unique symbol = Symbol.for("callweave.error");

/**
 * Base class of every error that Callweave throws on purpose. Messages, hints and causes quote servers, models and
 * documents, so the constructor redacts secrets of the environment.
 */
export class CallweaveError extends Error {
  readonly code: ErrorCode;
  readonly path: Path;
  readonly hint: string;
  readonly issues: readonly Issue[];

  constructor(message: string, details: ErrorDetails) {
    const redactor = createRedactor();
    const { cause } = details;
    super(redactor.text(message), cause === undefined ? undefined : { cause: redactedCause(cause, redactor) });
    this.name = new.target.name;
    this.code = details.code;
    this.path = details.path ?? [];
    this.hint = redactor.text(details.hint);
    this.issues = redactor.value(
      details.issues ?? [{ code: details.code, path: this.path, message: this.message, hint: this.hint }],
    );
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Maximum length of a chain of causes, because a chain can be circular. */
const MOST_CAUSES = 5;

/**
 * Returns a foreign error as it is or, if it quotes a secret, a redacted copy of its message. A cause whose properties
 * throw is dropped.
 */
function redactedCause(cause: unknown, redactor: Redactor): unknown {
  try {
    return redactedError(cause, redactor, 0);
  } catch {
    return undefined;
  }
}

function redactedError(cause: unknown, redactor: Redactor, depth: number): unknown {
  if (!(cause instanceof Error)) return redactor.value(cause);
  if (isCallweaveError(cause)) return cause;
  const { message, stack = "", cause: next } = cause;
  const redactedNext = next === undefined || depth > MOST_CAUSES ? undefined : redactedError(next, redactor, depth + 1);
  const said = { ...cause, message, stack };
  if (redactor.value(said) === said && redactedNext === next) return cause;
  const copy = new Error(redactor.text(message), redactedNext === undefined ? undefined : { cause: redactedNext });
  const code: unknown = Reflect.get(cause, "code");
  const kept = { name: cause.name, stack: redactor.text(stack), ...(typeof code === "string" ? { code } : {}) };
  return Object.assign(copy, kept);
}

/** A document is not an AgentGraph. */
export class GraphError extends CallweaveError {}
/** A flow in code cannot be compiled. */
export class FlowError extends CallweaveError {}
/** A platform document cannot be read, or a graph cannot be emitted for a platform. */
export class PlatformError extends CallweaveError {}
/** A conversation was used incorrectly. */
export class EngineError extends CallweaveError {}
/** A model cannot be reached, or its answer cannot be used. */
export class ModelError extends CallweaveError {}
/** A tool is not mocked or implemented, or failed. */
export class ToolError extends CallweaveError {}
/** A scenario cannot be run as written. */
export class ScenarioError extends CallweaveError {}
/** A results database cannot be opened, read or written. */
export class StoreError extends CallweaveError {}
/** A platform rejected a request, or its state conflicts with the code. */
export class DeployError extends CallweaveError {}

/** A request to the studio's server cannot be answered. */
export class StudioError extends CallweaveError {}

/** A command was called incorrectly. */
export class UsageError extends CallweaveError {}

/** Whether a value is a Callweave error, from this or any other copy of the package. */
export function isCallweaveError(value: unknown): value is CallweaveError {
  return value instanceof Error && BRAND in value;
}

/**
 * Throws one error for all issues, with the first one's code, path and hint. Does nothing without issues.
 *
 * @param action Start of the message: "Cannot read agent graph".
 */
export function throwIssues(
  ErrorClass: new (message: string, details: ErrorDetails) => CallweaveError,
  action: string,
  issues: readonly Issue[],
): void {
  if (typeof ErrorClass !== "function" || !Array.isArray(issues) || issues.some((issue) => !issue))
    throw new CallweaveError("Cannot throw issues: the issues are not a list, or the error class is missing", {
      code: "invalid-option",
      hint: "Pass a class of errors, an action and a list of issues",
    });
  const first = issues[0];
  if (!first) return;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  throw new ErrorClass(`${action}: ${first.message}${more}`, { ...first, issues });
}
