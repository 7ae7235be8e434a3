import { redact } from "../../../base/redaction/mod.ts";
import { isRecord, parsedJson, shorten, thrownWords } from "../../../base/values/mod.ts";

/** Maximum length of a message: longer ones are whole pages. */
const LONGEST = 300;

/**
 * The provider's message about a failed request, without keys. The AI SDK reads the errors of its own providers; for
 * other servers, such as Ollama or a proxy, its message is the HTTP status text.
 */
export function providerWords(error: unknown): string {
  const message = redact(messageOf(error));
  // before clipping: the redactor would not recognize half a key
  const body = redact(isRecord(error) && typeof error.responseBody === "string" ? error.responseBody.trim() : "");
  const said = wordsIn(body);
  if (!said || body.includes(message) || said.includes(message)) return said.includes(message) ? said : message;
  return message ? `${message}: ${said}` : said;
}

/** The message of an error; of a broken connection, that of its cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return thrownWords(error);
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return cause && !error.message.includes(cause) ? `${error.message}: ${cause}` : error.message;
}

function wordsIn(body: string): string {
  const words = messageIn(parsedJson(body)) ?? body.replaceAll(/<[^<>]*>/g, " ");
  return shorten(words.replaceAll(/\s+/g, " ").trim(), LONGEST);
}

/** The message in one of the forms that servers wrap it in. */
function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(messageIn).find((message) => message !== undefined);
  if (!isRecord(value)) return undefined;
  for (const key of ["error", "message", "detail", "msg", "error_description"]) {
    const message = messageIn(value[key]);
    if (message) return message;
  }
  return undefined;
}
