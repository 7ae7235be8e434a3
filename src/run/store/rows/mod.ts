export { detailDocuments, runColumns, summaryColumns } from "./documents.ts";
export {
  conditions,
  graphFrom,
  json,
  optionalJson,
  redactedResult,
  resultFrom,
  rowLimit,
  runFrom,
  storableText,
  summaryFrom,
} from "./rows.ts";
export {
  batchesOf,
  batchLength,
  DETAILS,
  FULL_RESULT,
  NO_RESULTS,
  newResultRecord,
  newRunDocument,
  type RunDocument,
  resultInsertions,
  runFinish,
  runInsertions,
  SUMMARY,
  sameSlot,
  wasKnown,
} from "./statements.ts";
