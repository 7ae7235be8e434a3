/** The time that a `Retry-After` header asks for, in milliseconds. It holds seconds or a date, which may have passed. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return ms >= 0 ? ms : undefined;
}
