/** The JSON in an answer, also when the model wraps it in a fence or in prose; `undefined` when there is none. */
export function parseAnswer(text: string): unknown {
  const fenced = /```(?:json)?([^`]*)```/.exec(text)?.[1];
  const braced = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, fenced, braced]) {
    if (!candidate) continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // the next form may do
    }
  }
  return undefined;
}
