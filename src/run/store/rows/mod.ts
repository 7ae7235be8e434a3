export { batchesOf, batchLength } from "./batches.ts";
export { detailDocuments, runColumns, summaryColumns } from "./documents.ts";
export { redactedResult } from "./redacted.ts";
export { FULL_RESULT, SUMMARY, sameSlot } from "./result_queries.ts";
export { DETAILS, newResultRecord, resultInsertions, wasKnown } from "./result_rows.ts";
export { graphFrom, resultFrom, runFrom, summaryFrom } from "./rows.ts";
export { NO_RESULTS, newRunDocument, type RunDocument, runFinish, runInsertions } from "./run_rows.ts";
export { conditions, json, optionalJson, rowLimit, storableText } from "./values.ts";
