export { birthdateFor, type CalendarDate } from "./dates.ts";
export { createNamePool, inCaseOf, type NamePool } from "./names.ts";
export { ibanFor, isAnyMadeUp, isMadeUp, numberFor, type PersonalNumberKind } from "./numbers.ts";
