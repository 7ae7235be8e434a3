/** Numbers of no one, for calls that are not given any. */
export const FICTIONAL = { user: "+12025550143", agent: "+12025550199" };

/** Formats a date in American English, as platforms do. */
export function formatDate(date: Date, timeZone: string, format: Intl.DateTimeFormatOptions): string {
  // runtimes put different spaces before AM and PM
  return new Intl.DateTimeFormat("en-US", { ...format, timeZone }).format(date).replaceAll(/[\u202f\u00a0]/g, " ");
}
