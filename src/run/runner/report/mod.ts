export { CallbackError, guardedClock, guardedRunListeners, settleCallbacks } from "./guarded_callbacks.ts";
export { completeReport, type RunReport, reportOf, type StorageReport } from "./report.ts";
export { addTotals, roleOf, totalOf, usageOf } from "./usage.ts";
