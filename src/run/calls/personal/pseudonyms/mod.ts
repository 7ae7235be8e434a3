export { birthdateFor, type CalendarDate } from "./dates.ts";
export { createNamePool, inCaseOf, type NamePool } from "./names.ts";
export { ibanFor, isAnyMadeUp, isMadeUp, type NumberKind, numberFor } from "./numbers.ts";
