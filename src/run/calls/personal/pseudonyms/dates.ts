import type { Keyed } from "../keyed.ts";

/** The pseudonym of a date of birth: a day of 1901 to 1909, when nobody alive was born. */
export function birthdateFor({ year, month, day }: CalendarDate, keyed: Keyed): CalendarDate {
  if (year > 1900 && year < 1910) return { year, month, day };
  const draw = keyed("birthdate", `${year}-${month}-${day}`);
  return { year: 1901 + draw(9), month: 1 + draw(12), day: 1 + draw(28) };
}

/** A day of the calendar; months and days from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}
